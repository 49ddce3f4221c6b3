"""Qwen Code: where its transcripts are, and what a line of one tells of the tokens of an answer.

The client notes each answer of the API in the session's file: the main agent's, sub-agents' and those of its own
helpers. An answer that was interrupted has no figures.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from contract.clients.qwen import config_dir
from usage import records
from usage.clients import Transcript
from usage.message import Message, Opening, digest
from usage.records import SUFFIX, fields, number
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MODEL = b""
MARK = b'"qwen-code.api_response"'


def transcripts(env: Mapping[str, str]) -> Iterator[Transcript]:
    for chats in _chats(env):
        for entry in records.entries(chats):
            if entry.name.endswith(SUFFIX):
                yield Transcript(entry.path, records.name(entry.name.removesuffix(SUFFIX)), is_main=True)


def of_session(env: Mapping[str, str], session: str) -> Iterator[Transcript]:
    for chats in _chats(env) if records.is_name(session) else ():
        path = f"{chats}/{session}{SUFFIX}"
        if os.path.lexists(path):
            yield Transcript(path, records.name(session), is_main=True)


def message(line: bytes) -> Message | None:
    value = records.record(line) if MARK in line else {}
    event = fields(fields(value.get("systemPayload")).get("uiEvent"))
    response = event.get("response_id")
    if event.get("event.name") != "qwen-code.api_response" or not isinstance(response, str) or not response:
        return None
    at = records.time(value.get("timestamp"))
    return Message(digest("qwen", response), at, records.name(event.get("model")), _tokens(event))


def model(_line: bytes) -> str:
    return ""


def opening(line: bytes) -> Opening:
    value = records.record(line)
    return Opening(records.time(value.get("timestamp")), records.folder(value.get("cwd")))


def _chats(env: Mapping[str, str]) -> list[str]:
    return [project + "/chats" for project in records.folders(config_dir(env) + "/projects")]


def _tokens(event: Mapping[str, Any]) -> Tokens:
    read, given = number(event, "cached_content_token_count"), number(event, "input_token_count")
    said, thought = number(event, "output_token_count"), number(event, "thoughts_token_count")
    # Some APIs count thoughts among what was said, others beside it.
    is_apart = given + said + thought <= number(event, "total_token_count")
    return Tokens(1, records.fresh(given, read), said + (thought if is_apart else 0), read=read)
