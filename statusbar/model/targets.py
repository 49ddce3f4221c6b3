"""Whom a word on the command line names: sessions, agents in them, and groups. Pure, and the same for all commands.

A word is a short id, a session id or name, or the beginning of one; `SESSION/AGENT` for an agent inside a session;
`project:NAME`, `client:NAME`, `@blocked`, `@waiting` or `@working` for a group. What is typed in full comes first, and
an id before a name: a session cannot take the place of another one by its name.
"""

from __future__ import annotations

from enum import IntEnum

from contract.named_tuple import NamedTuple
from contract.paths import MAIN
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, AgentStatus, SessionStatus
from statusbar.model import agents, ids
from statusbar.model.names import agent_name, distinct_names, name_in_project, session_name
from statusbar.model.projects import projects
from statusbar.text import wording
from statusbar.text.symbols import seen
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statusbar.model.snapshot import Statuses

GROUPS = {"@blocked": NEEDS_APPROVAL, "@waiting": WAITING, "@working": WORKING}
PROJECT, CLIENT = "project:", "client:"
WORD, DETAIL = 40, 60
LISTED = 20  # so many are named in a message


class Target(NamedTuple):
    session: SessionStatus
    agent: AgentStatus | None = None  # None: the session as a whole

    @property
    def key(self) -> tuple[str, str]:
        """Stays the same as long as the target is the same one."""
        return self.session.session_id, self.agent.key if self.agent else ""

    @property
    def status(self) -> SessionStatus | AgentStatus:
        return self.agent or self.session

    @property
    def name(self) -> str:
        """Clean, as it is shown."""
        own = session_name(self.session)
        return f"{own}/{agent_name(self.agent)}" if self.agent else own


class Unclear(Exception):  # noqa: N818 - an expected outcome
    """It is not clear who is meant. The exit code is that of the command."""

    exit_code = 1


class NoSuchTarget(Unclear):
    exit_code = 2


class Ambiguous(Unclear):
    exit_code = 3


class _Match(IntEnum):
    """How well a word fits; only the best count."""

    WHOLE = 0  # the whole id
    EXACT = 1  # the short id, or the whole name
    BEGINS = 2


def find(statuses: Statuses, word: str, *, unknown: str = "") -> list[Target]:
    """The target, or all of a group. `unknown` says that the statuses are out of date, and since when."""
    if is_group(word):
        found = _group(statuses, word)
    else:
        found = _named(statuses, word)
        if len(found) > 1:
            raise Ambiguous(several(statuses, word, found))
    if not found:
        raise NoSuchTarget(_nobody(statuses, word, unknown))
    return found


def one(statuses: Statuses, word: str, *, unknown: str = "") -> Target:
    """For a command that takes one: a group of several is ambiguous."""
    found = find(statuses, word, unknown=unknown)
    if len(found) > 1:
        raise Ambiguous(several(statuses, word, found))
    return found[0]


def is_group(word: str) -> bool:
    return word in GROUPS or word.startswith((PROJECT, CLIENT))


def listed(statuses: Statuses, targets: Sequence[Target]) -> str:
    """One line each: id, name, state, detail."""
    short = ids.of_sessions(statuses.sessions)
    lines = [f"  {short_id(target, short)}  {target.name}  {_state(target.status)}" for target in targets[:LISTED]]
    return "\n".join(lines + [f"  … {len(targets) - LISTED} more"] * (len(targets) > LISTED))


def short_id(target: Target, sessions: dict[str, str]) -> str:
    if target.agent is None or target.agent.key == MAIN:
        return sessions[target.session.session_id]
    return ids.of_agents(target.session, sessions)[target.agent.key]


def _group(statuses: Statuses, word: str) -> list[Target]:
    """Of those that are shown: a helper's session is in no group."""
    heads = [session for session in agents.heads(statuses.sessions) if not session.hidden]
    if word in GROUPS:
        return [Target(session) for session in heads if session.status == GROUPS[word]]
    if word.startswith(CLIENT):
        return [Target(session) for session in heads if session.client == word.removeprefix(CLIENT)]
    places = projects(heads)
    return [Target(session) for session in heads if places[session.session_id] == word.removeprefix(PROJECT)]


