"""Starts the watcher from a hook: with the hook's own program, or as a plugin with one that has to be found.

`yourturn install` has recorded a Python that can run the watcher. A plugin's hooks run with whatever python3 is on
PATH: it may be too old, or lack the packages. A process of its own looks for another one, so that no hook waits; if
there is none, the user is told so. Nothing else that a hook does is ever seen.
"""

from __future__ import annotations

import posix
import sys

from contract import lack, launch, wire
from recorder import clients

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from contract.lack import Lack

AGAIN_S = 300  # somebody may have installed what was lacking
DAY_S = 86400
FINDER = f"{launch.PROJECT}/recorder/finder.py"
KIND, PIPE, SOCKET = 0o170000, 0o010000, 0o140000  # of the mode of a file


def start(home: str, env: Mapping[str, str], client: str, now: float) -> None:
    speaker = clients.named(client)
    if speaker.plugin(env) != launch.PROJECT:
        launch.ensure_watcher(home, env)
        return
    known = lack.read(home)
    if known is None or abs(now - known.at) >= AGAIN_S:
        launch.ensure_watcher(home, env, command=finder)
    elif abs(now - known.told) >= DAY_S and is_read(1):
        _tell(home, known, speaker.notice(f"yourturn: {known.words} {known.remedy}", env), now)


def finder(fd: int) -> list[str]:
    return [sys.executable, "-S", "-E", FINDER, str(fd)]


def is_read(fd: int) -> bool:
    """Whether the client reads what is written there: the hooks of most events have their output thrown away."""
    try:
        return posix.fstat(fd).st_mode & KIND in (PIPE, SOCKET)
    except OSError:
        return False


def _tell(home: str, known: Lack, notice: dict[str, Any], now: float) -> None:
    if notice:
        known.told = int(now)
        lack.write(home, known)  # first: where it cannot be noted, it would be told at every event
        posix.write(1, wire.encode(notice))
