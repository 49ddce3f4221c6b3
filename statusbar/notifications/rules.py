"""What is worth interrupting a person for, and what has been said already: pure."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model import agents, projects
from statusbar.model.rows import DETAIL_LENGTH, agent_name, session_name
from statusbar.text.ages import moment
from statusbar.text.width import tidy, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from contract.status import SessionStatus
    from statusbar.settings.settings import Settings

SAME_S = 0.5  # the watcher may tell the same moment a little differently
PAUSE_S = 3.0
# The client's registry says "permission" before its hook says for what; and what is answered at once is no news.
SETTLE_S = 0.7
MANY = 3
REMEMBERED = 2000
# It wakes by itself, or the person was there a moment ago, or it is a guess.
NO_NEWS = ("wakes-by-itself", "turn-interrupted", "nothing-asked", "silent")


class Notice(NamedTuple):
    session_id: str  # '' if it stands for several
    state: str
    since: float
    title: str
    body: str
    agent: str = ""
    parts: tuple[Notice, ...] = ()  # those it stands for

    @property
    def key(self) -> tuple[str, str]:
        return self.session_id, self.agent


@dataclass(frozen=True)
class Memory:
    busy: Mapping[str, float] = field(default_factory=dict)  # since when each session has been at it
    states: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[tuple[str, str], float] = field(default_factory=dict)  # of an agent, the last thing's time
    asking: Mapping[tuple[str, str], Notice] = field(default_factory=dict)  # what each agent needs approval for
    begun: bool = False

    def knows(self, one: Notice) -> bool:
        return abs(self.told.get(one.key, math.inf) - one.since) < SAME_S

    def is_open(self, one: Notice) -> bool:
        """Whether it is still so; of one that stands for several, whether any of them is."""
        if one.parts:
            return any(map(self.is_open, one.parts))
        if one.state != NEEDS_APPROVAL:
            return self.states.get(one.session_id) == one.state
        now = self.asking.get(one.key)
        return now is not None and abs(now.since - one.since) < SAME_S


def due(
    memory: Memory,
    sessions: Sequence[SessionStatus],
    settings: Settings,
    now: float,
    is_seen: Callable[[SessionStatus], bool],
) -> tuple[Memory, list[Notice]]:
    """What became so since the last look. What was so before the first look is nobody's news.

    What is not said now, because somebody looks at it or sleeps, is not said later either.
    """
    heads = [one for one in agents.heads(sessions) if not one.hidden]
    things = [(one, said) for one in heads for said in _things(one, memory, settings)]
    news = [(one, said) for one, said in things if not memory.knows(said)]
    asking = {said.key: said for _, said in things if said.state == NEEDS_APPROVAL}
    after = replace(_remember(memory, heads, [said for _, said in news]), asking=asking)
    if not memory.begun or not settings.enabled or is_quiet(settings, now):
        return after, []
    return after, [said for one, said in news if not is_muted(one.cwd, settings.mute) and not is_seen(one)]


def is_quiet(settings: Settings, now: float) -> bool:
    """Quiet hours may go over midnight."""
    if not settings.quiet_from or not settings.quiet_to:
        return False
    here = time.localtime(now)
    minute, begins, ends = here.tm_hour * 60 + here.tm_min, _minute(settings.quiet_from), _minute(settings.quiet_to)
    return begins <= minute < ends if begins <= ends else minute >= begins or minute < ends


def is_muted(cwd: str, folders: Iterable[str]) -> bool:
    inside = os.path.normpath(cwd) + "/"
    return any(inside.startswith(os.path.normpath(os.path.expanduser(one)).rstrip("/") + "/") for one in folders)


def collapsed(notices: Sequence[Notice]) -> list[Notice]:
    """Each by itself, or one for all if they are many."""
    if len(notices) <= MANY:
        return list(notices)
    blocked = sum(one.state == NEEDS_APPROVAL for one in notices)
    waits = len(notices) - blocked
    words = [f"{blocked} need approval"] * bool(blocked) + [f"{waits} wait for you"] * bool(waits)
    names = ", ".join(dict.fromkeys(one.title for one in notices))
    state = NEEDS_APPROVAL if blocked else WAITING
    title = f"Your agents: {', '.join(words)}"
    return [Notice("", state, notices[-1].since, title, tidy(names, DETAIL_LENGTH), parts=tuple(notices))]


class Held(NamedTuple):
    notice: Notice
    came: float

    def ripe_at(self) -> float:
        return self.came + (SETTLE_S if self.notice.state == NEEDS_APPROVAL else 0.0)

    def is_ripe(self, now: float) -> bool:
        """Also after the clock was set back."""
        return now >= self.ripe_at() or now < self.came


@dataclass(frozen=True)
class Outbox:
    """The first one goes once it has settled; those that follow closely wait for each other."""

    held: tuple[Held, ...] = ()
    last: float = -math.inf

    def post(self, news: Iterable[Notice], memory: Memory, now: float) -> tuple[Outbox, list[Notice]]:
        """What is to be said now, in the words of now. What is no longer so was not worth saying."""
        held = tuple(_still_so((*self.held, *(Held(one, now) for one in news)), memory))
        ripe = [one.notice for one in held if one.is_ripe(now)]
        if not ripe or 0 <= now - self.last < PAUSE_S:
            return Outbox(held, self.last), []
        return Outbox(tuple(one for one in held if not one.is_ripe(now)), now), collapsed(ripe)

    def rest(self, now: float) -> float:
        """How long nothing will be said unless something new comes."""
        if not self.held:
            return math.inf
        return max(min(one.ripe_at() for one in self.held), self.last + PAUSE_S) - now


def _still_so(held: Iterable[Held], memory: Memory) -> Iterator[Held]:
    """Each once, since it came first, and as it is told now: a hook may say more than was known then."""
    came: dict[tuple[str, str], float] = {}
    latest: dict[tuple[str, str], Notice] = {}
    for one in held:
        came.setdefault(one.notice.key, one.came)
        latest[one.notice.key] = one.notice
    for key, notice in latest.items():
        found = memory.asking.get(key) if notice.state == NEEDS_APPROVAL else notice
        if found and memory.is_open(found):
            yield Held(found, came[key])


def _things(one: SessionStatus, memory: Memory, settings: Settings) -> Iterator[Notice]:
    name, project = session_name(one), projects.project(one.cwd)
    if one.status == WAITING:
        if _was_long_at_it(one, memory, settings.after_s) and not _is_no_news(one):
            body = told(one, DETAIL_LENGTH) or project
            yield Notice(one.session_id, WAITING, moment(one.since), f"{name} waits for you", body)
        return
    asking = [agent for agent in one.agents if agent.status == NEEDS_APPROVAL]
    for agent in asking:
        who = "" if agent.kind == "agent" else f"{agent_name(agent)}: "
        body = tidy(f"{who}{told(agent, DETAIL_LENGTH)}", DETAIL_LENGTH) or project
        title = f"{name} needs approval"
        yield Notice(one.session_id, NEEDS_APPROVAL, moment(agent.since), title, body, agent.key)
    if not asking and one.status == NEEDS_APPROVAL:
        body = told(one, DETAIL_LENGTH) or project
        yield Notice(one.session_id, NEEDS_APPROVAL, moment(one.since), f"{name} needs approval", body)


def _was_long_at_it(one: SessionStatus, memory: Memory, after_s: float) -> bool:
    """A person who has just said no to a request knows that it waits."""
    began = memory.busy.get(one.session_id)
    was_blocked = memory.states.get(one.session_id) == NEEDS_APPROVAL
    return began is not None and not was_blocked and moment(one.since) - began > after_s


def _is_no_news(one: SessionStatus) -> bool:
    return one.rule in NO_NEWS


def _remember(memory: Memory, heads: Sequence[SessionStatus], news: Iterable[Notice]) -> Memory:
    busy = {
        one.session_id: memory.busy.get(one.session_id, moment(one.since)) for one in heads if one.status != WAITING
    }
    told = {**memory.told, **{one.key: one.since for one in news}}
    kept = dict(list(told.items())[-REMEMBERED:])
    return Memory(busy, {one.session_id: one.status for one in heads}, kept, begun=True)


def _minute(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute)
