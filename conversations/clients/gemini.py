"""Gemini CLI's transcripts: a record of an answer is written again when its calls have results, with the same id.

A question stands in it only when it has been answered. A title is made when the client is started again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conversations.backwards import Backwards
from conversations.records import fields, of_line

if TYPE_CHECKING:
    from conversations.glimpse import Glimpse
    from conversations.transcript_ends import Ends

LIMIT = 1_048_576  # of every model that the client 0.61.0 knows, Gemma aside
MODELS = "gemini-"


def glimpse(ends: Ends) -> Glimpse:
    told = _Transcript().read(ends)
    return told._replace(context_limit=LIMIT if told.model.startswith(MODELS) else None)


def beside(_path: str) -> str:
    return ""


class _Transcript(Backwards):
    def see(self, line: bytes) -> None:
        self.is_past = True  # no question is open here
        if line.startswith(b'{"$set"'):
            if b'"summary"' in line:
                self.named(fields(of_line(line).get("$set")).get("summary"))
        elif b'"gemini"' in line and not self.is_told:
            self._answer(line)

    def _answer(self, line: bytes) -> None:
        answer = of_line(line)
        if answer.get("type") == "gemini":
            self.said(answer.get("content"))
            self.answered_by(answer.get("model"))
            self.given(fields(answer.get("tokens")).get("input"))
