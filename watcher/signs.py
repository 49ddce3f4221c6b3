"""One observation, with its time and the state it speaks for."""

from __future__ import annotations

from dataclasses import dataclass

from contract.status import NEEDS_APPROVAL, WAITING, WORKING

OPENS, CLOSES, ASKS = WORKING, WAITING, NEEDS_APPROVAL


@dataclass(frozen=True, slots=True)
class Sign:
    at: float  # seconds since boot
    source: str  # hook, transcript, registry, process
    says: str
    points: str = ""  # the state it speaks for; '' if for none
    overruled: str = ""  # by what, where that is known already
