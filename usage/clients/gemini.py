"""Gemini CLI: where its transcripts are, and what a line of one tells of the tokens of an answer.

A record is written again, with the same id, when its calls have results. A session that is resumed has two files, and
a sub-agent one of its own in the session's folder. What the client spends on titles is in none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import transcript_file
from contract.clients.gemini import config_dir
from usage import records
from usage.clients import Transcript
from usage.message import Message, Opening, digest
from usage.records import SUFFIX, number
from usage.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MODEL = b""
MARK = b'"tokens"'
PROJECTS, MAIN = "tmp", "session-"
SHORT = 8  # so much of a session's id is in the name of its file
FIRST = 4096  # bytes that hold the first line, which names the session


def transcripts(env: Mapping[str, str]) -> Iterator[Transcript]:
    for project in records.folders(f"{config_dir(env)}/{PROJECTS}"):
        where = _folder(project)
        for entry in records.entries(project + "/chats"):
            if entry.name.startswith(MAIN) and entry.name.endswith(SUFFIX):
                yield Transcript(entry.path, _session(entry.path), True, where)
            elif entry.is_dir(follow_symlinks=False):
                yield from _sub_agents(entry.path, where)


def of_session(env: Mapping[str, str], session: str) -> Iterator[Transcript]:
    if not records.is_name(session):
        return
    for project in records.folders(f"{config_dir(env)}/{PROJECTS}"):
        where = _folder(project)
        for entry in records.entries(project + "/chats"):
            is_named = entry.name.startswith(MAIN) and entry.name.endswith(session[:SHORT] + SUFFIX)
            if is_named and _session(entry.path) == session:
                yield Transcript(entry.path, session, True, where)
        yield from _sub_agents(f"{project}/chats/{session}", where)


def message(line: bytes) -> Message | None:
    value = records.record(line) if MARK in line else {}
    id_ = value.get("id")
    if value.get("type") != "gemini" or not isinstance(value.get("tokens"), dict) or not isinstance(id_, str):
        return None
    at = records.time(value.get("timestamp"))
    return Message(digest("gemini", id_), at, records.name(value.get("model")), _tokens(value["tokens"]))


def model(_line: bytes) -> str:
    return ""


def opening(line: bytes) -> Opening:
    """The folder is told by a file of the project's."""
    value = records.record(line)
    return Opening(records.time(value.get("startTime")) or records.time(value.get("timestamp")))


def _sub_agents(folder: str, where: str) -> Iterator[Transcript]:
    for entry in records.entries(folder):
        if entry.name.endswith(SUFFIX):
            yield Transcript(entry.path, records.name(folder.rpartition("/")[2]), False, where)


def _session(path: str) -> str:
    first = records.record(transcript_file.beginning(path, FIRST).partition(b"\n")[0])
    return records.name(first.get("sessionId"))


def _folder(project: str) -> str:
    told = transcript_file.beginning(project + "/.project_root", records.LONGEST_FOLDER)
    return records.folder(told.decode("utf-8", "replace"))


def _tokens(used: Mapping[str, Any]) -> Tokens:
    read = number(used, "cached")
    given = records.fresh(number(used, "input"), read) + number(used, "tool")
    return Tokens(1, given, number(used, "output") + number(used, "thoughts"), read=read)
