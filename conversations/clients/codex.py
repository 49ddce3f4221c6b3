"""Codex's rollouts: one JSON object a line. What a thread is called is in a list of all threads beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract.clean import clean
from conversations import transcript_ends as files
from conversations.backwards import Backwards, questions, texts
from conversations.glimpse import NAME, TITLE
from conversations.records import fields, of_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from conversations.glimpse import Glimpse
    from conversations.transcript_ends import Ends

INDEX = "session_index.jsonl"
ID = len("01a1e3c7-5b3d-7810-898f-dd0b3061d293")
SUFFIX = ".jsonl"
ENDS = ("task_started", "task_complete", "turn_aborted")  # of a turn, or of the one before
END_MARKS = tuple(f'"{kind}"'.encode() for kind in ENDS)


def glimpse(ends: Ends) -> Glimpse:
    told = _Rollout().read(ends)
    return told._replace(title=_title(ends.path), branch=_branch(ends.beginning()))


def beside(path: str) -> str:
    """The list in which the client keeps the names of its threads."""
    folder, found, _ = path.rpartition("/sessions/")
    return f"{folder}/{INDEX}" if found else ""


class _Rollout(Backwards):
    has_titles = False

    def see(self, line: bytes) -> None:
        if b'"function_call_output"' in line:
            self.result(line)
        elif b'"response_item"' in line:
            self._item(fields(of_line(line).get("payload")))
        elif b'"turn_context"' in line and not self.model:
            self.answered_by(fields(of_line(line).get("payload")).get("model"))
        elif b'"token_count"' in line or b'"token_usage_record"' in line:
            self._counted(of_line(line))
        elif any(mark in line for mark in END_MARKS):
            self._turn(line)

    def _item(self, item: dict[str, Any]) -> None:
        if item.get("type") == "message" and item.get("role") == "assistant":
            self.said(texts(item.get("content")))
        elif item.get("name") == "request_user_input":
            self.asked(item.get("call_id"), _asked(item.get("arguments")))

    def _counted(self, record: dict[str, Any]) -> None:
        payload = fields(record.get("payload"))
        if record.get("type") == "token_usage_record":
            self.given(fields(payload.get("usage")).get("input_tokens"))
        elif payload.get("type") == "token_count":
            info = fields(payload.get("info"))
            self.given(fields(info.get("last_token_usage")).get("input_tokens"))
            self.limited_to(info.get("model_context_window"))

    def _turn(self, line: bytes) -> None:
        payload = fields(of_line(line).get("payload"))
        if payload.get("type") in ENDS:
            self.is_past = True
            self.limited_to(payload.get("model_context_window"))


def _asked(arguments: object) -> str:
    """They are JSON in a text."""
    given = of_line(arguments.encode("utf-8", "replace")) if isinstance(arguments, str) else {}
    return questions(given.get("questions"))


def _title(path: str) -> str:
    """The newest in the list: the client appends a line whenever a name changes."""
    index, thread = beside(path), json.dumps(path.removesuffix(SUFFIX)[-ID:]).encode()
    if not index:
        return ""
    try:
        with files.opened(index) as listed:
            return next((title for line in listed.backwards() if thread in line and (title := _name(line))), "")
    except (OSError, ValueError):
        return ""


def _name(line: bytes) -> str:
    return clean(of_line(line).get("thread_name"), TITLE)


def _branch(head: Iterable[bytes]) -> str:
    for line in head:
        if b'"session_meta"' in line:
            return clean(fields(fields(of_line(line).get("payload")).get("git")).get("branch"), NAME)
    return ""