def _named(statuses: Statuses, word: str) -> list[Target]:
    matches = _session_match(statuses.sessions)
    for level in _Match:
        sessions = [session for session in statuses.sessions if matches(session, word) <= level]
        found = [Target(session) for session in sessions] if word else []
        found += _agents_named(statuses.sessions, matches, word, level)
        if found:
            return found
    return []


def _session_match(sessions: Sequence[SessionStatus]) -> Callable[[SessionStatus, str], int]:
    short, names = ids.of_sessions(sessions), distinct_names(sessions)
    places = projects(sessions)

    def match(session: SessionStatus, word: str) -> int:
        id_, name = session.session_id, session_name(session)
        beside = name_in_project(names[id_], places[id_])
        return _match(word, (id_, ids.shown(id_)), (short[id_], name, names[id_]), beside)

    return match


def _match(word: str, whole: tuple[str, ...], exact: tuple[str, ...], beside: str = "") -> int:
    """`beside`: what a table shows of the name beside the project. A whole name comes first."""
    if word in whole:
        return _Match.WHOLE
    if word in exact:
        return _Match.EXACT
    return _Match.BEGINS if any(text.startswith(word) for text in (*whole, *exact, beside)) else len(_Match)


def _agents_named(
    sessions: Sequence[SessionStatus], matches: Callable[[SessionStatus, str], int], word: str, level: int
) -> list[Target]:
    """A name may have a slash in it as well, so each slash may be the one that is meant."""
    found: dict[tuple[str, str], Target] = {}
    for at in (at for at, char in enumerate(word) if char == "/"):
        left, right = word[:at], word[at + 1 :]
        for session in sessions:
            if left and right and matches(session, left) <= level:
                found |= {target.key: target for target in _in_session(session, right, level)}
    return list(found.values())


def _in_session(session: SessionStatus, word: str, level: int) -> Iterator[Target]:
    """Agents that have ended are meant only if no other one is: several have had the same name, one after the other."""
    keys = ids.short(agent.key for agent in session.agents)
    fitting = [
        agent
        for agent in session.agents
        if _match(word, (agent.key, ids.shown(agent.key)), (keys[agent.key], agent_name(agent))) <= level
    ]
    going_on = [agent for agent in fitting if not agents.has_ended(agent)]
    yield from (Target(session, agent) for agent in going_on or fitting)


def several(statuses: Statuses, word: str, found: Sequence[Target]) -> str:
    return f"'{tidy(word, WORD)}' matches several sessions or agents:\n{listed(statuses, found)}"


def _nobody(statuses: Statuses, word: str, unknown: str) -> str:
    """What there is, so that the next word is the right one."""
    what = f"no session or agent '{tidy(word, WORD)}' found"
    there = listed(statuses, [Target(session) for session in statuses.sessions])
    if unknown:
        return f"{what}, but the list may be out of date ({unknown})." + (there and f" Last known sessions:\n{there}")
    if not statuses.sessions:
        return f"{what}: no agent is running."
    if word.startswith(CLIENT):
        clients = sorted({tidy(session.client, WORD) for session in statuses.sessions if session.client})
        return f"{what}. Clients: {', '.join(clients)}"
    if word.startswith(PROJECT):
        return f"{what}. Projects: {', '.join(_projects(statuses.sessions))}"
    return f"{what}. Running sessions:\n{there}"


def _projects(sessions: Iterable[SessionStatus]) -> list[str]:
    return sorted(set(projects(sessions).values()))


def _state(status: SessionStatus | AgentStatus) -> str:
    word = seen(status.status, is_old=False, is_question=wording.is_question(status)).word
    return f"{word}: {wording.detail(status, DETAIL)}" if status.detail else word
