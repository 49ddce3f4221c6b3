"""The wire formats of model APIs: one file each, with the same names inside, and this table.

`is_at(path)` says whether a request is for it, `is_streamed(path, body)` whether it wants events. `conversation(body)`
gives the messages as `e2e.harness.script` reads them. `message(step, model)` and `stream(step, model)` are the answer,
`error(kind, words)` is one that says no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from e2e.harness.dialects import anthropic, chat, gemini, responses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.dialects.event import Event
    from e2e.harness.script import Message, Step


class Dialect(Protocol):
    def is_at(self, path: str, /) -> bool: ...
    def is_streamed(self, path: str, body: dict[str, Any], /) -> bool: ...
    def conversation(self, body: dict[str, Any], /) -> list[Message]: ...
    def message(self, step: Step, model: str, /) -> dict[str, Any]: ...
    def stream(self, step: Step, model: str, /) -> Iterator[Event]: ...
    def error(self, kind: str, words: str = "scripted", /) -> dict[str, Any]: ...


DIALECTS: tuple[Dialect, ...] = (anthropic, chat, responses, gemini)


def spoken_at(path: str) -> Dialect | None:
    return next((dialect for dialect in DIALECTS if dialect.is_at(path)), None)
