"""Claude Code: where its transcripts are, and what a line of one tells of the tokens of an answer.

An answer is written as one line for each block of its content, and each of them repeats its id and its figures. A
session that is resumed under another id, or forked, begins with a copy of the lines before, with the same ids and times
but with the new session's id. What the client spends on titles and on compacting is in no transcript.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from contract.clients.claude import config_dir
from usage import records
from usage.clients import Transcript
from usage.message import Message, Opening, digest
from usage.records import SUFFIX, fields, number
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MODEL = b""
SUB_AGENTS = "subagents"
DEEPEST = 2  # folders of workflows are one level below those of sub-agents
SYNTHETIC = "<synthetic>"  # the client's own words, such as an error: they cost nothing
MARK = b'"usage"'  # inside a text its quotes would be escaped


def transcripts(env: Mapping[str, str]) -> Iterator[Transcript]:
    for project in records.folders(_projects(env)):
        for entry in records.entries(project):
            if entry.name.endswith(SUFFIX):
                yield Transcript(entry.path, _session(entry.name), is_main=True)
            elif entry.is_dir():
                yield from _sub_agents(entry.path)


def of_session(env: Mapping[str, str], session: str) -> Iterator[Transcript]:
    if not records.is_name(session):
        return
    for project in records.folders(_projects(env)):
        path = f"{project}/{session}"
        if os.path.lexists(path + SUFFIX):
            yield Transcript(path + SUFFIX, _session(session), is_main=True)
        yield from _sub_agents(path)


def message(line: bytes) -> Message | None:
    value = records.record(line) if MARK in line else {}
    if value.get("type") != "assistant" or value.get("isApiErrorMessage"):
        return None
    told = value.get("message")
    if not isinstance(told, dict) or not isinstance(told.get("usage"), dict) or told.get("model") == SYNTHETIC:
        return None
    names = _names(value, told)
    at, speaker = records.time(value.get("timestamp")), records.name(told.get("model"))
    return Message(digest(*names), at, speaker, _tokens(told["usage"])) if names else None


def model(_line: bytes) -> str:
    """Each answer names its own."""
    return ""


def opening(line: bytes) -> Opening:
    value = records.record(line)
    return Opening(records.time(value.get("timestamp")), records.folder(value.get("cwd")))


def _projects(env: Mapping[str, str]) -> str:
    return config_dir(env) + "/projects"


def _session(name: str) -> str:
    return records.name(name.removesuffix(SUFFIX))


def _sub_agents(folder: str) -> Iterator[Transcript]:
    session = _session(os.path.basename(folder))
    for path in _below(f"{folder}/{SUB_AGENTS}", DEEPEST):
        yield Transcript(path, session, is_main=False)


def _below(folder: str, depth: int) -> Iterator[str]:
    for entry in records.entries(folder):
        if entry.name.endswith(SUFFIX):
            yield entry.path
        elif depth > 1 and entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, depth - 1)


def _names(value: Mapping[str, Any], told: Mapping[str, Any]) -> tuple[str, ...]:
    """The answer's id and that of the request; else the line's own id. What has neither cannot be counted once."""
    name, request, line = told.get("id"), value.get("requestId"), value.get("uuid")
    if isinstance(name, str) and name:
        return ("claude", name, request if isinstance(request, str) else "")
    return ("claude", "", line) if isinstance(line, str) and line else ()


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    split, used = fields(usage.get("cache_creation")), fields(usage.get("server_tool_use"))
    short, long = number(split, "ephemeral_5m_input_tokens"), number(split, "ephemeral_1h_input_tokens")
    return Tokens(
        messages=1,
        input=number(usage, "input_tokens"),
        output=number(usage, "output_tokens"),
        written=max(number(usage, "cache_creation_input_tokens"), short + long),
        written_1h=long,
        read=number(usage, "cache_read_input_tokens"),
        searches=number(used, "web_search_requests"),
    )
