"""Starting the watcher: detached, and one, however many ask for it at the same moment."""

from __future__ import annotations

import posix
import sys

from contract import paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The watcher inherits what it needs to find its way, and none of the client's secrets or session marks.
KEPT = (
    "HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "CLAUDE_CONFIG_DIR",
    "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME",
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
)  # fmt: skip
PROJECT = __file__.rpartition("/recorder/")[0]


def ensure_watcher(home: str, env: Mapping[str, str]) -> bool:
    """Start a watcher unless one runs or is being started; whether we started one.

    Whoever wins the starting lock hands it on to the new process, which lets go of it when it holds its own. In
    between, all others see that a watcher is on its way.
    """
    if store.is_locked(paths.watcher_lock(home)):
        return False
    fd = store.take(paths.starting_lock(home))
    if fd is None:
        return False
    try:
        # It may have started between the two questions.
        if store.is_locked(paths.watcher_lock(home)):
            return False
        posix.set_inheritable(fd, True)
        _spawn(command(fd), kept(env, home))
    finally:
        posix.close(fd)
    return True


def command(fd: int) -> list[str]:
    return [sys.executable, "-E", f"{PROJECT}/yourturn.py", "watch", "--until-idle", "--starting-lock", str(fd)]


def kept(env: Mapping[str, str], home: str) -> dict[str, str]:
    found = {name: env[name] for name in env if name in KEPT or name.startswith("YOURTURN_")}
    return {**found, "YOURTURN_HOME": home}


def _spawn(argv: list[str], env: dict[str, str]) -> None:
    """In a session of its own, so that neither the client's end nor a terminal's takes it along."""
    nothing = [(posix.POSIX_SPAWN_OPEN, fd, "/dev/null", posix.O_RDWR, 0) for fd in (0, 1, 2)]
    posix.posix_spawn(argv[0], argv, env, file_actions=nothing, setsid=True)
