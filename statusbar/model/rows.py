"""One session or agent as a row, ready to be drawn."""

from __future__ import annotations

from enum import Enum

from contract.named_tuple import NamedTuple
from contract.paths import MAIN
from contract.status import WAITING
from statusbar.model import agents, request_owner
from statusbar.model.names import agent_name, name_in_project, session_name
from statusbar.text import ages, wording
from statusbar.text.symbols import seen
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from contract.status import AgentStatus, SessionStatus
    from conversations.glimpse import Glimpse
    from statusbar.model.snapshot import Statuses
    from statusbar.text.symbols import Look

NAME_LENGTH, DETAIL_LENGTH, SAID_LENGTH = 40, 160, 160
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
    """All texts are clean, except `id`, `session_id`, `agent` and `told`: these are for looking up, not for showing."""

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
    said: str  # what the agent said last, in quotes, where it is the person's turn
    since: float
    age: str
    actions: tuple[Action, ...]
    is_old: bool = False  # the state may have changed since it was written
    is_question: bool = False  # it needs an answer, not an approval
    client: str = ""  # of a session, where there are several kinds on the board
    host: str = ""  # the machine that it is on, if that is another one; the project begins with it
    told: SessionStatus | AgentStatus | None = None  # what the row is made of

    @property
    def way(self) -> str:
        """Where one goes to, and why."""
        return "Go to " + ": ".join(filter(None, (self.project or self.name, self.detail)))

    @property
    def why(self) -> str:
        """The rule that decided, and from what. Few rows are asked for it."""
        return request_owner.why(self.told) if self.told else ""

    @property
    def words(self) -> str:
        """The detail, and what the agent said last."""
        return f"{self.detail} {self.said}" if self.detail and self.said else self.detail or self.said

    @property
    def name_in_project(self) -> str:
        return name_in_project(self.name, self.project)

    @property
    def look(self) -> Look:
        return seen(self.state, is_old=self.is_old, is_question=self.is_question)


class Scene:
    """All that rows are made of, besides the session itself."""

    def __init__(
        self, statuses: Statuses, glimpses: Mapping[str, Glimpse], now: float, *, fine: bool, mixed: bool = False
    ) -> None:
        """`fine`: whether ages below a minute are in seconds. `mixed`: whether there are several kinds of client."""
        self.statuses, self.glimpses, self.now, self.fine, self.mixed = statuses, glimpses, now, fine, mixed
        self.speaking = statuses.speaking(now)

    def age(self, since: float) -> str:
        return (ages.fine_age if self.fine else ages.age)(ages.elapsed(self.now, since))

    def is_old(self, session: SessionStatus) -> bool:
        return session.host not in self.speaking

    def glimpse(self, session: SessionStatus) -> Glimpse | None:
        return self.glimpses.get(session.session_id)


def session_rows(session: SessionStatus, project_and_name: tuple[str, str], scene: Scene) -> Iterator[Row]:
    """The row of the session, then those of its agents below it."""
    project, name = project_and_name
    glimpse = scene.glimpse(session)
    yield Row(
        (session.session_id, ""), Kind.SESSION, 0, session.session_id, "", session.status,
        name=name, project=project, team=tidy(session.team, NAME_LENGTH),
        detail=wording.detail(session, DETAIL_LENGTH, _question(session, glimpse)), said=_said(session, glimpse),
        since=ages.moment(session.since), age=scene.age(session.since), actions=_actions(session),
        is_question=wording.is_question(session), client=tidy(session.client, NAME_LENGTH) if scene.mixed else "",
        is_old=scene.is_old(session), host=tidy(session.host, NAME_LENGTH), told=session,
    )  # fmt: skip
    for level, agent in agents.agents(session):
        # A teammate in a pane of its own has a session of its own, and a terminal to go to.
        own = (scene.statuses.find(agent.key) if agent.kind == "teammate" else None) or session
        # A transcript tells of the main agent of its session alone.
        known = scene.glimpse(own) if own is not session or agent.key == MAIN else None
        yield Row(
            (session.session_id, agent.key), Kind.AGENT, level + 1, own.session_id, agent.key, agent.status,
            name=agent_name(agent), project="", team="",
            detail=wording.detail(agent, DETAIL_LENGTH, known.question if known else ""), said=_said(agent, known),
            since=ages.moment(agent.since), age=scene.age(agent.since),
            actions=_actions(own), is_question=wording.is_question(agent), is_old=scene.is_old(own),
            host=tidy(own.host, NAME_LENGTH), told=agent,
        )  # fmt: skip


def folded_row(sessions: Sequence[SessionStatus], projects: Mapping[str, str]) -> Row:
    places = list(dict.fromkeys(projects[session.session_id] or session_name(session) for session in sessions))
    number = "1 stale session" if len(sessions) == 1 else f"{len(sessions)} stale sessions"
    return Row(
        FOLD, Kind.FOLDED, 0, "", "", WAITING, name=number, project="", team="",
        detail=tidy(f"idle for over 12 h: {', '.join(places)}", DETAIL_LENGTH),
        said="", since=0.0, age="", actions=(Action.UNFOLD,),
    )  # fmt: skip


def _question(session: SessionStatus, glimpse: Glimpse | None) -> str:
    """What the main agent asks, if it is the one who asks: a sub-agent has a transcript of its own."""
    main = next((agent for agent in session.agents if agent.key == MAIN), None)
    return glimpse.question if glimpse and (main is None or wording.asks(main)) else ""


def _said(status: SessionStatus | AgentStatus, glimpse: Glimpse | None) -> str:
    return wording.said(glimpse.last_words, SAID_LENGTH) if glimpse and status.status == WAITING else ""


def _actions(session: SessionStatus) -> tuple[Action, ...]:
    possible = {
        Action.GO: not session.unseen and (session.terminal or session.pid),
        Action.EXPLAIN: True,
        Action.COPY_ID: True,
        Action.OPEN_PROJECT: session.cwd and not session.host,
        Action.SHOW_TRANSCRIPT: session.transcript,
    }
    return tuple(action for action, is_possible in possible.items() if is_possible)
