"""Whose request it is, and why that one's light is on. Pure."""

from __future__ import annotations

from contract import paths
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from answers.request import Request
    from contract.status import AgentStatus, SessionStatus
    from statusbar.model.snapshot import Statuses

LONG = 400


def owner(request: Request, known: Container[str]) -> str:
    """The session, by its id: of two processes that have one open, each is a session of its own here."""
    twin = paths.twin(request.session, request.client_pid)
    return twin if twin in known else request.session


def session_of(request: Request, statuses: Statuses) -> SessionStatus | None:
    return statuses.find(owner(request, {session.session_id for session in statuses.sessions}))


def why(told: SessionStatus | AgentStatus) -> str:
    """The rule that decided, in words, and from what."""
    return f"{tidy(told.rule, LONG).replace('-', ' ')} (from {tidy(told.evidence, LONG)})"


def why_it_asks(request: Request, statuses: Statuses) -> str:
    """Of the very agent, where it is known; '' if nothing is."""
    session = session_of(request, statuses)
    if session is None:
        return ""
    return why(next((agent for agent in session.agents if agent.key == request.agent), session))
