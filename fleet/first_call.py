"""The first call to a host that is to be added: whether it answers, and what it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from contract.clean import clean
from fleet import reached_by
from fleet.host_connection import HostConnection

if TYPE_CHECKING:
    from fleet.sources import Source

PATIENCE_S = 30.0


class Answer(NamedTuple):
    is_there: bool
    words: str = ""  # what it said, for a person
    why: str = ""  # why it did not answer


def wrong(source: Source) -> str:
    if source.program and not reached_by.is_plain(source.program):
        return f"--program {source.program}: only plain words, without quotes, work over every kind of connection"
    return ""


def call(source: Source) -> Answer:
    answer = Answer(is_there=False, why="nobody was called")
    for program in (source.program,) if source.program else reached_by.PROGRAMS:
        answer, code = _call([*reached_by.reaching(source.words), *program.split(), "status", "--json"])
        if code not in reached_by.NOT_FOUND:
            return answer
    return answer._replace(why=f"yourturn was not found there ({answer.why}). To bring it there: --install")


def _call(argv: list[str]) -> tuple[Answer, int | None]:
    """Its answer, and the exit code of the command, None if it did not end by itself."""
    answers: list[Answer] = []

    def hear(line: bytes) -> bool:
        answers.extend(filter(None, [_answer(line)]))
        return bool(answers)

    end = HostConnection(argv, PATIENCE_S).follow(hear, lambda: not answers)
    return answers[-1] if answers else Answer(is_there=False, why=end.why), end.code


def _answer(line: bytes) -> Answer | None:
    """None for a line that is none of ours."""
    try:
        raw = json.loads(line)
        number = len(raw["sessions"])
    except (ValueError, RecursionError, TypeError, KeyError):
        return None
    sessions = "1 session" if number == 1 else f"{number} sessions"
    version = clean(raw.get("version"), 20)
    return Answer(is_there=True, words=f"yourturn {version} answers, {sessions}.".replace("  ", " "))
