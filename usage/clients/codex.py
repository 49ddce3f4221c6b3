"""Codex: where its rollouts are, and what a line of one tells of the tokens of an answer.

A sub-agent has a rollout of its own, whose first line names the session. A line on tokens does not name the model: the
turn's beginning does. What the client spends on titles is in no rollout; rollouts that it has compressed are not read.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from contract import transcript_file
from contract.clients.codex import config_dir
from usage import records
from usage.clients import Transcript
from usage.message import Message, Opening, digest
from usage.records import SUFFIX, fields, number
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MODEL = b'"turn_context"'
MARK = b'"token_usage_record"'
ARCHIVE = "archived_sessions"
ID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
THREAD = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")  # a UUID with a time in it
ROLLOUT = re.compile(rf"rollout-[0-9T-]+-({ID})\.jsonl")
OWNER = re.compile(rb'"session_id":"(%s)"' % ID.encode())
FIRST = 1024  # bytes of a rollout in which its session is named
DEEPEST = 3  # folders of years, months and days
DAY_S = 86_400


def transcripts(env: Mapping[str, str]) -> Iterator[Transcript]:
    for path, thread in _rollouts(env):
        session = _owner(path) or thread
        yield Transcript(path, session, is_main=session == thread)


def of_session(env: Mapping[str, str], session: str) -> Iterator[Transcript]:
    """Its own, and those of its sub-agents, which were begun later: folders of days before are not looked into."""
    if not THREAD.fullmatch(session):
        return
    for path, thread in _rollouts(env, _day_before(session)):
        if (_owner(path) or thread) == session:
            yield Transcript(path, session, is_main=session == thread)


def message(line: bytes) -> Message | None:
    value = records.record(line) if MARK in line else {}
    payload = fields(value.get("payload"))
    response = payload.get("response_id")
    if value.get("type") != "token_usage_record" or not isinstance(response, str) or not response:
        return None
    return Message(digest("codex", response), records.time(value.get("timestamp")), "", _tokens(payload.get("usage")))


def model(line: bytes) -> str:
    value = records.record(line)
    return records.name(fields(value.get("payload")).get("model")) if value.get("type") == "turn_context" else ""


def opening(line: bytes) -> Opening:
    value = records.record(line)
    return Opening(records.time(value.get("timestamp")), records.folder(fields(value.get("payload")).get("cwd")))


def _rollouts(env: Mapping[str, str], since: str = "") -> Iterator[tuple[str, str]]:
    """Each with the id of its thread; `since`: from this day on, such as 2026/11/18."""
    home = config_dir(env)
    for path in [*_below(f"{home}/sessions", since.split("/")), *_below(f"{home}/{ARCHIVE}", [])]:
        if named := ROLLOUT.fullmatch(path.rpartition("/")[2]):
            yield path, named[1]


def _below(folder: str, since: list[str], depth: int = DEEPEST) -> Iterator[str]:
    """`since`: the year, month and day that the folders are called by, one level each; earlier ones are left out."""
    first, rest = (since[0], since[1:]) if since else ("", [])
    for entry in records.entries(folder):
        if entry.name.endswith(SUFFIX):
            yield entry.path
        elif depth and entry.name >= first and entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, rest if entry.name == first else [], depth - 1)


def _day_before(session: str) -> str:
    """By its id, which begins with the milliseconds when it was made. Folders have local days, which may be earlier."""
    made = int(session[:8] + session[9:13], 16) / 1000
    return time.strftime("%Y/%m/%d", time.gmtime(made - DAY_S))


def _owner(path: str) -> str:
    named = OWNER.search(transcript_file.beginning(path, FIRST))
    return named[1].decode() if named else ""


def _tokens(usage: Any) -> Tokens:
    used = fields(usage)
    read, written = number(used, "cached_input_tokens"), number(used, "cache_write_input_tokens")
    given = records.fresh(number(used, "input_tokens"), read, written)
    return Tokens(1, given, number(used, "output_tokens"), written, read=read)
