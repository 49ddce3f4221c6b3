"""What is said of one session or agent, ready to be drawn."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from contract.status import WAITING
from statusbar.model import agents
from statusbar.text import ages
from statusbar.text.symbols import seen
from statusbar.text.width import tidy, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from contract.status import AgentStatus, SessionStatus
    from statusbar.model.snapshot import Statuses
    from statusbar.text.symbols import Look

NAME_LENGTH, DETAIL_LENGTH, SHORT_ID, SHORTER_ID = 40, 160, 8, 4
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


class Row(NamedTuple):
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
    is_old: bool = False  # nobody keeps it up to date: it was so when somebody last knew

    @property
    def look(self) -> Look:
        return seen(self.state, is_old=self.is_old)


def session_rows(one: SessionStatus, called: tuple[str, str], statuses: Statuses, now: float) -> Iterator[Row]:
    """The session, called by its project and a name, then its agents below it."""
    project, name = called
    yield Row(
        (one.session_id, ""), Kind.SESSION, 0, one.session_id, "", one.status,
        name=name, project=project, team=tidy(one.team, NAME_LENGTH),
        detail=told(one, DETAIL_LENGTH), since=ages.moment(one.since),
        age=ages.age(ages.elapsed(now, one.since)), actions=_actions(one),
    )  # fmt: skip
    for level, agent in agents.agents(one):
        # A teammate in a pane of its own has a session of its own, and a terminal to go to.
        own = statuses.find(agent.key) if agent.kind == "teammate" else None
        yield Row(
            (one.session_id, agent.key), Kind.AGENT, level + 1, (own or one).session_id, agent.key, agent.status,
            name=agent_name(agent), project="", team="", detail=told(agent, DETAIL_LENGTH),
            since=ages.moment(agent.since), age=ages.age(ages.elapsed(now, agent.since)),
            actions=_actions(own or one),
        )  # fmt: skip


def folded_row(sessions: Sequence[SessionStatus], projects: Mapping[str, str]) -> Row:
    places = list(dict.fromkeys(projects[one.cwd] or session_name(one) for one in sessions))
    number = "1 session" if len(sessions) == 1 else f"{len(sessions)} sessions"
    return Row(
        FOLD, Kind.FOLDED, 0, "", "", WAITING, name=number, project="", team="",
        detail=tidy(f"long ago: {', '.join(places)}", DETAIL_LENGTH),
        since=0.0, age="", actions=(Action.UNFOLD,),
    )  # fmt: skip


def names(sessions: Iterable[SessionStatus]) -> dict[str, str]:
    """By id; those that would be called the same also have the beginning of their id."""
    called = {one.session_id: session_name(one) for one in sessions}
    often = Counter(called.values())
    return {
        id_: f"{name} {tidy(id_[:SHORTER_ID], SHORTER_ID)}" if often[name] > 1 else name for id_, name in called.items()
    }


def session_name(session: SessionStatus) -> str:
    return tidy(session.name, NAME_LENGTH) or tidy(session.session_id[:SHORT_ID], SHORT_ID) or "?"


def agent_name(agent: AgentStatus) -> str:
    return tidy(agent.name, NAME_LENGTH) or tidy(agent.type, NAME_LENGTH) or tidy(agent.key, NAME_LENGTH) or "?"


def _actions(session: SessionStatus) -> tuple[Action, ...]:
    possible = {
        Action.GO: session.terminal or session.pid,
        Action.EXPLAIN: True,
        Action.COPY_ID: True,
        Action.OPEN_PROJECT: session.cwd,
        Action.SHOW_TRANSCRIPT: session.transcript,
    }
    return tuple(action for action, is_possible in possible.items() if is_possible)
