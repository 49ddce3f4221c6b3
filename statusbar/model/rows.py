"""One session or agent as a row, ready to be drawn."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from contract.status import WAITING
from statusbar.model import agents
from statusbar.text import ages, wording
from statusbar.text.symbols import seen
from statusbar.text.width import tidy

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
    FOLDED = "folded"  # one row for all stale sessions


class Action(Enum):
    """What the person can do with a row."""

    GO = "go to the terminal"
    EXPLAIN = "explain"
    COPY_ID = "copy the session id"
    OPEN_PROJECT = "open the project"
    SHOW_TRANSCRIPT = "show the transcript's folder"
    UNFOLD = "show them"


class Row(NamedTuple):
    """All texts are clean, except `id`, `session_id` and `agent`: these are for looking up, not for showing."""

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
    is_old: bool = False  # the state may have changed since it was written
    is_question: bool = False  # it needs an answer, not an approval

    @property
    def way(self) -> str:
        """Where one goes to, and why."""
        return "Go to " + ": ".join(filter(None, (self.project or self.name, self.detail)))

    @property
    def look(self) -> Look:
        return seen(self.state, is_old=self.is_old, is_question=self.is_question)


def session_rows(
    session: SessionStatus, project_and_name: tuple[str, str], statuses: Statuses, now: float
) -> Iterator[Row]:
    """The row of the session, then those of its agents below it."""
    project, name = project_and_name
    yield Row(
        (session.session_id, ""), Kind.SESSION, 0, session.session_id, "", session.status,
        name=name, project=project, team=tidy(session.team, NAME_LENGTH),
        detail=wording.detail(session, DETAIL_LENGTH), since=ages.moment(session.since),
        age=ages.age(ages.elapsed(now, session.since)), actions=_actions(session),
        is_question=wording.is_question(session),
    )  # fmt: skip
    for level, agent in agents.agents(session):
        # A teammate in a pane of its own has a session of its own, and a terminal to go to.
        own = (statuses.find(agent.key) if agent.kind == "teammate" else None) or session
        yield Row(
            (session.session_id, agent.key), Kind.AGENT, level + 1, own.session_id, agent.key, agent.status,
            name=agent_name(agent), project="", team="", detail=wording.detail(agent, DETAIL_LENGTH),
            since=ages.moment(agent.since), age=ages.age(ages.elapsed(now, agent.since)),
            actions=_actions(own), is_question=wording.is_question(agent),
        )  # fmt: skip


def folded_row(sessions: Sequence[SessionStatus], projects: Mapping[str, str]) -> Row:
    places = list(dict.fromkeys(projects[session.cwd] or session_name(session) for session in sessions))
    number = "1 stale session" if len(sessions) == 1 else f"{len(sessions)} stale sessions"
    return Row(
        FOLD, Kind.FOLDED, 0, "", "", WAITING, name=number, project="", team="",
        detail=tidy(f"idle for over 12 h: {', '.join(places)}", DETAIL_LENGTH),
        since=0.0, age="", actions=(Action.UNFOLD,),
    )  # fmt: skip


def names(sessions: Iterable[SessionStatus]) -> dict[str, str]:
    """By id. Where several sessions have the same name, each also gets the beginning of its id."""
    by_id = {session.session_id: session_name(session) for session in sessions}
    times = Counter(by_id.values())
    return {
        id_: f"{name} {tidy(id_[:SHORTER_ID], SHORTER_ID)}" if times[name] > 1 else name for id_, name in by_id.items()
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
