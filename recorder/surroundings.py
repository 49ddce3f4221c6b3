"""Who speaks through the hook: the client's process and where its terminal is. Read once for each process."""

from __future__ import annotations

import posix
import sys

from contract import machine, proc_stat
from contract.clean import clean
from contract.facts import Client
from contract.proc_stat import PPID, START

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Enough to bring the terminal to the front later, and nothing else of the environment.
TERMINAL_NAMES = (
    "TMUX", "TMUX_PANE", "STY", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID", "TERM_PROGRAM", "TERM_SESSION_ID",
    "ITERM_SESSION_ID", "KITTY_WINDOW_ID", "KITTY_LISTEN_ON", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET",
    "GHOSTTY_RESOURCES_DIR", "ALACRITTY_WINDOW_ID", "KONSOLE_DBUS_SESSION", "TERMINAL_EMULATOR", "VSCODE_PID",
    "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY",
)  # fmt: skip
WRAPPERS = ("sh", "bash", "dash", "zsh", "ksh", "fish", "env", "timeout", "nice", "sudo")
# Whoever adopts the children of a process that has died: above a hook, they mean that its client is gone.
REAPERS = ("systemd", "init", "launchd", "tini", "dumb-init", "docker-init", "catatonit")
FARTHEST = 12


def client(pid_said: str, entrypoint: str, background: bool) -> Client | None:
    """The client's process: what it says itself, else the first one above us that is not a shell."""
    pid = _pid(pid_said) or _above_the_shells(posix.getppid())
    if not pid:
        return None
    host, boot, pids = machine.here()
    return Client(
        pid=pid,
        start=_stat(pid).get("start", ""),
        entrypoint=clean(entrypoint, 40),
        background=background,
        host=host,
        boot=boot,
        pids=pids,
    )


def may_live(known: Client, beside: Client) -> bool:
    """Whether a client may still be there beside another one; what cannot be seen from here may be."""
    if known.boot != beside.boot:
        return bool(known.host) and known.host != beside.host
    if known.pids != beside.pids:
        return bool(known.host)
    if sys.platform != "linux":
        return proc_stat.exists(known.pid)
    return bool(known.start) and _stat(known.pid).get("start") == known.start


def parent(pid: int) -> int:
    """0 if it cannot be seen."""
    return int(_stat(pid).get("parent", 0))


def has_ended(client: Client) -> bool:
    """Whether the process that this hook speaks for is gone already; one that may not be looked at is not."""
    return not client.start and not proc_stat.exists(client.pid)


def _pid(said: str) -> int:
    """0 if the client does not say."""
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else 0  # noqa: PLR2004 - a pid


def terminal(env: Mapping[str, str], pid: int) -> dict[str, str]:
    found = {name: clean(env[name], 512) for name in TERMINAL_NAMES if env.get(name)}
    tty = _tty(pid)
    return {**found, "tty": tty} if tty else found


def _above_the_shells(pid: int) -> int:
    for _ in range(FARTHEST):
        seen = _stat(pid)
        if not seen or pid <= 1 or seen["name"] in REAPERS:
            return 0
        if seen["name"].lstrip("-") not in WRAPPERS:
            return pid
        pid = int(seen["parent"])
    return 0


def is_orphan() -> bool:
    """Whether this hook has outlived its client; not if nobody can tell."""
    pid = posix.getppid()
    for _ in range(FARTHEST):
        seen = _stat(pid)
        name = seen.get("name", "")
        if name.lstrip("-") not in WRAPPERS:
            return name in REAPERS
        pid = int(seen["parent"])
    return False


def _stat(pid: int) -> dict[str, str]:
    """Name, parent and start of a process; {} if it cannot be seen."""
    if sys.platform != "linux":
        return _stat_by_ps(pid)
    return parse_stat(proc_stat.line(pid))


def parse_stat(line: bytes) -> dict[str, str]:
    """Of /proc/<pid>/stat."""
    name, fields = proc_stat.stat(line)
    return {"name": name, "parent": fields[PPID].decode(), "start": fields[START].decode()} if fields else {}


def _stat_by_ps(pid: int) -> dict[str, str]:
    """Where there is no /proc; the start is left to the watcher, which can ask the kernel for it."""
    from subprocess import DEVNULL, run  # noqa: PLC0415 - once for each process

    asked = ["ps", "-o", "ppid=,comm=", "-p", str(pid)]
    said = run(asked, stdin=DEVNULL, capture_output=True, timeout=2, check=False)
    return parse_ps(said.stdout)


def parse_ps(line: bytes) -> dict[str, str]:
    """Of `ps -o ppid=,comm=`: the command may be a path with spaces."""
    parent, _, command = line.decode("utf-8", "replace").strip().partition(" ")
    name = command.strip().rpartition("/")[2]
    return {"name": name, "parent": parent, "start": ""} if parent.isdigit() and name else {}


def _tty(pid: int) -> str:
    try:
        found = posix.readlink(f"/proc/{pid}/fd/0")
    except OSError:
        return ""
    return clean(found, 80) if found.startswith(("/dev/pts/", "/dev/tty")) else ""
