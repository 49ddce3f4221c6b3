"""All agents in one list, as `yourturn ps` shows it: those of a session together, each after its parent. Pure."""

from __future__ import annotations

from contract.named_tuple import NamedTuple
from contract.paths import MAIN
from contract.status import AgentStatus, SessionStatus, urgency
from statusbar.model import ids
from statusbar.model.agents import has_ended, not_nested
from statusbar.model.names import agent_name, session_name
from statusbar.model.projects import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from statusbar.model.snapshot import Statuses


class Listed(NamedTuple):
    id: str  # as it can be typed
    agent: AgentStatus
    session: SessionStatus
    pid: int | None  # None for an agent inside the process of its session
    parent: str  # the id of the parent, '' if it has none
    name: str  # of the session for its main agent, else its own; clean
    project: str


def listing(statuses: Statuses, *, show_hidden: bool = False) -> list[Listed]:
    """Ended agents too: who lists them leaves out what was not asked for."""
    pids = {session.session_id: session.pid for session in statuses.sessions}
    shown = [session for session in not_nested(statuses.sessions) if show_hidden or not session.hidden]
    short, places = ids.of_sessions(statuses.sessions), projects(shown)
    found: list[Listed] = []
    for session in in_tree_order(shown):
        words = ids.of_agents(session, short)
        for agent in parents_first(session.agents or (alone(session),)):
            pid = session.pid if agent.key == MAIN else pids.get(agent.key)
            if agent.key == MAIN:
                parent, name = short.get(session.parent, ""), session_name(session)
            else:
                parent, name = words[MAIN if agent.parent not in words else agent.parent], agent_name(agent)
            found.append(Listed(words[agent.key], agent, session, pid, parent, name, places[session.session_id]))
    return found


def is_meant(one: Listed, state: str | None, kind: str | None, project: str | None, *, also_ended: bool) -> bool:
    """A state is one of an agent's life, or a light. Whoever asks for a state in which agents end is shown those."""
    agent = one.agent
    if has_ended(agent) and not also_ended and state != agent.state:
        return False
    return state in (None, agent.state, agent.status) and kind in (None, agent.kind) and project in (None, one.project)


def in_tree_order(sessions: Iterable[SessionStatus]) -> list[SessionStatus]:
    return sorted(sessions, key=lambda session: (urgency(session.status), session.name, session.session_id))


def parents_first(agents: Iterable[AgentStatus]) -> Iterator[AgentStatus]:
    """The main agent first, then each with those below it. Each key once, even if parents go round in a circle."""
    known = {agent.key: agent for agent in reversed(tuple(agents))}
    below: dict[str, list[AgentStatus]] = {}
    for agent in reversed(known.values()):
        below.setdefault(_parent(agent, known), []).append(agent)
    left, waiting = dict(known), [*reversed(below.get("", ()))]
    while left:
        # Those in a circle hang below nobody that is known: one of them is as good as any to begin with.
        agent = waiting.pop() if waiting else next(reversed(left.values()))
        if left.pop(agent.key, None):
            yield agent
            waiting += reversed(below.get(agent.key, ()))


def alone(session: SessionStatus) -> AgentStatus:
    """The main agent of a session that lists none."""
    about = (session.status, session.detail, session.since, session.rule, session.evidence)
    return AgentStatus(MAIN, "agent", None, None, *about, state="", quote=session.quote)


def _parent(agent: AgentStatus, known: Mapping[str, AgentStatus]) -> str:
    """'' for the main agent, and if there is none of that name, main."""
    if agent.key == MAIN:
        return ""
    if agent.parent in known and agent.parent is not None:
        return agent.parent
    return MAIN if MAIN in known else ""
