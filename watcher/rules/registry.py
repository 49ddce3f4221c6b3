"""What the registry's word on a process means for its main agent.

The registry speaks for the whole process, and its file may be behind the hooks by some seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from watcher.rules.pace import LAG_S, WRITTEN_S
from watcher.rules.signs import CLOSES, RESTS, Sign, registry_sign
from watcher.rules.times import tick

if TYPE_CHECKING:
    from watcher.rules.agent import Agent
    from watcher.rules.background import Background
    from watcher.rules.evidence import Said

CLEAR_S = 0.3  # how long a client stays busy after a /clear has begun a new session


@dataclass(frozen=True)
class Registry:
    said: Said
    agent: Agent
    background: Background

    @property
    def sign(self) -> Sign:
        return registry_sign(self.said, means_main=self._busy_means_main and not self._is_late)

    @property
    def is_busy_now(self) -> bool:
        """It says at this moment that the main agent works: its turn cannot be over."""
        is_busy = self.said.is_now and self.said.status == "busy"
        return is_busy and self._busy_means_main and not self._is_late and not self._predates_interruption

    @property
    def is_idle_now(self) -> bool:
        return self.said.is_now and self.said.status in RESTS

    def must_know_by(self, at: float) -> float | None:
        """When it must know of what happened at this time; None while it shows a dialog."""
        said, now = self.said, self.agent.now
        if said.status == "waiting":
            return None
        return said.at + WRITTEN_S if now < said.at + WRITTEN_S else at + LAG_S

    @property
    def _busy_means_main(self) -> bool:
        """Not where the process may be busy with others than its main agent."""
        return not self.background.may_be_busy

    @property
    def _predates_interruption(self) -> bool:
        """Said before a person interrupted the turn, which is final; a Stop need not be."""
        interrupted = self.agent.interrupted_at
        return self.said.at < interrupted and self.agent.now < interrupted + LAG_S

    @property
    def _is_late(self) -> bool:
        """Whether what it tells of had ended before we read its file: the next word is on its way."""
        if self.agent.now >= self.said.seen_at + LAG_S:
            return False
        return self._is_of_clear or any(self.said.at < ended < self.said.seen_at for ended in self._ends)

    @property
    def _ends(self) -> list[float]:
        ends = [sign.at for sign in self.agent.signs if sign.points == CLOSES]
        command = self.agent.turn.local_at if self.agent.turn else None
        return [*ends, command] if command else ends

    @property
    def _is_of_clear(self) -> bool:
        """A client that clears itself is busy until shortly after its new session has begun."""
        fact = self.agent.fact
        began = tick(fact.started) if fact and fact.source == "clear" else None
        if began is None or self.agent.has_turn:
            return False
        return self.said.status == "busy" and self.said.at < began + CLEAR_S
