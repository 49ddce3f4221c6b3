"""Claude Code: where its transcripts are, and what a line of one tells of the tokens of an answer.

An answer is written as one line for each block of its content, and each of them repeats its id and its figures. A
session that is resumed under another id, or forked, begins with a copy of the lines before, with the same ids and times
but with the new session's id. What the client spends on titles and on compacting is in no transcript.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from contract import wire
from contract.clean import clean
from contract.clients.claude import config_dir
from usage.clients import Transcript
from usage.message import EARLIEST, LATEST, NEVER, Message, Opening, digest
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SUFFIX = ".jsonl"
SUB_AGENTS = "subagents"
DEEPEST = 2  # folders of workflows are one level below those of sub-agents
SYNTHETIC = "<synthetic>"  # the client's own words, such as an error: they cost nothing
MARK = b'"usage"'  # inside a text its quotes would be escaped
MOST = 10**9  # no message has as many tokens
LONGEST_NAME, LONGEST_FOLDER = 80, 400


def transcripts(env: Mapping[str, str]) -> Iterator[Transcript]:
    for project in _folders(_projects(env)):
        for entry in _entries(project):
            if entry.name.endswith(SUFFIX):
                yield Transcript(entry.path, _session(entry.name), is_main=True)
            elif entry.is_dir():
                yield from _sub_agents(entry.path)


def of_session(env: Mapping[str, str], session: str) -> Iterator[Transcript]:
    if "/" in session or "\0" in session or session in ("", ".", ".."):
        return
    for project in _folders(_projects(env)):
        path = f"{project}/{session}"
        if os.path.lexists(path + SUFFIX):
            yield Transcript(path + SUFFIX, _session(session), is_main=True)
        yield from _sub_agents(path)


def message(line: bytes) -> Message | None:
    value = _record(line) if MARK in line else None
    if value is None or value.get("type") != "assistant" or value.get("isApiErrorMessage"):
        return None
    told = value.get("message")
    if not isinstance(told, dict) or not isinstance(told.get("usage"), dict) or told.get("model") == SYNTHETIC:
        return None
    names = _names(value, told)
    model = clean(told.get("model"), LONGEST_NAME)
    return Message(digest(*names), _time(value), model, _tokens(told["usage"])) if names else None


def opening(line: bytes) -> Opening:
    value = _record(line) or {}
    return Opening(_time(value), clean(value.get("cwd"), LONGEST_FOLDER))


def _projects(env: Mapping[str, str]) -> str:
    return config_dir(env) + "/projects"


def _session(name: str) -> str:
    return clean(name.removesuffix(SUFFIX), LONGEST_NAME)


def _sub_agents(folder: str) -> Iterator[Transcript]:
    session = _session(os.path.basename(folder))
    for path in _below(f"{folder}/{SUB_AGENTS}", DEEPEST):
        yield Transcript(path, session, is_main=False)


def _below(folder: str, depth: int) -> Iterator[str]:
    for entry in _entries(folder):
        if entry.name.endswith(SUFFIX):
            yield entry.path
        elif depth > 1 and entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, depth - 1)


def _folders(folder: str) -> list[str]:
    return [entry.path for entry in _entries(folder) if entry.is_dir()]


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """In the order of their names; none of a folder that is not there or cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)
    return []


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        value = wire.decode(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _names(value: Mapping[str, Any], told: Mapping[str, Any]) -> tuple[str, ...]:
    """The answer's id and that of the request; else the line's own id. What has neither cannot be counted once."""
    name, request, line = told.get("id"), value.get("requestId"), value.get("uuid")
    if isinstance(name, str) and name:
        return ("claude", name, request if isinstance(request, str) else "")
    return ("claude", "", line) if isinstance(line, str) and line else ()


def _time(value: Mapping[str, Any]) -> int:
    stamp = value.get("timestamp")
    try:
        at = datetime.fromisoformat(stamp) if isinstance(stamp, str) else None
        # Without a zone it would be read as a local time, and be another one elsewhere.
        millis = round(at.timestamp() * 1000) if at and at.tzinfo else NEVER
    except (ValueError, OverflowError):
        return NEVER
    return millis if EARLIEST <= millis < LATEST else NEVER


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    split, used = usage.get("cache_creation"), usage.get("server_tool_use")
    split, used = split if isinstance(split, dict) else {}, used if isinstance(used, dict) else {}
    short, long = _number(split, "ephemeral_5m_input_tokens"), _number(split, "ephemeral_1h_input_tokens")
    return Tokens(
        messages=1,
        input=_number(usage, "input_tokens"),
        output=_number(usage, "output_tokens"),
        written=max(_number(usage, "cache_creation_input_tokens"), short + long),
        written_1h=long,
        read=_number(usage, "cache_read_input_tokens"),
        searches=_number(used, "web_search_requests"),
    )


def _number(figures: Mapping[str, Any], name: str) -> int:
    """0 for what cannot be a number of tokens."""
    value = figures.get(name)
    return value if type(value) is int and 0 <= value <= MOST else 0
