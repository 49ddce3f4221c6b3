"""What the lines of a transcript tell, from the last to the first: of each kind, the first that comes counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract.clean import clean
from conversations import plain_line
from conversations.glimpse import NAME, TITLE, WORDS, Glimpse
from conversations.records import items, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conversations.transcript_ends import Ends

TITLES_WITHIN = 64 * 1024  # a client that repeats a title does so this near to the end


class Backwards:
    """The class of each client says in `see` what a line means."""

    has_titles = True  # whether titles stand among the lines

    def __init__(self) -> None:
        self.title = self.words = self.question = self.model = self.branch = ""
        self.tokens: int | None = None
        self.limit: int | None = None
        self.is_past = False  # whether a question that comes now is of an earlier turn
        self.is_named = not self.has_titles  # whether no line further back can have a better title
        self._results: list[bytes] = []

    def see(self, line: bytes) -> None:
        raise NotImplementedError

    def read(self, ends: Ends) -> Glimpse:
        for line in ends.backwards():
            self.see(line)
            if self.is_told and (self.is_named or ends.read > TITLES_WITHIN):
                break
        return Glimpse(self.title, self.words, self.question, self.model, self.tokens, self.limit, self.branch)

    @property
    def is_told(self) -> bool:
        return bool(self.words and self.model and self.is_past and self.tokens is not None)

    # What a line may tell

    def named(self, title: object) -> None:
        self.title = self.title or clean(title, TITLE)
        self.is_named = bool(self.title)

    def said(self, text: object) -> None:
        self.words = self.words or plain_line.first_sentence(text, WORDS)

    def answered_by(self, model: object) -> None:
        self.model = self.model or clean(model, NAME)

    def given(self, count: object) -> None:
        self.tokens = tokens(count) if self.tokens is None else self.tokens

    def limited_to(self, count: object) -> None:
        self.limit = self.limit or tokens(count) or None

    def result(self, line: bytes) -> None:
        """Results may be huge: they are not parsed, only kept until it is known which call might be theirs."""
        if not self.is_past:
            self._results.append(line)

    def asked(self, call: object, text: str) -> None:
        """Open only if no result of the call has come after it."""
        if not text or self.question or self.is_past:
            return
        id_ = json.dumps(call).encode()
        if not any(id_ in line for line in self._results):
            self.question = text


def questions(raw: object) -> str:
    """The first of a list, and how many there are beside it."""
    first, *others = items(raw) or [{}]
    text = clean(first.get("question"), WORDS) or clean(first.get("header"), WORDS)
    return f"{text} (and {len(others)} more)" if text and others else text


def texts(parts: object, key: str = "text") -> str:
    """The texts of a message's parts, one below the other."""
    return "\n".join(_texts(items(parts), key))


def _texts(parts: Iterable[dict[str, object]], key: str) -> Iterator[str]:
    for part in parts:
        text = part.get(key)
        if isinstance(text, str):
            yield text
