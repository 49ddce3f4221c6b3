"""Copilot CLI's events: one JSON object a line, also of sub-agents. What a session is called is in a note beside."""

from __future__ import annotations

import json
from itertools import takewhile
from typing import TYPE_CHECKING

from contract.clean import clean
from conversations import transcript_ends as files
from conversations.backwards import Backwards
from conversations.glimpse import NAME, TITLE, WORDS
from conversations.records import fields, items, of_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from conversations.glimpse import Glimpse
    from conversations.transcript_ends import Ends

EVENTS, NOTE = "/events.jsonl", "/workspace.yaml"
LARGEST_NOTE = 1 << 14
ENDS = (b'"user.message"', b'"abort"')


def glimpse(ends: Ends) -> Glimpse:
    told = _Events().read(ends)
    return told._replace(title=_title(ends.path), branch=_branch(ends.beginning()))


def beside(path: str) -> str:
    return path.removesuffix(EVENTS) + NOTE if path.endswith(EVENTS) else ""


class _Events(Backwards):
    has_titles = False

    def see(self, line: bytes) -> None:
        if b'"tool.execution_complete"' in line:
            self.result(line)
        elif b'"assistant.message"' in line:
            self._message(_data(line, "assistant.message"))
        elif b'"session.usage_record"' in line and self.tokens is None:
            usage = fields(_data(line, "session.usage_record").get("usage"))
            self.given(usage.get("inputTokens"))
            self.limited_to(usage.get("maxPromptTokens"))
        elif any(mark in line for mark in ENDS):
            self.is_past = self.is_past or bool(_data(line, "user.message") or _data(line, "abort"))

    def _message(self, message: dict[str, Any]) -> None:
        self.answered_by(message.get("model"))
        self.said(message.get("content"))
        for call in items(message.get("toolRequests")):
            if call.get("name") == "ask_user":
                self.asked(call.get("toolCallId"), clean(fields(call.get("arguments")).get("message"), WORDS))


def _data(line: bytes, kind: str) -> dict[str, Any]:
    """Of an event of this kind, and of the main agent: one of a sub-agent names that."""
    event = of_line(line)
    return fields(event.get("data")) if event.get("type") == kind and "agentId" not in event else {}


def _title(path: str) -> str:
    """By a person, by a model, or the first words of the first prompt."""
    lines = iter(files.note(beside(path), LARGEST_NOTE).decode("utf-8", "replace").splitlines())
    for line in lines:
        key, _, value = line.partition(": ")
        if key == "name":
            below = takewhile(lambda line: line.startswith(" "), lines)  # where a long text goes on
            return clean(_plain(" ".join([value, *below]).strip()), TITLE)
    return ""


def _plain(value: str) -> str:
    """Without what YAML puts around some texts: quotes, of which double ones are those of JSON, or a sign before it."""
    if value.startswith(("|", ">")):
        return value.partition(" ")[2]
    if len(value) < len("''") or value[0] != value[-1] or value[0] not in "'\"":
        return value
    if value[0] == "'":
        return value[1:-1].replace("''", "'")
    try:
        return str(json.loads(value))
    except ValueError:
        return value[1:-1]


def _branch(head: Iterable[bytes]) -> str:
    for line in head:
        if b'"session.start"' in line:
            return clean(fields(_data(line, "session.start").get("context")).get("branch"), NAME)
    return ""
