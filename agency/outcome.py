"""How a verb ended: a word for scripts, an exit code, and a sentence for people."""

from __future__ import annotations

from typing import NamedTuple

ALREADY_GONE = "already gone"
DONE, COULD_NOT, NO_SUCH_TARGET, REFUSED = 0, 1, 2, 3
WRONG_USAGE = 2


class Outcome(NamedTuple):
    word: str
    code: int
    reason: str = ""


class NotDone(Exception):  # noqa: N818 - an expected outcome
    """The verb ends here, and nothing was done."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


class Busy(NotDone):
    """Refused for now: there may be room when another agent has ended, or a minute later."""


def refused(reason: str) -> NotDone:
    return NotDone(Outcome("refused", REFUSED, reason))


def busy(reason: str) -> Busy:
    return Busy(Outcome("refused", REFUSED, reason))


def wrong_usage(reason: str) -> NotDone:
    return NotDone(Outcome("wrong usage", WRONG_USAGE, reason))


def already_gone(reason: str = "") -> NotDone:
    return NotDone(Outcome(ALREADY_GONE, DONE, reason))


def no_such_target(reason: str) -> NotDone:
    return NotDone(Outcome("no such target", NO_SUCH_TARGET, reason))


def ambiguous(reason: str) -> NotDone:
    return NotDone(Outcome("ambiguous", REFUSED, reason))


def could_not(reason: str) -> NotDone:
    return NotDone(Outcome("could not", COULD_NOT, reason))
