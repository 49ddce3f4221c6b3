"""The short name of the project that an agent works in, with its machine if that is another one; safe to draw."""

from __future__ import annotations

from contract import projects as names
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.status import SessionStatus

HOST_LENGTH = 24


def projects(sessions: Iterable[SessionStatus]) -> dict[str, str]:
    """By session id: `api`, and for an agent on another machine `box:api`."""
    folders: dict[str, dict[str, str]] = {}
    for session in sessions:
        folders.setdefault(session.host, {})[session.session_id] = session.cwd
    return {id_: name for host, of_host in folders.items() for id_, name in _on(host, of_host)}


def _on(host: str, folders: dict[str, str]) -> Iterable[tuple[str, str]]:
    places = names.projects(set(folders.values()), tidy)
    before = f"{tidy(host, HOST_LENGTH)}:" if host else ""
    return ((id_, before + places[folder]) for id_, folder in folders.items())
