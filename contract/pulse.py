"""Whether a watcher keeps the statuses up to date; and if none does, whether it is known that nothing runs."""

from __future__ import annotations

import os
from enum import Enum

from contract import clients, paths, status, store
from contract.named_tuple import NamedTuple
from contract.status import RESTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.status import Heartbeat

SILENT_S = 30.0
FAR = 1e12
SLACK_S = 0.1  # the clock that dates files is a little behind the one that is asked for the time


class Watcher(Enum):
    """The watcher's health."""

    ALIVE = "alive"
    STARTING = "starting"  # it has not looked at anything yet: what can be read is what another one left
    STUCK = "stuck"  # it holds its lock and has not spoken for a while
    GONE = "gone"


class Pulse(NamedTuple):
    heartbeat: Heartbeat | None = None
    locked: bool = False  # whether a watcher holds its lock
    starting: bool = False  # whether somebody is starting one, which may hold its lock already
    unheard: bool = False  # whether somebody spoke after the last watcher had looked for the last time

    def watcher(self, now: float) -> Watcher:
        if not self.locked:
            return Watcher.STARTING if self.starting else Watcher.GONE
        if self.starting or self.heartbeat is None:  # it removes that of its predecessor first of all
            return Watcher.STARTING
        return Watcher.ALIVE if 0 <= _silent(self.heartbeat.beat, now) <= SILENT_S else Watcher.STUCK

    @property
    def rests(self) -> bool:
        """The last watcher went when it had nobody left to watch, and nobody has spoken since: nothing runs."""
        at_rest = self.heartbeat is not None and self.heartbeat.mode == RESTING
        return not self.locked and at_rest and not self.unheard


def take(home: str, env: Mapping[str, str]) -> Pulse:
    """In this order: a new watcher takes its lock, removes the last heartbeat, and lets go of the starting lock."""
    locked, starting = has_watcher(home), is_locked(paths.starting_lock(home))
    beat = heartbeat(home)
    return Pulse(beat, locked, starting, not locked and _has_news(home, env, beat))


def registered(env: Mapping[str, str]) -> tuple[str, ...]:
    """The processes of clients that say of themselves that they run."""
    return tuple(name for client in clients.known() for name in client.registered(env))


def _has_news(home: str, env: Mapping[str, str], heartbeat: Heartbeat | None) -> bool:
    """A fact that was written after the last look, or a client that was not there then."""
    heard = heartbeat.beat - SLACK_S if heartbeat else float("-inf")
    if any(_written(f"{paths.fact_dir(home)}/{name}") > heard for name in store.names(paths.fact_dir(home))):
        return True
    return not set(registered(env)) <= set(heartbeat.clients if heartbeat else ())


def _silent(beat: float, now: float) -> float:
    """The seconds since then, 0 for a time to come; -1 for a time that cannot be."""
    return max(now - beat, 0.0) if 0 < beat < FAR else -1.0


def _written(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return float("-inf")


def heartbeat(home: str) -> Heartbeat | None:
    """The last one that a watcher has written; None if there is none that can be read."""
    try:
        return status.decode_heartbeat(store.read(paths.heartbeat(home)) or b"")
    except OSError:
        return None


def has_watcher(home: str) -> bool:
    """Whether a watcher runs. The lock is the only proof: a heartbeat stays behind after a kill -9."""
    return is_locked(paths.watcher_lock(home))


def is_locked(path: str) -> bool:
    try:
        return store.is_locked(path)
    except OSError:
        return False
