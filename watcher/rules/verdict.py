"""What the law says of one agent, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contract.facts import Cron
    from watcher.rules.signs import Sign


@dataclass(frozen=True, slots=True)
class Verdict:
    status: str
    detail: str
    since: float  # seconds since boot
    source: str
    rule: str = ""
    quote: str = ""  # the end of the detail, if that is an agent's own text
    until: float | None = None  # when it may cease to hold though nothing happens
    crons: tuple[Cron, ...] = ()  # what will wake it
    signs: tuple[Sign, ...] = ()  # all that was weighed, the newest first
