"""Runs a Python command as a process of its own that is forked from one with its modules imported: far cheaper.

What depends on the start of Python itself cannot be had so: such a command is started as ever.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING

from support.patience import PATIENCE_S
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVER = f"{PROJECT}/tests/support/warm_server.py"
MODULES = (
    "yourturn", "psutil", "installer.commands", "usage.show", "answers.give", "fleet.hosts", "fleet.share",
    "agency.agents", "agency.dispatch.command", "agency.kill", "agency.spawn", "statusbar.settings.config",
    *(f"statusbar.cli.{name}" for name in ("answer", "day", "explain", "line", "log", "ps", "status", "tree")),
)  # fmt: skip
OURS = ("PYTHON", "LC_", "LD_")  # of these an interpreter takes note when it starts
_STARTING = threading.Lock()


def run(argv: list[str], env: Mapping[str, str], cwd: str) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` does, with the output caught and nothing to read."""
    _, *words = argv
    if not fits(argv, env):
        quiet = subprocess.DEVNULL
        return subprocess.run(
            argv, env=env, cwd=cwd, stdin=quiet, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    told, out, errors = _run({"argv": words, "cwd": cwd, "env": dict(env)})
    return subprocess.CompletedProcess(argv, int(told.split()[1]), out.decode(), errors.decode())


def fits(argv: list[str], env: Mapping[str, str]) -> bool:
    is_plain = env.get("LANG") == "C.UTF-8" and not any(name.startswith(OURS) for name in env)
    return argv[0] == sys.executable and argv[1] in ("-c", "-m") and is_plain


def _run(request: dict[str, object]) -> list[bytes]:
    """What the server tells of the command (its pid, and how it ended), and what the command writes."""
    with ExitStack() as stack:
        pipes = [os.pipe() for _ in range(3)]
        reads = [stack.enter_context(open(ours, "rb", buffering=0)) for ours, _ in pipes]
        (_, told), (_, out), (_, errors) = pipes
        try:
            with open(os.devnull, "rb") as nothing:
                asked = [json.dumps(request).encode()]
                socket.send_fds(_channel(), asked, [nothing.fileno(), out, errors, told])
        finally:
            for theirs in (told, out, errors):
                os.close(theirs)
        return _read([read.fileno() for read in reads])


def _read(descriptors: list[int]) -> list[bytes]:
    """All of it, until nobody writes any more."""
    found, end = dict.fromkeys(descriptors, b""), time.monotonic() + PATIENCE_S
    with selectors.DefaultSelector() as waiting:
        for descriptor in descriptors:
            waiting.register(descriptor, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select(max(end - time.monotonic(), 0.0)) or [_give_up(descriptors[0], found)]:
                data = os.read(key.fd, 1 << 16)
                found[key.fd] += data
                if not data:
                    waiting.unregister(key.fd)
    return list(found.values())


def _give_up(server: int, found: dict[int, bytes]) -> tuple[selectors.SelectorKey, int]:
    """On a busy machine its pid may yet have to be told; without that it could not be ended."""
    pid, *ended = map(int, (found[server] or os.read(server, 1 << 16)).split())
    if not ended:  # nobody has waited for it, so its number is nobody else's
        os.kill(pid, signal.SIGKILL)
    raise subprocess.TimeoutExpired(str(pid), PATIENCE_S)


def _channel() -> socket.socket:
    """To the one server of this process, whichever of its threads asks first: the cache alone would start two."""
    with _STARTING:
        return _started()


@cache
def _started() -> socket.socket:
    """The server is no child of this process, and ends when the channel does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        argv = [sys.executable, SERVER, str(theirs.fileno()), str(PROJECT), *MODULES]
        env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        subprocess.run(argv, env=env, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, check=True)
    return ours
