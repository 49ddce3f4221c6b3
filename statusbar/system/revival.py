"""Bringing back a watcher that is gone.

Hooks start one too, but not always in time: while a request is open nothing fires a hook, not even its approval, so
the light of a watcher that was killed would stand for good. Front ends that stay start one whenever what they show is
not known. A command that prints once does so only where there is reason to think that agents run here, says that it
did, and does not wait for more than a blink: it may be part of somebody's prompt.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from contract import launch, store
from contract.clients import claude
from contract.pulse import Watcher
from statusbar.demo import marker
from statusbar.model.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statusbar.model.snapshot import Statuses

BLINK_S, PAUSE_S = 0.5, 0.02
STARTED = "yourturn: no watcher was running; one was started"
HOOK = f"{launch.PROJECT}/hook.py".encode()


class Revival:
    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self._home, self._env = home, env
        self._started: list[int] = []

    def look(self, statuses: Statuses, now: float) -> bool:
        """Start a watcher if one is missing; whether one was started just now."""
        self._started = [pid for pid in self._started if not _has_ended(pid)]
        if not is_missing(statuses, now) or not launch.is_allowed(self._env) or marker.is_on(self._env):
            return False
        try:
            pid = launch.start_again(self._home, self._env, now)
        except OSError:  # a folder that nobody has made yet, or that is closed to us: that is said elsewhere
            return False
        self._started += [pid] if pid else []
        return bool(pid)


def is_missing(statuses: Statuses, now: float) -> bool:
    return statuses.watcher(now) is Watcher.GONE and not statuses.unusable and not statuses.is_well(now)


def read(home: str, env: Mapping[str, str]) -> Statuses:
    """For a command that prints once: what there is to read, by a new watcher if that comes in time."""
    reader = Reader(home)
    found, now = reader.read(), time.time()
    if _has_reason(found, env) and Revival(home, env).look(found, now) and sys.stderr is not None:
        print(STARTED, file=sys.stderr, flush=True)
    deadline = time.monotonic() + BLINK_S
    while (found := reader.read()).watcher(time.time()) is Watcher.STARTING and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    return found


def _has_reason(found: Statuses, env: Mapping[str, str]) -> bool:
    """A watcher was here before, an agent or its client has left a trace, or our hooks are installed."""
    return bool(found.sessions or found.heartbeat or found.unheard) or _has_hooks(env)


def _has_hooks(env: Mapping[str, str]) -> bool:
    try:
        return HOOK in (store.read(os.path.realpath(claude.config_dir(env) + "/settings.json")) or b"")
    except OSError:
        return False


def _has_ended(pid: int) -> bool:
    """A child that nobody waits for would stay in the process table as long as we live."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
