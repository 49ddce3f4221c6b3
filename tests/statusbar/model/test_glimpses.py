"""The front ends' way to the transcripts, and the setting that closes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model.glimpses import Glimpses, are_shown
from statusbar.model.live import Live
from support.showing import put, run, session
from support.transcript_lines import assistant, last_word, text_block

if TYPE_CHECKING:
    from pathlib import Path

    from contract.status import SessionStatus

TITLE = json.dumps({"type": "ai-title", "aiTitle": "Fix the login"}).encode()
ASKS = {"type": "tool_use", "id": "t", "name": "AskUserQuestion", "input": {"questions": [{"question": "Which one?"}]}}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "s.jsonl").write_bytes(b"\n".join([TITLE, last_word("All done."), b""]))
    asked = assistant(text_block("I wonder."), ASKS)
    (tmp_path / "t.jsonl").write_bytes(asked + b"\n")
    put(tmp_path, waits(tmp_path), asks(tmp_path))
    return tmp_path


def waits(home: Path) -> SessionStatus:
    return session("s", WAITING, client="claude", transcript=str(home / "s.jsonl"))


def asks(home: Path) -> SessionStatus:
    given = {"client": "claude", "transcript": str(home / "t.jsonl")}
    return session("t", NEEDS_APPROVAL, detail="question", **given)


def switched_off(home: Path) -> None:
    (home / "config.toml").write_text("[show]\nlast_words = false\n")


def test_status_shows_titles_words_and_questions(home: Path) -> None:
    found = run(home, "status").stdout
    assert "“Which one?”" in found
    assert "Fix the login" in found
    assert "“All done.”" in found


def test_one_setting_switches_all_words_off_and_titles_stay(home: Path) -> None:
    switched_off(home)
    found = run(home, "status").stdout
    assert "Fix the login" in found
    assert "a question" in found
    assert not [words for words in ("Which one?", "All done.", "I wonder.") if words in found]


def test_the_setting_is_noticed_while_a_front_end_runs(home: Path) -> None:
    transcripts = Glimpses({"YOURTURN_HOME": str(home)})
    assert transcripts.of([waits(home)])["s"].last_words == "All done."
    switched_off(home)
    assert transcripts.of([waits(home)])["s"].last_words == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", True),
        ("[notify]\nsound = true\n", True),
        ("[show]\nlast_words = true\n", True),
        ("[show]\nlast_words = false\n", False),
        ('[show]\nlast_words = "no"\n', True),
        ("last_words = broken", True),
    ],
)
def test_words_are_shown_unless_the_file_says_no(text: str, wanted: bool, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(text)
    assert are_shown({"YOURTURN_HOME": str(tmp_path)}) is wanted


def test_json_has_the_title_and_the_words_only_in_full(home: Path) -> None:
    short = run(home, "status", "--json").stdout
    assert {one["title"] for one in json.loads(short)["sessions"]} == {"Fix the login", ""}
    assert "All done." not in short
    full = {one["session_id"]: one for one in json.loads(run(home, "status", "--json", "--full").stdout)["sessions"]}
    assert full["s"]["conversation"]["last_words"] == "All done."
    assert full["t"]["conversation"]["question"] == "Which one?"
    switched_off(home)
    assert "All done." not in run(home, "status", "--json", "--full").stdout


def test_a_line_for_a_bar_opens_no_transcript(home: Path) -> None:
    assert "Which one?" not in run(home, "line").stdout


def test_new_words_are_something_to_draw(home: Path) -> None:
    """The client writes them a moment after the event that ends its turn."""
    with Live(str(home), lambda: 5.0, {"YOURTURN_NO_WATCHER": "1"}, Glimpses({"YOURTURN_HOME": str(home)})) as live:
        assert live.look()
        live.drawn(1000.0)
        assert not live.look()
        with (home / "s.jsonl").open("ab") as file:
            file.write(last_word("One more thing.") + b"\n")
        assert live.look()
        assert live.glimpses["s"].last_words == "One more thing."
        live.drawn(1000.0)
        assert not live.look()
