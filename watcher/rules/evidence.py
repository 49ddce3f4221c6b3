"""All that is known of one session at one moment, on one clock.

Every time here is in seconds since boot. The hook and the kernel tell times so, and what the client wrote with the
wall clock is translated as it is read. A wall clock that jumps cannot put events in the wrong order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from processes.place import Place
from watcher.clock import SKEW_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Fact
    from processes.helpers import Helper
    from processes.shells import Command
    from watcher.clients.base import Entry, Meta
    from watcher.clock import Clock
    from watcher.rules.past_reports import PastReport
    from watcher.rules.turn import Turn

UNHEARD_S = 0.3  # a transcript that is so far ahead of the hooks belongs to an agent whose hooks are off
SOURCES = frozenset({"hooks", "transcript", "registry", "process"})


@dataclass(frozen=True, slots=True)
class RegistryReport:
    """What the registry tells of a whole process at one time."""

    status: str
    waiting_for: str
    at: float  # since when, by its own stamp
    is_now: bool = True  # its process is known to live, so it tells of the present
    seen_at: float = 0.0  # when we first read it: the file may be behind its stamp
    slept_at: float = math.inf  # until when its process was stopped since, by Ctrl-Z for instance
    believed_from: float | None = None  # when it tells of the present again, if its process goes on since then
    tells_dialogs: bool = True  # else it says busy while somebody is asked
    may_hang: bool = False  # it may go on to say busy when a person has interrupted
    asked: tuple[str, ...] | None = None  # which agents are; None where it does not tell
    asked_at: float = 0.0  # since when these are


@dataclass(frozen=True, slots=True)
class Shown:
    """A request that the client shows in the lead of a team, for another of its sessions."""

    member: str
    tool: str
    at: float


@dataclass(frozen=True, slots=True)
class Mates:
    """The teammates that have panes, and so sessions, of their own; those too whose process has yet to begin."""

    all: int = 0
    busy: int = 0
    idle_at: float | None = None  # when one of them last went idle
    is_asking: bool = False  # the lead shows an open request of one of them
    heard_at: float = 0.0  # since then each of those at work has told of something, or the last one has gone idle


@dataclass(frozen=True, slots=True)
class Evidence:
    now: float
    facts: Mapping[str, Fact] = field(default_factory=dict)  # by agent
    turns: Mapping[str, Turn] = field(default_factory=dict)  # transcripts by agent
    metas: Mapping[str, Meta] = field(default_factory=dict)  # the client's notes on sub-agents
    parents: Mapping[str, str] = field(default_factory=dict)  # of sub-agents: who started them
    began: float = 0.0  # when the client's process did; 0 if unknown
    report: RegistryReport | None = None
    held: Mapping[str, float] = field(default_factory=dict)  # asked as an earlier watcher knew, and since when we watch
    history: tuple[PastReport, ...] = ()  # what the registry told of it, or of its lead, before that
    commands: tuple[Command, ...] = ()  # of the Bash tool, running now or since somebody asked
    asks_first: bool = False  # an agent runs nothing before all that it asked for is answered
    helpers: tuple[Helper, ...] | None = None  # other children of the client, hooks for instance
    stopped_at: float | None = None  # since when the process is stopped, by Ctrl-Z for instance
    place: Place = Place.HERE
    shown: tuple[Shown, ...] = ()  # requests of this teammate that its lead shows
    closed: Mapping[str, float] = field(default_factory=dict)  # by agent: when its team was told that it is idle
    has_lead: bool = False  # it is a teammate in a pane of its own, which is started with a task
    lead_report: RegistryReport | None = None  # on the lead's process; teammates in panes have none of their own
    mates: Mates = Mates()
    mates_inside: frozenset[str] = frozenset()  # the agents of this process that are teammates
    headless: bool = False  # started so that it can ask nobody


def is_heard(fact: Fact | None, turn: Turn | None) -> bool:
    """Whether an agent's hooks tell of what it does now. They may have been switched off after the start."""
    if fact is None or fact.last is None or fact.last.at is None:
        return False
    prompted = turn.prompted_at if turn else None
    return prompted is None or prompted <= fact.last.at.boot + UNHEARD_S


def registry_report(entry: Entry, clock: Clock, now: float, *, is_now: bool = True) -> RegistryReport | None:
    """None for a client that does not tell its status.

    A stamp in the future was written before somebody set the clock back: its time is unknown, and so 0.
    """
    if not entry.status or entry.status_at is None:
        return None
    at = clock.since_boot(entry.status_at, now)
    at = min(at, now) if at < now + SKEW_S else 0.0
    waits_for = entry.waiting_for or ""
    report = RegistryReport(entry.status, waits_for, at, is_now, seen_at=now)
    report = replace(report, tells_dialogs=entry.tells_dialogs, may_hang=entry.may_hang)
    return asked_anew(report, entry, clock, now)


def asked_anew(report: RegistryReport, entry: Entry, clock: Clock, now: float) -> RegistryReport:
    """The same with those who are asked now."""
    at = min(clock.since_boot(entry.asked_at, now), now) if entry.asked else 0.0
    return replace(report, asked=entry.asked, asked_at=at)
