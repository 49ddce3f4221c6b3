"""Wrong usage of any command of the status bar ends with 2, and says on the standard error what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from statusbar.__main__ import ALL
from support.showing import put, run, session, watcher

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = "no-such-thing"
# Besides an option that there is not, which every command is given.
WRONG: dict[str, list[tuple[str, ...]]] = {
    "status": [("--full",), ("word",)],
    "ps": [("--state", UNKNOWN), ("--kind", UNKNOWN), ("word",)],
    "wait": [(UNKNOWN,), ("--for", UNKNOWN), ("--timeout", "-1"), ("--timeout", "nan"), ("--any", "--all")],
    "requests": [("word",)],
    "allow": [(UNKNOWN,), ("one", "two")],
    "deny": [(UNKNOWN,), ("one", "two")],
    "answer": [(), (UNKNOWN, "1")],
    "explain": [(UNKNOWN,), ("one", "two")],
    "log": [("--session", UNKNOWN), ("--audit", "--session", UNKNOWN), ("word",)],
    "day": [("someday",), ("--width", "3"), ("today", "more")],
    "stats": [("--since", UNKNOWN), ("word",)],
    "top": [("word",)],
    "tray": [("word",)],
    "menubar": [("word",)],
    "line": [("--for", UNKNOWN), ("--for", "tmux", "--follow"), ("word",)],
    "tree": [(UNKNOWN,), ("one", "two")],
    "targets": [("word",)],
    "go": [(UNKNOWN,), ("one", "--next"), ("one", "two")],
    "config": [(UNKNOWN,), ("front", UNKNOWN), ("show.last_words", "perhaps"), ("front", "tray", "more")],
    "demo": [("--speed", "0"), ("--front", UNKNOWN), ("word",)],
    "web": [("--listen", "a b"), ("--listen", "host:99999"), ("--listen",), ("word",)],
    "notify": [("word",)],
}


def test_no_command_is_forgotten() -> None:
    assert set(WRONG) == {name for some in ALL for name in some.COMMANDS}


@pytest.mark.parametrize("command", WRONG)
def test_wrong_usage_ends_with_two_and_says_why(command: str, tmp_path: Path) -> None:
    put(tmp_path, session("a"), session("b"))
    with watcher(tmp_path):
        for words in [("--no-such-option",), *WRONG[command]]:
            found = run(tmp_path, command, *words)
            assert (found.returncode, found.stdout) == (2, ""), (words, found)
            assert found.stderr.strip(), words
