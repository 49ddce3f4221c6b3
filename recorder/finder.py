"""Finds a program that can run the watcher, and runs it: for a plugin's hooks, see `recorder.start`.

A process of its own, run by its path with the Python of the hook, which may be as old as the hook allows. It tries one
program after the other, until one of them holds the watcher's lock. It holds the starting lock meanwhile, so that
there is one of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from contract import lack, launch, paths, pulse, store  # noqa: E402 - found only now
from contract.facts import Stamp  # noqa: E402
from contract.lack import Lack  # noqa: E402
from recorder import trouble  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OLDEST = (3, 11)  # that runs the watcher
NEWEST = 20  # the minor version up to which Pythons are looked for
PATIENCE_S, ASK_S, PAUSE_S = 60.0, 10.0, 0.02
OUR_NAME = b"yourturn "  # how `yourturn --version` begins
BIN = "/.local/bin"  # where uv and pipx put commands: a client that was not opened in a shell has it not on PATH
NOT_STARTED = "events are recorded, but no watcher could be started: "


def main() -> None:
    env = paths.environ()
    home, fd = paths.home(env), int(sys.argv[1])
    tried: list[list[str]] = []
    for program in programs(env, _last(home)):
        tried.append(program)
        if runs(program, home, fd):
            lack.forget(home)
            return
    note(home, tried, time.time())


def programs(env: Mapping[str, str], last: Sequence[str]) -> Iterator[list[str]]:
    """The most likely first: the last watcher's, that of a checkout, the installed command, Pythons with packages."""
    if last and _is_program(last[0]) and all(map(os.path.isfile, last)):
        yield [last[0], "-E", *last[1:]]
    folders = _folders(env)
    yield from ([python, "-E", launch.FRONT_DOOR] for python in _found("python", [launch.PROJECT + "/.venv/bin"]))
    yield from ([command] for command in _found("yourturn", folders) if _is_ours(command))
    if sys.version_info >= OLDEST:
        yield [sys.executable, "-E", launch.FRONT_DOOR]
    for minor in range(NEWEST, OLDEST[1] - 1, -1):
        yield from ([python, "-E", launch.FRONT_DOOR] for python in _found(f"python3.{minor}", folders)[:1])


def runs(program: list[str], home: str, fd: int) -> bool:
    """Start it as the watcher; whether it became one."""
    argv = [*program, *launch.watching(fd)]
    null = subprocess.DEVNULL
    try:
        process = subprocess.Popen(argv, stdin=null, stdout=null, stderr=null, pass_fds=[fd], start_new_session=True)
    except OSError:
        return False
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < end:
        if store.is_locked(paths.watcher_lock(home)):
            return True
        time.sleep(PAUSE_S)
    process.kill()
    return store.is_locked(paths.watcher_lock(home))  # another one may have come before it


def note(home: str, tried: list[list[str]], now: float) -> None:
    """For doctor, for the user of the client, and for whoever reads the log."""
    known = lack.read(home)
    words, remedy = wanting(tried, sys.version_info[:3]), to_install(launch.PROJECT)
    lack.write(home, Lack(at=int(now), words=words, remedy=remedy, told=known.told if known else 0))
    trouble.note_once(home, Stamp((now, 0.0)), f"{words} {remedy}")


def wanting(tried: list[list[str]], version: tuple[int, ...]) -> str:
    """What is missing, in a sentence."""
    if not tried:
        ours = ".".join(map(str, version))
        return f"{NOT_STARTED}it needs Python 3.11 or newer, and python3 is {ours}."
    return f"{NOT_STARTED}{tried[0][0]} could not run it, probably for lack of its packages."


def to_install(project: str) -> str:
    """The plugin's folder is the whole project: it can be installed from there."""
    return f"To install it: uv tool install {_quoted(project)} (or pipx install, the same way)."


def _quoted(path: str) -> str:
    from shlex import quote  # noqa: PLC0415 - only if nothing was found

    return quote(path)


def _last(home: str) -> tuple[str, ...]:
    """What the last watcher was run with."""
    beat = pulse.heartbeat(home)
    return beat.program if beat else ()


def _folders(env: Mapping[str, str]) -> list[str]:
    """A relative folder would be looked up in whichever project the hook runs in."""
    known = [*env.get("PATH", "").split(":"), paths.user_home(env) + BIN]
    return list(dict.fromkeys(folder for folder in known if folder.startswith("/")))


def _found(name: str, folders: list[str]) -> list[str]:
    return [path for path in (f"{folder.rstrip('/')}/{name}" for folder in folders) if _is_program(path)]


def _is_program(path: str) -> bool:
    return path.startswith("/") and os.path.isfile(path) and os.access(path, os.X_OK)


def _is_ours(command: str) -> bool:
    """Whether it is our command, not another one of that name."""
    try:
        asked = subprocess.run(
            [command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0 and asked.stdout.startswith(OUR_NAME)


if __name__ == "__main__":
    main()
