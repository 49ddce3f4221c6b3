"""Claude Code: where its transcripts are, and what counts as the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.spending import NOON, Person, answer, lines, usage
from usage.clients import Transcript, claude

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def digest(**more: object) -> int | None:
    found = claude.message(lines(answer("a", **more)))  # type: ignore[arg-type]
    return found.digest if found else None


def test_an_answer_is_known_by_its_id_and_that_of_its_request() -> None:
    assert digest() == digest(output=7, at=NOON + 1, uuid="u", sessionId="another")
    assert digest() != digest(requestId="req_b")
    assert digest(requestId=None) == digest(requestId=5)


def test_an_answer_without_an_id_is_known_by_its_line() -> None:
    message = {"model": "m", "usage": usage()}
    assert digest(message=message, uuid="u") == digest(message=message, uuid="u", requestId="r")
    assert digest(message=message, uuid="u") != digest(message=message, uuid="v")
    assert digest(message=message) is None


def test_all_transcripts_are_found_and_nothing_else(person: Person) -> None:
    main, sub = person.writes("s"), person.writes("s", agent="agent-1")
    deep = person.writes("s", agent="flow/agent-2")
    other = person.writes("t", project="-other")
    person.writes("s", agent="flow/too/deep")
    (main.parent / "s" / "tool-results").mkdir()
    (main.parent / "s" / "tool-results" / "x.jsonl").touch()
    (main.parent / "notes.txt").touch()
    of_s = [Transcript(str(main), "s", True), Transcript(str(sub), "s", False), Transcript(str(deep), "s", False)]
    assert sorted(claude.transcripts(person.env)) == sorted([*of_s, Transcript(str(other), "t", True)])
    assert sorted(claude.of_session(person.env, "s")) == sorted(of_s)


def test_another_configuration_folder_is_asked_if_there_is_one(person: Person, tmp_path: Path) -> None:
    person.writes("s")
    assert not list(claude.transcripts({**person.env, "CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}))


@pytest.mark.parametrize("session", ["", ".", "..", "../-home-me-shop/s", "a\0b"])
def test_no_session_id_leads_out_of_the_projects(session: str, person: Person) -> None:
    person.writes("s")
    assert not list(claude.of_session(person.env, session))
