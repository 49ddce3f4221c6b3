"""What the person is notified of, and what they have been notified of already: pure."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model import agents, projects
from statusbar.model.names import agent_name, session_name
from statusbar.model.rows import DETAIL_LENGTH
from statusbar.text import wording
from statusbar.text.ages import HOUR, MINUTE, moment
from statusbar.text.symbols import counted, seen
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from contract.status import AgentStatus, SessionStatus
    from statusbar.settings.settings import Settings

SAME_S = 0.5  # the watcher's time of one moment may vary by this much
PAUSE_S = 3.0
# The client's registry says "permission" before its hook says for what; and a request may be answered at once.
SETTLE_S, VAGUE_S = 0.7, 3.0
VAGUE = "permission"  # nobody can tell from this what is asked for
MANY = 3
REMEMBERED = 2000
# It wakes by itself, or the person was there a moment ago, or the state is only inferred.
NO_NEWS = ("wakes-by-itself", "turn-interrupted", "nothing-asked", "silent")
STOPPED = ("turn-failed", "client-stopped")  # it did not finish


class Notice(NamedTuple):
    session_id: str  # '' if it is about several
    state: str
    since: float
    title: str
    body: str
    agent: str = ""
    parts: tuple[Notice, ...] = ()  # the notices it stands for
    is_vague: bool = False  # it does not say yet what is asked for
    offers: tuple[str, ...] = ()  # how it can be answered right there

    @property
    def words(self) -> tuple[str, str]:
        return self.title, self.body

    @property
    def key(self) -> tuple[str, str]:
        return self.session_id, self.agent


@dataclass(frozen=True)
class Memory:
    busy: Mapping[str, float] = field(default_factory=dict)  # since when each session has been working
    states: Mapping[str, str] = field(default_factory=dict)
    last: Mapping[tuple[str, str], float] = field(default_factory=dict)  # the time of the last notice, by agent
    requests: Mapping[tuple[str, str], Notice] = field(default_factory=dict)  # the open request of each agent
    begun: bool = False

    def knows(self, notice: Notice) -> bool:
        return abs(self.last.get(notice.key, math.inf) - notice.since) < SAME_S

    def is_open(self, notice: Notice) -> bool:
        """Whether it is still true; for a notice about several, whether any part is."""
        if notice.parts:
            return any(map(self.is_open, notice.parts))
        if notice.state != NEEDS_APPROVAL:
            return self.states.get(notice.session_id) == notice.state
        request = self.requests.get(notice.key)
        return request is not None and abs(request.since - notice.since) < SAME_S

    def latest(self, notice: Notice) -> Notice | None:
        """As it is to be shown now; None if it is no longer true. That a session finished stays true when it ends."""
        if notice.parts:
            left = [*filter(None, map(self.latest, notice.parts))]
            return summary(left) if left else None
        if notice.state != NEEDS_APPROVAL:
            return notice if self.states.get(notice.session_id, notice.state) == notice.state else None
        return self.requests[notice.key] if self.is_open(notice) else None


def due(
    memory: Memory,
    sessions: Sequence[SessionStatus],
    settings: Settings,
    now: float,
    is_seen: Callable[[SessionStatus], bool],
) -> tuple[Memory, list[Notice]]:
    """What is new since the last look. What was so at the first look is not new.

    A notice that is left out now, because the person looks at the agent or it is quiet hours, is not shown later.
    """
    heads = [session for session in agents.heads(sessions) if not session.hidden]
    names = _names(heads)
    notices = [(session, notice) for session in heads for notice in _notices(session, names, memory, settings)]
    news = [(session, notice) for session, notice in notices if not memory.knows(notice)]
    requests = {notice.key: notice for _, notice in notices if notice.state == NEEDS_APPROVAL}
    after = replace(_remember(memory, heads, [notice for _, notice in news]), requests=requests)
    if not memory.begun or not settings.enabled or is_quiet(settings, now):
        return after, []
    return after, [notice for session, notice in news if not _is_muted(session, settings) and not is_seen(session)]


def is_quiet(settings: Settings, now: float) -> bool:
    """Quiet hours may span midnight."""
    if not settings.quiet_from or not settings.quiet_to:
        return False
    here = time.localtime(now)
    minute, begins, ends = here.tm_hour * 60 + here.tm_min, _minute(settings.quiet_from), _minute(settings.quiet_to)
    return begins <= minute < ends if begins <= ends else minute >= begins or minute < ends


def is_muted(cwd: str, folders: Iterable[str]) -> bool:
    inside = os.path.normpath(cwd) + "/"
    return any(inside.startswith(os.path.normpath(os.path.expanduser(folder)).rstrip("/") + "/") for folder in folders)


def _is_muted(session: SessionStatus, settings: Settings) -> bool:
    return session.client in settings.mute_clients or is_muted(session.cwd, settings.mute)


def collapsed(notices: Sequence[Notice]) -> list[Notice]:
    """Each by itself, or if there are many, one for all of them."""
    return list(notices) if len(notices) <= MANY else [summary(notices)]


def summary(notices: Sequence[Notice]) -> Notice:
    """One for all of them. A click on it goes to the first that is blocked."""
    blocked = [notice for notice in notices if notice.state == NEEDS_APPROVAL]
    finished = len(notices) - len(blocked)
    counts = [counted(NEEDS_APPROVAL, len(blocked))] * bool(blocked) + [f"{finished} finished"] * bool(finished)
    titles = ", ".join(dict.fromkeys(notice.title for notice in notices))
    first = (blocked or notices)[0]
    title = f"Your agents: {', '.join(counts)}"
    return first._replace(title=title, body=tidy(titles, DETAIL_LENGTH), parts=tuple(notices), is_vague=False)


class Pending(NamedTuple):
    notice: Notice
    came: float

    def ready_at(self) -> float:
        if self.notice.state != NEEDS_APPROVAL:
            return self.came
        return self.came + (VAGUE_S if self.notice.is_vague else SETTLE_S)

    def is_ready(self, now: float) -> bool:
        """Also after the clock was set back."""
        return now >= self.ready_at() or now < self.came


@dataclass(frozen=True)
class Outbox:
    """The first notice is shown once it is ready; those that follow closely are shown together."""

    pending: tuple[Pending, ...] = ()
    last: float = -math.inf

    def post(self, news: Iterable[Notice], memory: Memory, now: float) -> tuple[Outbox, list[Notice]]:
        """What to show now, in its latest words. What is no longer true is dropped."""
        pending = tuple(_still_open((*self.pending, *(Pending(notice, now) for notice in news)), memory))
        ready = [item.notice for item in pending if item.is_ready(now)]
        if not ready or 0 <= now - self.last < PAUSE_S:
            return Outbox(pending, self.last), []
        return Outbox(tuple(item for item in pending if not item.is_ready(now)), now), collapsed(ready)

    def rest(self, now: float) -> float:
        """For how long nothing will be shown unless something new happens."""
        if not self.pending:
            return math.inf
        return max(min(item.ready_at() for item in self.pending), self.last + PAUSE_S) - now


def _still_open(pending: Iterable[Pending], memory: Memory) -> Iterator[Pending]:
    """Each agent once, with the time of its first notice and the latest words: a hook may add to what was known."""
    came: dict[tuple[str, str], float] = {}
    latest: dict[tuple[str, str], Notice] = {}
    for item in pending:
        came.setdefault(item.notice.key, item.came)
        latest[item.notice.key] = item.notice
    for key, notice in latest.items():
        current = memory.requests.get(key) if notice.state == NEEDS_APPROVAL else notice
        if current and memory.is_open(current):
            yield Pending(current, came[key])


def _names(heads: Sequence[SessionStatus]) -> dict[str, str]:
    """The project of each session, as its row has it, and its own name too if another session is in the same one."""
    places = projects.projects(heads)
    times = Counter(places[session.session_id] for session in heads)
    return {session.session_id: _name(session, places[session.session_id], times) for session in heads}


def _name(session: SessionStatus, project: str, times: Mapping[str, int]) -> str:
    own = session_name(session)
    return f"{project} · {own}" if project and times[project] > 1 and own != project else project or own


def _notices(session: SessionStatus, names: Mapping[str, str], memory: Memory, settings: Settings) -> Iterator[Notice]:
    name = names[session.session_id]
    if session.status == WAITING:
        worked = _worked(session, memory)
        if worked > settings.after_s and session.rule not in NO_NEWS:
            verb = "stopped" if session.rule in STOPPED else "finished"
            yield _notice(session, session, f"{name} {verb} after {_duration(worked)}", _body(session, name))
        return
    asking = [agent for agent in session.agents if agent.status == NEEDS_APPROVAL]
    for agent in asking:
        yield _notice(session, agent, f"{name} {_need(agent)}", _asked(session, agent, name), agent.key)
    if not asking and session.status == NEEDS_APPROVAL:
        yield _notice(session, session, f"{name} {_need(session)}", _body(session, name))


def _notice(
    session: SessionStatus, status: SessionStatus | AgentStatus, title: str, body: str, agent: str = ""
) -> Notice:
    since = moment(status.since)
    return Notice(session.session_id, status.status, since, title, body, agent, is_vague=_is_vague(status))


def _need(status: SessionStatus | AgentStatus) -> str:
    return seen(status.status, is_old=False, is_question=wording.is_question(status)).word


def _asked(session: SessionStatus, agent: AgentStatus, name: str) -> str:
    words = [] if agent.kind == "agent" else [agent_name(agent)]
    words += [] if _is_vague(agent) else [*filter(None, [wording.detail(agent, DETAIL_LENGTH)])]
    return tidy(": ".join(words), DETAIL_LENGTH) or _body(session, name)


def _body(session: SessionStatus, name: str) -> str:
    """Without a detail, the session's name, unless that is in the title already."""
    own = session_name(session)
    detail = "" if _is_vague(session) else wording.detail(session, DETAIL_LENGTH)
    return detail or ("" if f" · {name}".endswith(f" · {own}") else own)


