"""Blocks: stretches in which a session needed its person, and how each of them ended. Pure.

Requests that follow each other without a moment of work in between are one block: the light stayed on.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from contract.status import NEEDS_APPROVAL
from statusbar.day.spans import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.day.spans import Span


class Ended(Enum):
    """How a block ended."""

    ANSWERED = "answered"  # the session went on: the person allowed, refused, answered or interrupted
    SESSION_ENDED = "session_ended"  # nobody answered
    UNSEEN = "unseen"  # nobody watched when it began or ended
    OPEN = "open"  # it lasts


class Block(NamedTuple):
    begin: float
    end: float
    how: Ended

    @property
    def seconds(self) -> float:
        return self.end - self.begin


def blocks(spans: Sequence[Span], until: float) -> Iterator[Block]:
    """Of one session, in order. `until`: the end of what is known."""
    at = 0
    while at < len(spans):
        first = at
        while at < len(spans) and spans[at].status == NEEDS_APPROVAL and _touches(spans, first, at):
            at += 1
        if at > first:
            yield Block(spans[first].begin, spans[at - 1].end, _ended(spans, first, at, until))
        else:
            at += 1


def _touches(spans: Sequence[Span], first: int, at: int) -> bool:
    return at == first or spans[at - 1].end == spans[at].begin


def _ended(spans: Sequence[Span], first: int, after: int, until: float) -> Ended:
    begin, end = spans[first].begin, spans[after - 1].end
    before = next((span.status for span in spans[max(first - 1, 0) : first] if span.end == begin), "")
    behind = next((span.status for span in spans[after : after + 1] if span.begin == end), "")
    if behind == UNKNOWN:
        return Ended.UNSEEN
    if end >= until:
        return Ended.OPEN
    if spans[first].is_cut or before == UNKNOWN:
        return Ended.UNSEEN
    return Ended.ANSWERED if behind else Ended.SESSION_ENDED
