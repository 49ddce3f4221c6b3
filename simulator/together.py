"""Plays that go on at the same time, and waiting until all of them are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.outlet import EscapeError

if TYPE_CHECKING:
    from simulator.stage import Play, Signal


def all_of(signals: list[Signal]) -> Play:
    for signal in signals:  # noqa: UP028 - an actor sends words back, which a list cannot take
        yield signal


def then(play: Play, done: Signal) -> Play:
    """The play, and the signal at its end; none if it was interrupted."""
    try:
        yield from play
    except EscapeError:
        return
    done.give("done")
