"""The first call to a host that is to be added: whether it answers, and what it says."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from contract.clean import clean
from fleet import reached_by

if TYPE_CHECKING:
    from fleet.sources import Source

PATIENCE_S = 30.0
LONGEST = 8 << 20


class Answer(NamedTuple):
    is_there: bool
    words: str = ""  # what it said, for a person
    why: str = ""  # why it did not answer


def wrong(source: Source) -> str:
    if source.program and not reached_by.is_plain(source.program):
        return f"--program {source.program}: only plain words, without quotes, mean the same over every kind of line"
    return ""


def call(source: Source) -> Answer:
    answer = Answer(is_there=False, why="nobody was called")
    for program in (source.program,) if source.program else reached_by.PROGRAMS:
        answer, code = _call([*reached_by.reaching(source.words), *program.split(), "status", "--json"])
        if code not in reached_by.NOT_FOUND:
            return answer
    return answer._replace(why=f"yourturn was not found there ({answer.why}). To bring it there: --install")


def _call(argv: list[str]) -> tuple[Answer, int]:
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False)
    except OSError as error:
        return Answer(is_there=False, why=f"{argv[0]}: {error.strerror}"), 1
    except subprocess.TimeoutExpired:
        return Answer(is_there=False, why=f"no answer within {PATIENCE_S:g} s"), 1
    return _answer(done.stdout[:LONGEST], done.stderr.decode(errors="replace"), done.returncode), done.returncode


def _answer(printed: bytes, errors: str, code: int) -> Answer:
    try:
        raw = json.loads(printed)
        number = len(raw["sessions"])
    except (ValueError, RecursionError, TypeError, KeyError):
        lines = [line for line in errors.splitlines() if line.strip()]
        return Answer(is_there=False, why=clean(lines[-1] if lines else f"exit code {code}", 200))
    sessions = "1 session" if number == 1 else f"{number} sessions"
    version = clean(raw.get("version"), 20)
    return Answer(is_there=True, words=f"yourturn {version} answers, {sessions}.".replace("  ", " "))
