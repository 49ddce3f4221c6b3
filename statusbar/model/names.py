"""What sessions and agents are called, safe to draw."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType

from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.status import AgentStatus, SessionStatus
    from conversations.glimpse import Glimpse

LONGEST, SHORT_ID, SHORTER_ID = 40, 8, 4
NONE: Mapping[str, Glimpse] = MappingProxyType({})


def distinct_names(sessions: Iterable[SessionStatus], glimpses: Mapping[str, Glimpse] = NONE) -> dict[str, str]:
    """By id. Where several sessions have the same name, each also gets the beginning of its id."""
    by_id = {session.session_id: called(session, glimpses.get(session.session_id)) for session in sessions}
    times = Counter(by_id.values())
    return {
        id_: f"{name} {tidy(id_[:SHORTER_ID], SHORTER_ID)}" if times[name] > 1 else name for id_, name in by_id.items()
    }


def name_in_project(name: str, project: str) -> str:
    """What the name adds to the project, beside which it stands: '' for "api" in api, "9a" for "api-9a".

    Only of a name that a machine made of the folder's: the name that a person gave is shown as it was given.
    """
    for folder in project.replace("@", "/").replace(":", "/").split("/"):
        rest = name[len(folder) :]
        if folder and name.startswith(folder) and (not rest or _is_mark(rest)):
            return rest[1:]
    return name


def _is_mark(rest: str) -> bool:
    """What tells sessions of one folder apart: a few hexadecimal digits."""
    return rest[0] in "- " and 1 < len(rest[1:]) <= SHORTER_ID and set(rest[1:]) <= set("0123456789abcdef")


def called(session: SessionStatus, glimpse: Glimpse | None) -> str:
    """By its title, if it has one; a name that somebody gave it with `yourturn spawn` comes first."""
    title = glimpse.title if glimpse and not session.spawned else ""
    return tidy(title, LONGEST) or session_name(session)


def session_name(session: SessionStatus) -> str:
    return tidy(session.name, LONGEST) or tidy(session.session_id[:SHORT_ID], SHORT_ID) or "?"


def agent_name(agent: AgentStatus) -> str:
    return tidy(agent.name, LONGEST) or tidy(agent.type, LONGEST) or tidy(agent.key, LONGEST) or "?"
