"""Copilot CLI: where its files of events are, and what a line of one tells of the tokens of an answer.

Sub-agents are in the same file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.clients.copilot import SESSIONS, config_dir
from usage import records
from usage.clients import Transcript
from usage.message import Message, Opening, digest
from usage.records import fields, number
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MODEL = b""
MARK = b'"session.usage_record"'
EVENTS = "events.jsonl"


def transcripts(env: Mapping[str, str]) -> Iterator[Transcript]:
    for folder in records.folders(f"{config_dir(env)}/{SESSIONS}"):
        yield from _of(folder)


def of_session(env: Mapping[str, str], session: str) -> Iterator[Transcript]:
    if records.is_name(session):
        yield from _of(f"{config_dir(env)}/{SESSIONS}/{session}")


def message(line: bytes) -> Message | None:
    value = records.record(line) if MARK in line else {}
    usage = fields(fields(value.get("data")).get("usage"))
    call = _name(usage, value)
    if value.get("type") != "session.usage_record" or not call:
        return None
    at = records.time(value.get("timestamp"))
    return Message(digest("copilot", call), at, records.name(usage.get("model")), _tokens(usage))


def model(_line: bytes) -> str:
    return ""


def opening(line: bytes) -> Opening:
    value = records.record(line)
    context = fields(fields(value.get("data")).get("context"))
    return Opening(records.time(value.get("timestamp")), records.folder(context.get("cwd")))


def _of(folder: str) -> Iterator[Transcript]:
    for entry in records.entries(folder):
        if entry.name == EVENTS:
            yield Transcript(entry.path, records.name(folder.rpartition("/")[2]), is_main=True)


def _name(usage: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """That of the call, else the line's own id."""
    given = fields(usage.get("accounting")).get("usageId"), usage.get("apiCallId"), value.get("id")
    return next((name for name in given if isinstance(name, str) and name), "")


def _tokens(usage: Mapping[str, Any]) -> Tokens:
    read, written = number(usage, "cacheReadTokens"), number(usage, "cacheWriteTokens")
    given = records.fresh(number(usage, "inputTokens"), read, written)
    return Tokens(1, given, number(usage, "outputTokens"), written, read=read)
