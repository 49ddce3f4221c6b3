"""What the registry's report on a process means for its main agent.

A report is about the whole process, and its file may be behind the hooks by some seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from watcher.rules.pace import HOOK_S, LAG_S, READY_S, SETTLE_S, WRITTEN_S
from watcher.rules.signs import CLOSES, OPENS, RESTS, Sign, registry_sign
from watcher.rules.times import NEVER, latest, tick

if TYPE_CHECKING:
    from watcher.rules.agent import Agent
    from watcher.rules.background import Background
    from watcher.rules.evidence import RegistryReport

LOCAL_S = 0.6  # how long a command of the client's own may be told of, on a busy machine
CLEAR_S = 0.3  # how long a client stays busy after a /clear has begun a new session, or a /compact has ended


@dataclass(frozen=True)
class Registry:
    report: RegistryReport
    agent: Agent
    background: Background
    rested_until: float = NEVER  # when a rest of some length ended with this report

    @cached_property
    def sign(self) -> Sign:
        if self._has_not_begun and self.report.status in RESTS:
            return replace(registry_sign(self.report, means_main=False), points="", overruled="its task is on its way")
        return registry_sign(self.report, means_main=self._busy_means_main and not self._is_late)

    @property
    def is_busy_now(self) -> bool:
        """It says at this moment that the main agent works: its turn cannot be over."""
        is_busy = self.report.is_now and self.report.status == "busy"
        return is_busy and self._busy_means_main and not self._is_late and not self._predates_interruption

    @property
    def believed_from(self) -> float | None:
        """When a busy that may be late, or older than an interruption or Ctrl-Z, is believed if it stands then."""
        if not self.report.is_now or self.report.status != "busy":
            return self.report.believed_from
        if self.may_be_local:
            return self.report.seen_at + LOCAL_S
        late = max(self.report.seen_at, self._compacted_at) + LAG_S if self._is_late else None
        if not self._predates_interruption:
            return late
        return None if self.report.may_hang else self.agent.interrupted_at + LAG_S

    @cached_property
    def is_idle_now(self) -> bool:
        return self.report.is_now and self.report.status in RESTS and not self._has_not_begun

    @property
    def _has_not_begun(self) -> bool:
        """It was started with a task, and is still getting ready for it. It says idle meanwhile."""
        return self.agent.is_given_its_task and self.agent.now < self.agent.prompted_at + READY_S

    def must_know_by(self, at: float) -> float | None:
        """When it must know of what happened at this time; None while it shows a dialog."""
        report, now = self.report, self.agent.now
        if report.status == "waiting":
            return None
        return report.at + WRITTEN_S if now < report.at + WRITTEN_S else at + LAG_S

    @property
    def _busy_means_main(self) -> bool:
        """Not where the process may be busy with others than its main agent."""
        return not self.background.may_be_busy

    @property
    def _predates_interruption(self) -> bool:
        """Written before a person interrupted the turn, which is final; a Stop need not be."""
        interrupted = self.agent.interrupted_at
        may_last = self.report.may_hang or self.agent.now < interrupted + LAG_S
        return self.report.at < interrupted and may_last

    @cached_property
    def _is_late(self) -> bool:
        """Whether what it tells of had ended before we read its file: the next one is on its way."""
        if self._is_of_compaction or self.may_be_local:
            return True
        if self.agent.now >= self.report.seen_at + LAG_S:
            return False
        return self._is_of_clear or any(self.report.at < ended < self.report.seen_at for ended in self._ends)

    @property
    def may_be_local(self) -> bool:
        """Whether it may be busy for a moment with a command of its own, such as /rename: nothing tells of a turn."""
        report, agent = self.report, self.agent
        opened = latest(sign.at for sign in agent.signs if sign.points == OPENS)
        has_just_begun = report.status == "busy" and agent.now < report.seen_at + LOCAL_S
        return has_just_begun and report.at <= self.rested_until + SETTLE_S and opened < report.at - HOOK_S

    @property
    def _ends(self) -> list[float]:
        """Of turns and commands. A client may tell that it has started with its first prompt only."""
        ends = [sign.at for sign in self.agent.signs if sign.points == CLOSES and sign.says != "started"]
        command = self.agent.turn.local_at if self.agent.turn else None
        return [*ends, command] if command else ends

    @property
    def _compacted_at(self) -> float:
        """When its hook told of the end of a compaction between two turns, as somebody asked for it; 0 if never."""
        fact, turn = self.agent.fact, self.agent.hook_turn
        rested = tick(turn.rested) if turn else 0.0
        by_hand = None if turn and turn.is_open else rested
        over = tick(fact.compacted) if fact else None
        return over if by_hand is not None and over is not None and over > by_hand else 0.0

    @property
    def _is_of_compaction(self) -> bool:
        """The client is busy until shortly after that, and may write it down only then."""
        over = self._compacted_at
        is_recent = over > 0 and self.agent.now < over + LAG_S
        return is_recent and self.report.status == "busy" and self.report.at < over + CLEAR_S

    @property
    def _is_of_clear(self) -> bool:
        """A client that clears itself is busy until shortly after its new session has begun."""
        fact = self.agent.fact
        began = tick(fact.started) if fact and fact.source == "clear" else None
        if began is None or self.agent.has_turn:
            return False
        return self.report.status == "busy" and self.report.at < began + CLEAR_S
