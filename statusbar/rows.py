"""What is said of one session or agent, ready to be drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from contract.status import WAITING
from statusbar import ages, family
from statusbar.text import tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from contract.status import AgentStatus, SessionStatus
    from statusbar.family import Family

NAME_LENGTH, DETAIL_LENGTH, SHORT_ID = 40, 160, 8
FOLD = ("", "folded")


class Kind(Enum):
    SESSION = "session"
    AGENT = "agent"
    FOLDED = "folded"  # stands for sessions that nobody has spoken to for long


class Action(Enum):
    """What can be done with a row."""

    GO = "go to the terminal"
    EXPLAIN = "explain"
    COPY_ID = "copy the session id"
    OPEN_PROJECT = "open the project"
    SHOW_TRANSCRIPT = "show the transcript's folder"
    UNFOLD = "show them"


@dataclass(frozen=True)
class Row:
    """All texts are clean, but `id`, `session_id` and `agent` are as they came: to be looked up, not shown."""

    id: tuple[str, str]  # stays the same as long as the row is about the same thing
    kind: Kind
    depth: int
    session_id: str
    agent: str  # '' on the row of a session
    state: str
    name: str
    project: str
    team: str
    detail: str
    since: float
    age: str
    actions: tuple[Action, ...]


def family_rows(clan: Family, projects: Mapping[str, str], now: float) -> Iterator[Row]:
    """The head with its agents, then each member of its team with the member's agents."""
    yield _head(clan, projects, now)
    yield from _agents(clan.head, 1, now)
    for one in sorted(clan.members, key=lambda one: (family.rank(one.status, one.since), one.session_id)):
        yield _session(one, 1, "" if one.cwd == clan.head.cwd else projects[one.cwd], now)
        yield from _agents(one, 2, now)


def folded_row(clans: Sequence[Family], projects: Mapping[str, str]) -> Row:
    places = list(dict.fromkeys(projects[clan.head.cwd] or session_name(clan.head) for clan in clans))
    sessions = "1 session" if len(clans) == 1 else f"{len(clans)} sessions"
    return Row(
        FOLD, Kind.FOLDED, 0, "", "", WAITING, name=sessions, project="", team="",
        detail=tidy(f"long ago: {', '.join(places)}", DETAIL_LENGTH),
        since=0.0, age="", actions=(Action.UNFOLD,),
    )  # fmt: skip


def session_name(session: SessionStatus) -> str:
    return tidy(session.name, NAME_LENGTH) or tidy(session.session_id[:SHORT_ID], SHORT_ID) or "?"


def agent_name(agent: AgentStatus) -> str:
    return tidy(agent.name, NAME_LENGTH) or tidy(agent.type, NAME_LENGTH) or tidy(agent.key, NAME_LENGTH) or "?"


def _head(clan: Family, projects: Mapping[str, str], now: float) -> Row:
    """A head speaks for its family: in the words of whoever is the most urgent."""
    speaker = clan.speaker
    own = _session(clan.head, 0, projects[clan.head.cwd], now)
    if speaker is clan.head:
        return own
    theirs = _session(speaker, 0, own.project, now)
    said = f"{theirs.name}: {theirs.detail}" if theirs.detail else theirs.name
    return replace(own, state=theirs.state, since=theirs.since, age=theirs.age, detail=said)


def _session(one: SessionStatus, depth: int, project: str, now: float) -> Row:
    return Row(
        (one.session_id, ""), Kind.SESSION, depth, one.session_id, "", one.status,
        name=session_name(one), project=project, team=tidy(one.team, NAME_LENGTH),
        detail=tidy(one.detail, DETAIL_LENGTH), since=ages.moment(one.since),
        age=ages.age(ages.elapsed(now, one.since)), actions=_actions(one),
    )  # fmt: skip


def _agents(session: SessionStatus, depth: int, now: float) -> Iterator[Row]:
    for level, one in family.agents(session):
        yield Row(
            (session.session_id, one.key), Kind.AGENT, depth + level, session.session_id, one.key, one.status,
            name=agent_name(one), project="", team="", detail=tidy(one.detail, DETAIL_LENGTH),
            since=ages.moment(one.since), age=ages.age(ages.elapsed(now, one.since)),
            actions=_actions(session),
        )  # fmt: skip


def _actions(session: SessionStatus) -> tuple[Action, ...]:
    possible = {
        Action.GO: session.terminal or session.pid,
        Action.EXPLAIN: True,
        Action.COPY_ID: True,
        Action.OPEN_PROJECT: session.cwd,
        Action.SHOW_TRANSCRIPT: session.transcript,
    }
    return tuple(action for action, is_possible in possible.items() if is_possible)