def _is_vague(status: SessionStatus | AgentStatus) -> bool:
    """The name of a teammate may come first: "tester: permission"."""
    kind = status.detail.rpartition(": ")[2]
    return status.status == NEEDS_APPROVAL and not status.quote and kind == VAGUE


def _worked(session: SessionStatus, memory: Memory) -> float:
    """The seconds until it finished. None after a request: a person who has just denied one knows that it waits."""
    began = memory.busy.get(session.session_id)
    was_blocked = memory.states.get(session.session_id) == NEEDS_APPROVAL
    return -math.inf if began is None or was_blocked else moment(session.since) - began


def _duration(seconds: float) -> str:
    if seconds < MINUTE:
        return f"{int(seconds)} s"
    return f"{int(seconds // MINUTE)} min" if seconds < HOUR else f"{int(seconds // HOUR)} h"


def _remember(memory: Memory, heads: Sequence[SessionStatus], news: Iterable[Notice]) -> Memory:
    busy = {
        session.session_id: memory.busy.get(session.session_id, moment(session.since))
        for session in heads
        if session.status != WAITING
    }
    last = {**memory.last, **{notice.key: notice.since for notice in news}}
    newest = dict(list(last.items())[-REMEMBERED:])
    return Memory(busy, {session.session_id: session.status for session in heads}, newest, begun=True)


def _minute(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute)
