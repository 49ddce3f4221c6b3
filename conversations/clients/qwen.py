"""Qwen Code's transcripts: one JSON object a line. A title is there if a person or the client has given one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conversations import plain_line
from conversations.backwards import Backwards, questions, texts
from conversations.glimpse import WORDS
from conversations.records import fields, items, of_line

if TYPE_CHECKING:
    from typing import Any

    from conversations.glimpse import Glimpse
    from conversations.transcript_ends import Ends


def glimpse(ends: Ends) -> Glimpse:
    return _Transcript().read(ends)


def beside(_path: str) -> str:
    return ""


class _Transcript(Backwards):
    def see(self, line: bytes) -> None:
        if b'"type":"tool_result"' in line:
            self.result(line)
        elif b'"type":"assistant"' in line and not self.is_told:
            self._answer(of_line(line))
        elif b'"subtype":"custom_title"' in line:
            self.named(fields(of_line(line).get("systemPayload")).get("customTitle"))
        elif b'"type":"user"' in line:
            self.is_past = True

    def _answer(self, answer: dict[str, Any]) -> None:
        parts = items(fields(answer.get("message")).get("parts"))
        self.said(texts([part for part in parts if part.get("thought") is not True]))
        self.answered_by(answer.get("model"))
        self.given(fields(answer.get("usageMetadata")).get("promptTokenCount"))
        for part in parts:
            call = fields(part.get("functionCall"))
            self.asked(call.get("id"), _asked(call.get("name"), fields(call.get("args"))))


def _asked(name: object, given: dict[str, Any]) -> str:
    if name == "exit_plan_mode":
        return plain_line.headline(given.get("plan"), WORDS)
    return questions(given.get("questions")) if name == "ask_user_question" else ""
