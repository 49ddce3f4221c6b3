"""Whether a session is over: proven, or never known and long silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from processes.identity import Identity

if TYPE_CHECKING:
    from contract.facts import Stamp
    from processes.table import Probe
    from watcher.clients.base import Entry
    from watcher.clock import Clock
    from watcher.sessions.session import Session

LINGER_S = 60.0  # facts of an ended session stay for late events this long
FORGET_S = 7 * 86400.0  # facts of a session whose process was never known stay this long
ONLY_THE_ID = ("clear", "resume")  # reasons for which a session ends and its process does not
HANDOVER_S = 3.0


def is_over(session: Session, probe: Probe, clock: Clock, now: float) -> bool:
    """Its process is gone, or the client said goodbye. Or it was never known, and has been silent for a week."""
    if session.identity(probe) is Identity.GONE:
        return True
    ended = session.goodbye
    if ended and ended.at and not _has_spoken_since(session.entry, ended.at):
        # Of a process that goes on under another id, the row stays until that one takes its place.
        is_handed_over = session.was_superseded or now - ended.at.boot > HANDOVER_S
        return ended.word not in ONLY_THE_ID or is_handed_over
    if session.local_pid is None and session.facts:
        times = [fact.last.at.wall for fact in session.facts.values() if fact.last and fact.last.at]
        return bool(times) and clock.wall(now) - max(times) > FORGET_S
    return False


def may_be_buried(session: Session, probe: Probe, now: float) -> bool:
    """Whether its facts are of no more use; late events may still come after a goodbye."""
    main = session.main
    goodbye = main.ended.at.boot if main and main.ended and main.ended.at else None
    return goodbye is None or session.identity(probe) is Identity.GONE or now - goodbye >= LINGER_S


def _has_spoken_since(entry: Entry | None, goodbye: Stamp) -> bool:
    """Whether the registry has something newer to tell of a session than its goodbye."""
    return entry is not None and (entry.status_at is None or entry.status_at > goodbye.wall)
