"""Starts a watcher again when it is gone.

Hooks start one too, but not always in time: while a request is open no hook runs, not even for its approval, so after a
kill the last state would be shown for ever. Front ends that keep running start a watcher whenever the states are
unknown. A command that prints once starts one only if there is a reason to think that agents run here; it says so, and
waits half a second at most: it may be part of a shell prompt.
"""

from __future__ import annotations

import os
import sys
import time

from contract import clients, collector_launch, launch
from contract.content import content
from contract.pulse import Watcher
from statusbar.demo import flag
from statusbar.model.reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from statusbar.model.snapshot import Statuses

PATIENCE_S, PAUSE_S = 0.5, 0.02
STARTED = "yourturn: no watcher was running; started one"
HOOK = f"{launch.PROJECT}/hook.py".encode()


class WatcherStart:
    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self._home, self._env = home, env
        self._started: list[int] = []

    def look(self, statuses: Statuses, now: float) -> bool:
        """Start a watcher if none is running; return whether one was started."""
        self._started = [pid for pid in self._started if not launch.has_ended(pid)]
        self.collect(statuses, now)
        if not is_missing(statuses, now) or not launch.is_allowed(self._env) or flag.is_set(self._env):
            return False
        try:
            pid = launch.start_again(self._home, self._env, now)
        except OSError:  # the folder does not exist yet, or cannot be used: a notice says so
            return False
        self._started += [pid] if pid else []
        return bool(pid)

    @property
    def has_started(self) -> bool:
        """Somebody who still runs."""
        return bool(self._started)

    def collect(self, statuses: Statuses, now: float) -> None:
        """Start whoever brings the statuses of other machines, if the person has named some and nobody does."""
        if statuses.collector.locked or not launch.is_allowed(self._env) or flag.is_set(self._env):
            return
        if collector_launch.is_wanted(self._env):
            try:
                pid = collector_launch.ensure(self._home, self._env, now)
            except OSError:  # as below
                return
            self._started += [pid] if pid else []


def is_missing(statuses: Statuses, now: float) -> bool:
    return statuses.watcher(now) is Watcher.GONE and not statuses.unusable and not statuses.is_well(now)


def read(home: str, env: Mapping[str, str], *, evidence: bool = True) -> Statuses:
    """For a command that prints once: the statuses, of a new watcher if it starts in time."""
    reader = Reader(home, evidence=evidence, hosts=True)
    statuses, now, start = reader.read(), time.time(), WatcherStart(home, env)
    if _has_reason(statuses, env) and start.look(statuses, now) and sys.stderr is not None:
        print(STARTED, file=sys.stderr, flush=True)
    start.collect(statuses, now)
    if start.has_started:
        statuses = reader.read()
    deadline = time.monotonic() + PATIENCE_S
    while statuses.watcher(time.time()) is Watcher.STARTING and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
        statuses = reader.read()
    return statuses


def _has_reason(statuses: Statuses, env: Mapping[str, str]) -> bool:
    """A watcher ran here before, there are traces of an agent, the hooks are installed, or it is a board for others."""
    return (
        bool(statuses.local or statuses.heartbeat or statuses.unheard)
        or collector_launch.is_wanted(env)
        or has_hooks(env)
    )


def has_hooks(env: Mapping[str, str]) -> bool:
    return any(HOOK in content(os.path.realpath(client.settings(env))) for client in clients.known())
