"""Copilot CLI's events: one JSON object a line, also of sub-agents. What a session is called is in a note beside."""

from __future__ import annotations

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
    for line in files.note(beside(path), LARGEST_NOTE).decode("utf-8", "replace").splitlines():
        key, _, value = line.partition(": ")
        if key == "name":
            return clean(_plain(value.strip()), TITLE)
    return ""


def _plain(value: str) -> str:
    """Without the quotes that YAML puts around some texts."""
    quote = value[:1]
    is_quoted = quote in ("'", '"') and len(value) > 1 and value.endswith(quote)
    return value[1:-1].replace("''" if quote == "'" else '\\"', quote) if is_quoted else value


def _branch(head: Iterable[bytes]) -> str:
    for line in head:
        if b'"session.start"' in line:
            return clean(fields(_data(line, "session.start").get("context")).get("branch"), NAME)
    return ""
