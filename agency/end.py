"""Ends a client, and the processes below it: TERM, a grace, then KILL, each by pid and start."""

from __future__ import annotations

import signal
import time
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from processes.ending import Hold, Sent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agency.family import Family
    from processes.lineage import Node

GRACE_S = 5.0
ROUNDS = 16  # a family that grows faster than it can be stopped is left, and told of
AGAIN = 2  # so often the last signal is sent once more
AT_ONCE = 128  # each takes a descriptor


class Plan(NamedTuple):
    """Which signals, one after the other, and how long each has time to work."""

    signals: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGKILL)
    grace_s: float = GRACE_S

    @property
    def is_final(self) -> bool:
        return signal.SIGKILL in self.signals


class Ended(NamedTuple):
    is_gone: bool
    by: str = ""  # the signal that ended it; '' if it was gone already
    why: str = ""  # it is not gone


def end(pid: int, start: str, plan: Plan, note_family: Callable[[], object] = lambda: None) -> Ended:
    """`note_family` is called while it is stopped, right before SIGKILL: it may have started more since SIGTERM."""
    with Hold(pid, start) as hold:
        for number in plan.signals:
            if number is signal.SIGKILL and hold.send(signal.SIGSTOP).sent is Sent.SENT:
                note_family()
            answer = hold.send(number)
            if answer.sent is Sent.GONE:
                return Ended(is_gone=True)
            if answer.sent is not Sent.SENT:
                return Ended(is_gone=False, why=answer.why)
            if plan.is_final:
                hold.send(signal.SIGCONT)  # who was stopped with Ctrl-Z takes the signal as it goes on
            if hold.wait(plan.grace_s):
                return Ended(is_gone=True, by=number.name)
    return Ended(is_gone=False, why=f"it still runs {plan.grace_s:g} s after {plan.signals[-1].name}")


def end_family(family: Family, plan: Plan) -> tuple[Node, ...]:
    """Leaves first; who is left at last.

    Before each signal all of them are stopped: then nobody starts anything new that could be missed, and a shell whose
    command is ended does not begin the next one.
    """
    if not plan.is_final:
        _end_levels(family.look(), plan.signals[-1], plan)
        return family.look()
    try:
        for number in (*plan.signals, *plan.signals[-1:] * AGAIN):
            there = _stopped(family)
            if not there:
                return ()
            _end_levels(there, number, plan)
    finally:
        left = family.look()
        _tell(left, signal.SIGCONT)  # we may have been interrupted
    return left


def _stopped(family: Family) -> tuple[Node, ...]:
    """All of them, stopped, parents first."""
    stopped: dict[tuple[int, str], Node] = {}
    for _ in range(ROUNDS):
        there = family.look()
        new = [node for node in there if (node.pid, node.start) not in stopped]
        if not new:
            return there
        _tell(new, signal.SIGSTOP)
        stopped |= {(node.pid, node.start): node for node in new}
    return family.look()


def _tell(nodes: Iterable[Node], number: signal.Signals) -> None:
    for node in nodes:
        with Hold(node.pid, node.start) as hold:
            hold.send(number)


def _end_levels(nodes: Sequence[Node], number: signal.Signals, plan: Plan) -> None:
    for _depth, level in groupby(sorted(nodes, key=lambda node: -node.depth), key=lambda node: node.depth):
        members = tuple(level)
        for first in range(0, len(members), AT_ONCE):
            _end_some(members[first : first + AT_ONCE], number, plan)


def _end_some(nodes: Sequence[Node], number: signal.Signals, plan: Plan) -> None:
    """They share the grace."""
    with ExitStack() as stack:
        holds = [stack.enter_context(Hold(node.pid, node.start)) for node in nodes]
        reached = [hold for hold in holds if hold.send(number).sent is Sent.SENT]
        if plan.is_final and number is not signal.SIGKILL:
            for hold in reached:
                hold.send(signal.SIGCONT)  # who is stopped takes a signal only as it goes on
        last = time.monotonic() + plan.grace_s
        for hold in reached:
            hold.wait(max(0.0, last - time.monotonic()))
