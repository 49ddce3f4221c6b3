"""What a status says of a session apart from the verdicts: what it is called, and where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import machine
from processes.place import Place
from watcher.rules.wording import About

if TYPE_CHECKING:
    from watcher.rules.wording import Belonging
    from watcher.sessions.session import Session


def about(session: Session, belonging: Belonging) -> About:
    entry = session.entry
    return About(
        id=session.id,
        name=_name(session),
        cwd=_cwd(session),
        pid=session.pid,
        entrypoint=session.entrypoint,
        transcript=session.transcript,
        terminal=_terminal(session),
        client=_client(session),
        belonging=belonging,
        shown_by=(entry.shown_by if entry else 0) if session.is_hosted else None,
        is_unseen=entry is not None and entry.is_unseen,
    )


def _cwd(session: Session) -> str:
    main, entry = session.main, session.entry
    return (main.cwd if main else "") or (entry.cwd if entry else "")


def _name(session: Session) -> str:
    main, entry = session.main, session.entry
    given = main.registered.name if main and main.registered else ""
    folder = _cwd(session).rstrip("/").rpartition("/")[2]
    name = given or (entry.title if entry else "") or folder or session.id[:8]
    host = session.client.host if session.client and session.place is Place.ELSEWHERE else ""
    return f"{name}@{host}" if host and host != machine.here()[0] else name


def _client(session: Session) -> str:
    """As its adapter has it; of a client that only the hook knows, as the fact has it."""
    return session.adapter.name or (session.main.client_name if session.main else "")


def _terminal(session: Session) -> dict[str, str]:
    """As the hook found it; of a session without hooks the client itself names its pane.

    The hooks of a host tell of the terminal that it was once started from.
    """
    main, entry = session.main, session.entry
    if main and main.terminal and not session.is_hosted:
        return dict(main.terminal)
    return {"TMUX_PANE": entry.pane} if entry and entry.pane else {}
