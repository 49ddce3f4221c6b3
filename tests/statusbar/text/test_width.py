"""How wide a text is: by a library that knows more than Python does, and that nobody waits for without need."""

import subprocess
import sys
from pathlib import Path

import pytest
import wcwidth

from statusbar.text import symbols, width
from support.project import PROJECT
from support.showing import environ, put, session

LOADED = "import sys, yourturn; yourturn.main(sys.argv[1:]); sys.exit('wcwidth' in sys.modules)"


def loads_it(home: Path, *words: str) -> bool:
    argv = [sys.executable, "-c", LOADED, *words]
    found = subprocess.run(argv, env=environ(home), cwd=PROJECT, capture_output=True, text=True, check=False)
    assert found.stderr == ""
    return bool(found.returncode)


@pytest.mark.parametrize("words", ["status", "line", "explain", "config"])
def test_for_names_in_letters_of_europe_nobody_waits_for_the_library(words: str, tmp_path: Path) -> None:
    put(tmp_path, session("a", name="Bär → Привет", detail="echo “hé”…"))
    assert not loads_it(tmp_path, words)


def test_for_other_names_it_is_asked(tmp_path: Path) -> None:
    put(tmp_path, session("a", name="漢字"))
    assert loads_it(tmp_path, "status")


def test_what_is_called_narrow_is_one_cell_wide() -> None:
    assert {wcwidth.wcwidth(char) for char in width.NARROW} == {1}
    assert {look.symbol for look in (*symbols.LOOKS.values(), symbols.CALM, symbols.TROUBLE)} <= width.NARROW


@pytest.mark.parametrize(
    ("said", "cells"),
    [("\u2630", 2), ("\U0001f1e9\U0001f1ea", 2), ("\u0915\u093e", 2), ("\u1112\u1161\u11ab", 2)],
    ids=["wide since Unicode 16", "a flag", "a mark that takes room", "one of three parts"],
)
def test_a_cluster_is_as_wide_as_a_terminal_draws_it(said: str, cells: int) -> None:
    assert width.width(said) == cells
    assert width.cut(said + "abc", cells + 1) == said + "…"


@pytest.mark.parametrize("said", ["\u0301abc", "\u0903abc", "\u0301 \u0301abc"])
def test_a_mark_with_nothing_below_it_is_dropped(said: str) -> None:
    assert width.tidy(said, 9) == "abc"


@pytest.mark.parametrize(
    ("said", "room", "shown"),
    [
        ("Bash: “npm install”", 19, "Bash: “npm install”"),
        ("Bash: “npm install”", 18, "Bash: “npm insta…”"),
        ("Bash: “npm install”", 9, "Bash: “…”"),
        ("Bash: “npm install”", 8, "Bash: …"),
        ("Bash: “npm install”", 7, "Bash: …"),
        ("“a” and “b”", 8, "“a” and…"),
        ("“漢字漢字”", 8, "“漢字…”"),
        ("“a”", 1, "…"),
        ("“a”", 0, ""),
    ],
)
def test_a_quote_that_is_cut_is_closed(said: str, room: int, shown: str) -> None:
    assert width.cut(said, room) == shown
    assert width.width(shown) <= room


@pytest.mark.parametrize("limit", range(1, 30))
def test_what_is_tidied_to_any_length_has_as_many_ends_of_quotes_as_beginnings(limit: int) -> None:
    found = width.tidy("Bash: “npm install” and “more of it”", limit)
    assert len(found) <= limit
    assert found.count("“") == found.count("”")


def test_a_quote_that_somebody_left_open_himself_is_no_business_of_ours() -> None:
    assert width.tidy("“abc…", 9) == "“abc…"
