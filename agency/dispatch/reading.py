"""From a file of tasks to jobs: one a line, a command line, a prompt or a JSON object."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from agency.dispatch.job import Job
from agency.outcome import wrong_usage
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agency.outcome import NotDone

LONGEST_S = 7 * 86400.0
LONGEST_ID = 40


def jobs(source: str, data: bytes, agent: str = "") -> list[Job]:
    """NotDone names file and line. `agent` gets the prompts that name none."""
    try:
        return [_job(number, words, agent) for number, words in _lines(data)]
    except _WrongError as error:
        raise wrong(source, error.line, str(error)) from None


def wrong(source: str, line: int, reason: str) -> NotDone:
    return wrong_usage(f"{source}:{line}: {reason}")


class _WrongError(Exception):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            words = raw.decode().strip()
        except UnicodeDecodeError:
            raise _WrongError(number, "it is not UTF-8") from None
        if words and not words.startswith("#"):
            yield number, words


def _job(line: int, words: str, agent: str) -> Job:
    if words.startswith("{"):
        job = _from_object(line, _object(line, words), agent)
    elif agent:
        job = Job(str(line), line, prompt=words, agent=agent)
    else:
        job = Job(str(line), line, command=_split(line, words))
    return _checked(job)


def _object(line: int, words: str) -> dict[str, Any]:
    try:
        raw: dict[str, Any] = json.loads(words)
    except ValueError as error:
        raise _WrongError(line, f"broken JSON: {error}") from None
    except RecursionError:
        raise _WrongError(line, "broken JSON: nested too deeply") from None
    for key, value in raw.items():
        if key not in KEYS:
            raise _WrongError(line, f"unknown key {tidy(key, 40)!r}. Known: {', '.join(KEYS)}")
        wants, fits = KEYS[key]
        if not fits(value):
            raise _WrongError(line, f"{key} must be {wants}")
    return raw


def _from_object(line: int, raw: dict[str, Any], agent: str) -> Job:
    if ("prompt" in raw) == ("command" in raw):
        raise _WrongError(line, "a task has either a prompt or a command")
    if "command" in raw and "agent" in raw:
        raise _WrongError(line, "an agent gets a prompt, not a command")
    agent = raw.get("agent", agent)
    if "prompt" in raw and not agent:
        raise _WrongError(line, 'whose prompt is it? Say "agent": "NAME", or --agent NAME')
    command = raw.get("command", ())
    return Job(
        id=str(raw.get("id", line)),
        line=line,
        command=_split(line, command) if isinstance(command, str) else tuple(command),
        prompt=raw.get("prompt", ""),
        agent=agent if "prompt" in raw else "",
        after=tuple(dict.fromkeys(map(str, raw.get("after", ())))),
        cwd=raw.get("cwd", ""),
        timeout_s=float(raw.get("timeout", 0.0)),
        untrusted=raw.get("untrusted", False),
    )


def _split(line: int, words: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(words))
    except ValueError as error:
        raise _WrongError(line, f"{str(error).lower()}: {tidy(words, 60)}") from None


def _checked(job: Job) -> Job:
    if tidy(job.id, LONGEST_ID) != job.id or not job.id or "/" in job.id:
        raise _WrongError(job.line, f"an id is a word or phrase of at most {LONGEST_ID} characters, without '/'")
    if not (job.command and job.command[0]) and not job.prompt.strip():
        raise _WrongError(job.line, "there is nothing to do in it")
    if not all(map(_can_be_passed_on, (*job.command, job.prompt, job.cwd))):
        raise _WrongError(job.line, "it has a character that no program can be given: NUL, or half of one")
    return job


def _can_be_passed_on(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_name(value: Any) -> bool:
    return _is_text(value) or type(value) is int


def _is_command(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value))


KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "id": ("a text or a whole number", _is_name),
    "prompt": ("a text", _is_text),
    "command": ("a text or a list of texts", _is_command),
    "after": ("a list of ids", lambda value: isinstance(value, list) and all(map(_is_name, value))),
    "agent": ("a text", _is_text),
    "cwd": ("a text", _is_text),
    "timeout": (
        f"a number of seconds between 0 and {LONGEST_S:g}",
        lambda value: type(value) in (int, float) and 0 < value <= LONGEST_S,
    ),
    "untrusted": ("true or false", lambda value: isinstance(value, bool)),
}
