"""A session as it was last judged, and for how long that holds while nothing is new."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from watcher.rules.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.status import SessionStatus

# Time alone settles some questions within seconds of the last news, or says itself when; the rest after minutes.
WARM_S = 8.0
COLD_S = 15.0
LONG = ("facts", "turns", "metas")  # compared by what they are, not by what is in them
SHORT = tuple(field.name for field in fields(Evidence) if field.name not in (*LONG, "now"))


class Judged(NamedTuple):
    status: SessionStatus
    evidence: Evidence
    beside: object  # what its words depend on apart from the evidence
    news_at: float
    due: float | None  # when to judge again though nothing happens

    def holds(self, evidence: Evidence, beside: object) -> bool:
        is_young = evidence.now - self.evidence.now < COLD_S
        return is_young and self.is_cold(evidence.now) and not self.is_outdated(evidence, beside)

    def is_cold(self, now: float) -> bool:
        """Whether what time alone settles within seconds is settled."""
        return now - self.news_at > WARM_S and not (self.due is not None and now >= self.due)

    def is_outdated(self, evidence: Evidence, beside: object) -> bool:
        """Whether anything but the time is another."""
        old = self.evidence
        if beside != self.beside or any(getattr(evidence, name) != getattr(old, name) for name in SHORT):
            return True
        return not all(_same(getattr(evidence, name), getattr(old, name)) for name in LONG)


def _same(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    return one.keys() == other.keys() and all(one[key] is other[key] for key in one)
