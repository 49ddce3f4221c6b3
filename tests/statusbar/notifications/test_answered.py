"""Each answer from outside is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import record, word
from answers.request import Request
from answers.word import Word
from statusbar.notifications.answered import Answered
from support.showing import hostile, session, statuses

if TYPE_CHECKING:
    from pathlib import Path

THERE = statuses(session("a", name="shop"))


def note(home: Path, outcome: str = record.TAKEN, deed: str = word.ALLOW, tag: str = "1" * 16) -> None:
    request = Request(id="0" * 16, session="a", tool="Bash", target="make test", input={"command": "make test"})
    record.note(str(home), request, 1.0, outcome, Word(tag=tag, deed=deed, by="menu"))


def test_an_answer_is_told_once_with_what_it_was_about_and_where_it_came_from(tmp_path: Path) -> None:
    answered = Answered(str(tmp_path))
    assert answered.news(THERE) == []
    note(tmp_path)
    (found,) = answered.news(THERE)
    assert found.words == ("Allowed from the menu", "shop: Bash: make test")
    assert answered.news(THERE) == []
    note(tmp_path, deed=word.DENY, tag="2" * 16)
    assert [one.title for one in answered.news(THERE)] == ["Denied from the menu"]


def test_what_was_there_before_and_what_decided_nothing_is_not_told(tmp_path: Path) -> None:
    note(tmp_path)
    answered = Answered(str(tmp_path))
    note(tmp_path, f"{record.REFUSED}: of another request", tag="2" * 16)
    note(tmp_path, record.ELSEWHERE, tag="3" * 16)
    assert answered.news(THERE) == []


def test_whatever_lies_there_is_drawn_clean(tmp_path: Path) -> None:
    answered = Answered(str(tmp_path))
    (tmp_path / "answers.jsonl").write_bytes(
        b'7\n{}\n{"outcome":"taken","by":7,"session":"\\u202e","tool":"\\u001b[2J"}\n['
    )
    (found,) = answered.news(statuses(hostile("\x1b")))
    assert found.body.isprintable()
    assert found.title == "Answered from the outside"
