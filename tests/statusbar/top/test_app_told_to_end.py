"""`yourturn top` is told to end at the worst moments: it does, and its terminal is as it was before."""

import sys
from pathlib import Path

import pytest

from support.showing import put, session, terminal

# Told so by itself, in the midst of what it does with its terminal.
PROGRAM = """
import curses, os, signal, sys
from statusbar.__main__ import main
real = curses.{name}
def told(*words):
    done = real(*words) if {after} else None
    os.kill(os.getpid(), signal.{signal})
    return done if {after} else real(*words)
curses.{name} = told
sys.argv = ["statusbar", "top"]
sys.exit(main())
"""


@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize(
    ("name", "after"), [("initscr", True), ("start_color", True), ("endwin", False)],
    ids=["it has the terminal, and does not know it yet", "where curses drops exceptions", "before it gives it back"],
)  # fmt: skip
def test_the_terminal_is_as_it_was(name: str, after: bool, signal: str, code: int, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with terminal(tmp_path, tmp_path) as one:
        one.start(sys.executable, "-c", PROGRAM.format(name=name, after=after, signal=signal))
        if name == "endwin":
            one.until("a-name")
            one.keys("q")
        one.until(f"left with {code}", gone="a-name")
        one.keys(f"stty -a > {tmp_path}/after; clear; echo 'it is' over", "Enter")
        one.until("it is over")
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()
