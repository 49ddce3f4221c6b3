"""Whether a session is over: proven, or never known and long silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.life import FAILED, JOINED, KILLED, LOST
from contract.observation import Life
from contract.paths import MAIN
from processes.identity import Identity
from processes.place import Place

if TYPE_CHECKING:
    from contract.facts import Fact, Mark
    from processes.table import Probe
    from watcher.clients.base import Entry
    from watcher.clock import Clock
    from watcher.sessions.listings import Listings
    from watcher.sessions.session import Session

LINGER_S = 60.0  # facts of an ended session stay for late events this long
FORGET_S = 7 * 86400.0  # facts of a session whose process was never known stay this long
ONLY_THE_ID = ("clear", "resume")  # reasons for which a session ends and its process does not
HANDOVER_S = 3.0
LEAVES_S = 1.0  # so long after such a goodbye the client is still busy with it, under the old id


def is_over(session: Session, probe: Probe, clock: Clock, now: float, listings: Listings) -> bool:
    """Its process is gone, or the client said goodbye. Or it was never known, and has been silent for a week."""
    if session.identity(probe) is Identity.GONE:
        return not _is_about_to_be_told(session, probe)
    ended = session.goodbye
    if ended and ended.at and not _has_spoken_since(session.entry, ended):
        # Of a process that goes on under another id, the row stays until that one takes its place.
        is_handed_over = session.was_superseded or now - ended.at.boot > HANDOVER_S
        is_left = is_handed_over or listings.leave_out(session.config, session.pid)
        # Gone with its goodbye, it would come back between the end of its process and what its keeper tells of that.
        is_told = ended.word not in ONLY_THE_ID and not _is_about_to_be_told(session, probe)
        return is_told or (ended.word in ONLY_THE_ID and is_left)
    if session.is_hosted and session.entry is None and _is_dropped(session, listings):
        return True
    if session.local_pid is None and session.facts:
        times = [fact.last.at.wall for fact in session.facts.values() if fact.last and fact.last.at]
        return bool(times) and clock.wall(now) - max(times) > FORGET_S
    return False


def _is_dropped(session: Session, listings: Listings) -> bool:
    """The process goes on with other sessions, and has not had this one for a while."""
    times = [fact.last.at.wall for fact in session.facts.values() if fact.last and fact.last.at]
    return bool(times) and listings.lists_all_since(session.config, max(times) + HANDOVER_S)


def how_it_ended(session: Session) -> Life:
    """What is known of its end, in the words of `contract.life`."""
    main = session.main
    if main is None:
        return Life(LOST)
    if main.killed:
        return Life(KILLED)
    if main.exit:
        return Life(JOINED, how="completed") if main.exit.word == "0" else Life(FAILED, how="error")
    return Life(JOINED, how="completed") if main.ended or session.was_superseded else Life(LOST)


def _is_about_to_be_told(session: Session, probe: Probe) -> bool:
    """It is gone, or has said goodbye, and the one that waits for it has not told yet how it ended."""
    main = session.main
    kept = main.registered if main else None
    if main is None or kept is None or main.exit or session.place is not Place.HERE:
        return False
    return probe.identity(kept.keeper, kept.keeper_start) is Identity.SAME


def may_be_removed(session: Session, probe: Probe, now: float) -> bool:
    """Whether its facts are of no more use; late events may still come after a goodbye.

    After a /clear the teammates in panes still name the session that they were started in as their lead, and nothing
    else may tell of what goes on in its background.
    """
    main, identity = session.main, session.identity(probe)
    goodbye = main.ended.at.boot if main and main.ended and main.ended.at else None
    if main is None or goodbye is None or identity is Identity.GONE:
        return True
    is_needed = identity is Identity.SAME and _leaves_something(session, main)
    return now - goodbye >= LINGER_S and not is_needed


def _leaves_something(session: Session, main: Fact) -> bool:
    if any(spawn.apart for spawn in main.spawned) or main.background or main.crons:
        return True
    return any(not fact.stopped for key, fact in session.facts.items() if key != MAIN)


def _has_spoken_since(entry: Entry | None, goodbye: Mark) -> bool:
    """Whether the registry has something newer to tell of a session than its goodbye."""
    at = goodbye.at.wall if goodbye.at else 0.0
    leaves = LEAVES_S if goodbye.word in ONLY_THE_ID else 0.0
    return entry is not None and (entry.status_at is None or entry.status_at > at + leaves)
