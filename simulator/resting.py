"""Whether a resting agent says why: its turn failed, was interrupted, or left something behind that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.truth import FAILED, INTERRUPTED, PLAIN, SHELL, WAITING, WAKES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simulator.truth import Rest

    Words = tuple[float, str, str]  # from when on, the state and the detail

BEGINNINGS = {"error: ": FAILED, "interrupted": INTERRUPTED, "wakes": WAKES}


def wrong_words(
    rests: Sequence[Rest], shown: Sequence[Words], settles: float, end: float
) -> Iterator[tuple[float, str, str]]:
    """When it has said something else for too long, the reason it should have given, and its words."""
    for k, rest in enumerate(rests):
        until = rests[k + 1].at if k + 1 < len(rests) else end
        for j, (begin, state, detail) in enumerate(shown):
            gone = shown[j + 1][0] if j + 1 < len(shown) else end
            since = max(begin, rest.at + settles)
            if rest.why is not None and state == WAITING and since < min(until, gone) and _reason(detail) != rest.why:
                yield since, rest.why, detail


def _reason(detail: str) -> str:
    found = (why for words, why in BEGINNINGS.items() if detail.startswith(words))
    return next(found, SHELL if "shell" in detail or "monitor" in detail else PLAIN)
