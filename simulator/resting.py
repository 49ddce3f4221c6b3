"""Whether a resting agent says why: its turn failed, was interrupted, or left something behind that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from simulator.truth import FAILED, GUESS, GUESSED, INTERRUPTED, PLAIN, SHELL, WAITING, WAKES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simulator.truth import Rest

BEGINNINGS = {"error: ": FAILED, "interrupted": INTERRUPTED, "wakes": WAKES, "probably waiting": GUESS}
EARLY_S = 1.0  # so much sooner the end of a turn may be told


class Words(NamedTuple):
    """What an agent shows from this second on."""

    at: float
    state: str
    detail: str
    since: float  # by its own words; 0 if the clock was set meanwhile


class Fault(NamedTuple):
    at: float
    kind: str
    expected: str
    words: Words


def faults(rests: Sequence[Rest], shown: Sequence[Words], settles: float, end: float) -> Iterator[Fault]:
    """What it has said wrongly for too long."""
    for rest, until in _until(rests, end):
        for words, gone in _until(shown, end):
            at = max(words.at, rest.at + (GUESSED if rest.why == GUESS else settles))
            if rest.why is None or words.state != WAITING or at >= min(until, gone):
                continue
            if _reason(words.detail) != rest.why and not _needs_no_guess(words, rest, settles):
                yield Fault(at, "wrong reason to rest", rest.why, words)
            elif _is_older(words, rest):
                yield Fault(at, "rests for longer than it does", f"{rest.since:.1f}", words)


def _needs_no_guess(words: Words, rest: Rest, settles: float) -> bool:
    """It has rested all along, as nobody had heard yet that it worked; the end before that may be told late."""
    return rest.why == GUESS and words.at < rest.at + settles


def _is_older(words: Words, rest: Rest) -> bool:
    """Than the end of its turn; a guess is as old as the turn that it is about."""
    is_known = bool(words.since and rest.since) and rest.why != GUESS
    return is_known and words.since < rest.since - EARLY_S


T = TypeVar("T", "Rest", Words)


def _until(changes: Sequence[T], end: float) -> Iterator[tuple[T, float]]:
    return zip(changes, [*(change.at for change in changes[1:]), end][: len(changes)], strict=True)


def _reason(detail: str) -> str:
    reasons = (why for words, why in BEGINNINGS.items() if detail.startswith(words))
    return next(reasons, SHELL if "shell" in detail or "monitor" in detail else PLAIN)
