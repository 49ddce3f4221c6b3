"""Starting the watcher: detached, and one, however many ask for it at the same moment."""

from __future__ import annotations

import posix
import sys

from contract import clients, paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# The watcher inherits what it needs to find its way, the variable that names each client's folder, and none of the
# client's secrets or session marks.
KEPT = (
    "HOME", "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
    "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME",
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
)  # fmt: skip
PROJECT = __file__.rpartition("/contract/")[0]
FRONT_DOOR = f"{PROJECT}/yourturn.py"  # from a checkout and from a wheel: as a script it has its own folder first
PAUSE_S, LONGEST_PAUSE_S = 5.0, 300.0
FORGOTTEN_S = 600.0  # a start that long ago says nothing about the next one
NOTE = 64  # bytes of the note about the latest start


def watching(fd: int) -> list[str]:
    """The words after our command that make it a watcher, which lets go of this starting lock."""
    return ["watch", "--until-idle", "--starting-lock", str(fd)]


def command(fd: int) -> list[str]:
    return [sys.executable, "-E", FRONT_DOOR, *watching(fd)]


def ensure_watcher(
    home: str,
    env: Mapping[str, str],
    may_start: Callable[[int], bool] = bool,
    command: Callable[[int], list[str]] = command,
) -> int:
    """Start a watcher unless one runs or is being started; the process that was started, 0 if none was.

    Whoever wins the starting lock hands it on to the new process, which lets go of it when it holds its own. In
    between, all others see that a watcher is on its way. `may_start` is asked with the lock in hand; `command` is
    given it too.
    """
    return ensure((paths.watcher_lock(home), paths.starting_lock(home)), may_start, command, kept(env, home))


def ensure(
    locks: tuple[str, str],
    may_start: Callable[[int], bool],
    command: Callable[[int], list[str]],
    env: dict[str, str],
) -> int:
    """The same for any process of which there is one for each state folder: its own lock, its starting lock.

    `env` is all that it inherits.
    """
    lock, starting = locks
    if store.is_locked(lock):
        return 0
    fd = store.take(starting)
    if fd is None:
        return 0
    try:
        # It may have started between the two questions.
        if store.is_locked(lock) or not may_start(fd):
            return 0
        posix.set_inheritable(fd, True)
        return _spawn(command(fd), env)
    finally:
        posix.close(fd)


def is_allowed(env: Mapping[str, str]) -> bool:
    return env.get("YOURTURN_NO_WATCHER") != "1"


def start_again(home: str, env: Mapping[str, str], now: float) -> int:
    """The same for those who ask again and again: a watcher that dies at once is started less and less often.

    The pause is shared by all who ask, because it is noted in the starting lock itself: ten bars, or one command in
    a tight loop, start no more watchers than one.
    """
    return ensure_watcher(home, env, lambda fd: is_due(fd, now))


def is_due(fd: int, now: float) -> bool:
    number, latest = _noted(posix.pread(fd, NOTE, 0))
    gone = abs(now - latest)  # a clock that was set back must not forbid it for ever
    if gone > FORGOTTEN_S:
        number = 0
    elif gone < min(PAUSE_S * 2 ** (number - 1), LONGEST_PAUSE_S):
        return False
    posix.ftruncate(fd, 0)
    posix.pwrite(fd, b"%d %.3f" % (min(number + 1, 99), now), 0)
    return True


def _noted(note: bytes) -> tuple[int, float]:
    """How many starts there were one after the other, and when the latest was."""
    try:
        number, at = note.split()
        return max(int(number), 1), float(at)
    except ValueError:
        return 1, float("-inf")


def kept(env: Mapping[str, str], home: str) -> dict[str, str]:
    names = {*KEPT, *(client.CONFIG for client in clients.known() if client.CONFIG)}
    inherited = {name: env[name] for name in env if name in names or name.startswith("YOURTURN_")}
    return {**inherited, "YOURTURN_HOME": home}


def _spawn(argv: list[str], env: dict[str, str]) -> int:
    """In a session of its own, so that neither the client's end nor a terminal's takes it along."""
    nothing = [(posix.POSIX_SPAWN_OPEN, fd, "/dev/null", posix.O_RDWR, 0) for fd in (0, 1, 2)]
    return posix.posix_spawn(argv[0], argv, env, file_actions=nothing, setsid=True)


def has_ended(pid: int) -> bool:
    """Of a child of ours. Somebody must wait for its end: else it would stay in the process table."""
    try:
        return posix.waitpid(pid, posix.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
