"""A Python that has imported what commands need, and becomes each of them by a fork: started by `support.warm`.

A command is then a process of its own as ever, with its own environment, folder and files, but without the tenth of a
second that an interpreter and its imports take. It ends as any Python ends, so the fork leaves the loop and runs on;
but what was imported is not taken apart, which would copy all of it first.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import runpy
import signal
import socket
import sys
from typing import Any, TextIO

LARGEST = 128 << 10  # of a request; the environment is most of it
STREAMS = 3


def serve(channel: socket.socket) -> dict[str, Any] | None:
    """In each fork that shall become a command, what it is; None when nobody asks any more."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries who waits for a command
    while True:
        request, descriptors, _, _ = socket.recv_fds(channel, LARGEST, STREAMS + 1)
        if not request:
            return None
        if os.fork() == 0:
            channel.close()
            return _forked(json.loads(request), descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _forked(command: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
    *streams, answer = descriptors
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if pid := os.fork():
        for descriptor in streams:
            os.close(descriptor)
        os.write(answer, b"%d\n" % pid)
        os.write(answer, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        os._exit(0)
    os.close(answer)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout, sys.stderr = map(_opened, range(STREAMS), (sys.stdin, sys.stdout, sys.stderr))
    return command


def _opened(number: int, before: TextIO) -> TextIO:
    """Anew: the one before knows of another file, whether one can go back in it for example."""
    mode, lines = ("w" if number else "r"), (1 if number == STREAMS - 1 else -1)
    made = open(number, mode, lines, encoding=before.encoding, errors=before.errors, closefd=False)  # noqa: SIM115
    assert isinstance(made, io.TextIOWrapper)
    return made


def become(argv: list[str], cwd: str, env: dict[str, str]) -> None:
    """What `python *argv` does from its first line on."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.orig_argv[1:] = argv
    kind, what, *words = argv
    if kind == "-c":
        sys.argv = ["-c", *words]
        sys.path.insert(0, "")
        exec(what, {"__name__": "__main__", "__builtins__": __builtins__})  # noqa: S102 - as Python does
    else:
        sys.argv = [what, *words]
        sys.path.insert(0, cwd)
        runpy.run_module(what, run_name="__main__", alter_sys=True)


class Ending:
    """How a command wants to end, unless it falls. Registered first, so that it is asked last."""

    def __init__(self) -> None:
        self.code: int | None = None
        atexit.register(self._leave)

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, _more: object) -> None:
        code = error.code if isinstance(error, SystemExit) else None
        if error is None or isinstance(error, SystemExit):
            self.code = code if isinstance(code, int) else int(code is not None)

    def _leave(self) -> None:
        if self.code is not None:
            with contextlib.suppress(OSError):  # nobody reads any more: Python itself knows what to do then
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(self.code & 0xFF)


def main() -> None:
    ending = Ending()
    number, project, *modules = sys.argv[1:]
    sys.path[:] = [project, *sys.path[1:]]
    for name in modules:
        importlib.import_module(name)
    sys.path.remove(project)
    gc.collect()
    gc.freeze()
    if os.fork():
        os._exit(0)  # who has started us does not wait any longer, and has no child
    os.setsid()  # an interruption of the tests is not for us
    with socket.socket(fileno=int(number)) as channel:
        command = serve(channel)
    if command:
        with ending:
            become(command["argv"], command["cwd"], command["env"])


if __name__ == "__main__":
    main()
