"""The last judgement on a session: its status, the evidence, and for how long it holds while nothing is new."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from watcher.rules.evidence import Evidence
from watcher.sessions.same_objects import same_objects

if TYPE_CHECKING:
    from contract.status import SessionStatus
    from watcher.clients.base import Entry
    from watcher.rules.wording import Belonging

# Time alone settles some questions within seconds of the last news, or says itself when; the rest after minutes.
WARM_S = 8.0
COLD_S = 15.0
BY_IDENTITY = ("facts", "turns", "metas")  # their values are replaced, never changed
BY_VALUE = attrgetter(*(field.name for field in fields(Evidence) if field.name not in (*BY_IDENTITY, "now")))


class Context(NamedTuple):
    """What a status depends on apart from the evidence."""

    entry: Entry | None
    offset: float  # of the clocks
    belonging: Belonging


class Judgement(NamedTuple):
    status: SessionStatus
    evidence: Evidence
    context: Context
    news_at: float
    due: float | None  # when to judge again though nothing happens

    def holds(self, evidence: Evidence, context: Context) -> bool:
        is_young = evidence.now - self.evidence.now < COLD_S
        return is_young and self.is_cold(evidence.now) and not self.is_outdated(evidence, context)

    def is_cold(self, now: float) -> bool:
        """Whether what time alone settles within seconds is settled."""
        return now - self.news_at > WARM_S and not (self.due is not None and now >= self.due)

    def is_outdated(self, evidence: Evidence, context: Context) -> bool:
        """Whether any evidence except `now` changed."""
        old = self.evidence
        if context != self.context or BY_VALUE(evidence) != BY_VALUE(old):
            return True
        return not all(same_objects(getattr(evidence, name), getattr(old, name)) for name in BY_IDENTITY)
