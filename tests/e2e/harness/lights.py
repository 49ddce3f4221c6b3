"""Whether our watcher shows on the real client what is true in the model, whenever both stand still.

Where nobody can know the truth, what `simulator.unknowable` excuses may be shown, too.
"""

from __future__ import annotations

import time
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, NamedTuple

from e2e.harness.onlooker import told
from e2e.harness.patience import PATIENCE_S
from e2e.harness.truth import OVER as HISTORY
from e2e.harness.watchers import BLINK_S, GRACE_S, LIMIT_S
from simulator.truth import ABSENT, OVER, PROMPTLY, WAITING
from simulator.unknowable import excuses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from e2e.harness.onlooker import Onlooker
    from e2e.harness.truth import Told
    from simulator.program import Program
    from simulator.truth import Key, Truth

MAIN, WHOLE = "main", ""  # in the model, beside the ids of the others
States = frozenset[str]


class Row(NamedTuple):
    """A session: which states may be shown of it, and of each of its agents."""

    whole: States
    main: States
    others: tuple[States, ...] = ()

    def fits(self, session: Told) -> bool:
        agents = [agent for agent in session["agents"] if agent["state"] not in HISTORY]
        main = [agent["status"] for agent in agents if agent["key"] == MAIN]
        others = [agent["status"] for agent in agents if agent["key"] != MAIN]
        return session["status"] in self.whole and len(main) == 1 and main[0] in self.main and self._has(others)

    def _has(self, others: Sequence[str]) -> bool:
        """These agents, in whatever order; those that are over may be shown at rest, or not at all."""
        if not others:
            return all(states & {OVER, ABSENT} for states in self.others)
        first, *rest = others
        left = [(states, self.others[:at] + self.others[at + 1 :]) for at, states in enumerate(self.others)]
        return any(_may_be(first, states) and self._replace(others=other)._has(rest) for states, other in left)


def agree(rows: Sequence[Row], sessions: Sequence[Told]) -> bool:
    """These sessions, in whatever order."""
    if len(rows) != len(sessions):
        return False
    return any(all(row.fits(one) for row, one in zip(rows, order, strict=True)) for order in permutations(sessions))


def _may_be(status: str, states: States) -> bool:
    return status in states or (status == WAITING and OVER in states)


class Lights:
    def __init__(self, program: Program, truth: Truth, onlooker: Onlooker) -> None:
        self._truth, self._onlooker, self._excuses = truth, onlooker, excuses(program, truth)
        self._before = 0.0  # the last moment that was checked, in the model
        self._since = time.time()  # and on the clock

    def check(self, at: float) -> None:
        """At this moment of the model; and since the last one nothing was shown but what was true in between."""
        self._await(at)
        true = self._true_between(self._before - PROMPTLY, at)
        for sample, after in pairwise(self._onlooker.since(self._since)):
            wrong = [told(one) for one in sample.sessions if one["status"] not in true]
            is_seen = self._onlooker.free_time(sample.at, after.at) > BLINK_S
            assert not (wrong and is_seen), self._story(f"{wrong}, and true was only {set(true)}")
        self._before, self._since = at, time.time()

    def _await(self, at: float) -> None:
        rows, began = self._rows(at), time.time()
        while not agree(rows, self._onlooker.shown):
            late = self._onlooker.free_time(began, time.time()) > LIMIT_S + GRACE_S or time.time() > began + PATIENCE_S
            assert not late, self._story(f"not shown: {rows}")
            time.sleep(0.01)

    def _story(self, words: str) -> str:
        return f"{words}\n{self._onlooker.story()}\n{self._onlooker.log()}"

    # --- what is true

    def _rows(self, at: float) -> list[Row]:
        """Without the sessions of teammates, which are rows of their leads."""
        sessions = {label for label, _ in self._truth.changes}
        agents = {agent for _, agent in self._truth.changes}
        there = [label for label in sorted(sessions) if self._at((label, WHOLE), at) not in (ABSENT, OVER)]
        return [self._row(label, at) for label in there if label.split()[-1] not in agents]

    def _row(self, label: str, at: float) -> Row:
        others = [agent for session, agent in self._truth.changes if session == label and agent not in (MAIN, WHOLE)]
        whole, main, *rest = (self._allowed((label, agent), at) for agent in (WHOLE, MAIN, *others))
        return Row(whole, main, tuple(rest))

    def _allowed(self, key: Key, at: float) -> States:
        excused = [one.states for one in self._excuses if one.key == key and one.begin <= at <= one.until]
        return frozenset({self._at(key, at)}.union(*excused))

    def _at(self, key: Key, at: float) -> str:
        return next((change.state for change in reversed(self._truth.changes[key]) if change.at < at), ABSENT)

    def _true_between(self, begin: float, end: float) -> States:
        """Of any session."""
        wholes = {key: changes for key, changes in self._truth.changes.items() if key[1] == WHOLE}
        states = {change.state for changes in wholes.values() for change in changes if begin <= change.at < end}
        excused = [one.states for one in self._excuses if one.begin <= end and one.until >= begin]
        return frozenset(states.union((self._at(key, begin) for key in wholes), *excused))
