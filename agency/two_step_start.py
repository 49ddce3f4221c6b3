"""Starting a program in two steps: it is there and can be registered before it runs.

The new process waits until it is let go. If whoever started it dies before that, it ends without having run anything.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from processes.identity import start_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOT_RUN = 127
GO = b"g"


class Streams(NamedTuple):
    """The descriptors of the new process; what it inherits if not said."""

    stdin: int = 0
    stdout: int = 1
    stderr: int = 2


INHERITED = Streams()


class Held(NamedTuple):
    """A process that has not become its program yet."""

    pid: int
    start: str
    go: int  # to be written to
    trouble: int  # to be read from: what kept it from running


class Program(NamedTuple):
    """What a process becomes."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    streams: Streams = INHERITED
    apart: bool = True  # in a session of its own, out of reach of the terminal's signals


def hold(program: Program) -> Held:
    wait_for_go, go = os.pipe()
    trouble, tell = os.pipe()
    file = _file(program)
    pid = os.fork()
    if pid == 0:
        os.close(go)
        os.close(trouble)
        _become(program, file, wait_for_go, tell)
    os.close(wait_for_go)
    os.close(tell)
    return Held(pid, start_of(pid) or "", go, trouble)


def release(held: Held) -> None:
    """Let it run; OSError if it could not, and then it is gone."""
    try:
        with contextlib.suppress(BrokenPipeError):
            os.write(held.go, GO)
        os.close(held.go)
        word = os.read(held.trouble, 64)
    finally:
        os.close(held.trouble)
    if word:
        os.waitpid(held.pid, 0)
        number = int(word)
        raise OSError(number, os.strerror(number))


def cancel(held: Held) -> None:
    """End it before it has run anything."""
    os.close(held.go)
    os.close(held.trouble)
    os.waitpid(held.pid, 0)


def _file(program: Program) -> str:
    """Found once, before the fork: the new process would try every folder on PATH."""
    found = shutil.which(program.argv[0], path=program.env.get("PATH"))
    return found if found and os.path.isabs(found) else program.argv[0]


def _become(program: Program, file: str, go: int, tell: int) -> NoReturn:
    """In the new process: never back into the code of the old one. It gets ready while it is being registered."""
    go, tell = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3) for fd in (go, tell))  # out of the way of its streams
    try:
        if program.apart:
            os.setsid()
        os.chdir(program.cwd)
        _take(program.streams)
        for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # Python ignores the first, and its handlers end with it
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if os.read(go, 1) == GO:
            os.execvpe(file, list(program.argv), dict(program.env))  # noqa: S606 - without a shell, on purpose
    except OSError as error:
        os.write(tell, b"%d" % (error.errno or 0))
    finally:
        os._exit(NOT_RUN)


def _take(streams: Streams) -> None:
    """As 0, 1 and 2. First out of the way of each other: one of them may be in the place of another."""
    moved = [os.dup(fd) for fd in streams]
    for place, fd in enumerate(moved):
        os.dup2(fd, place, inheritable=True)
        os.close(fd)
