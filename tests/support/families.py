"""Real processes for tests: they say when they are ready, and end with the test."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil

from processes.procfs import Procfs
from processes.psutil_table import PsTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from processes.system_table import SystemTable


def without_lists() -> Procfs:
    """As on a kernel that was built without lists of children."""
    table = Procfs()
    table.__dict__["_lists_children"] = False
    return table


TABLES: dict[str, Callable[[], SystemTable]] = {"psutil": PsTable}
if sys.platform == "linux":
    TABLES |= {"procfs": Procfs, "procfs without lists": without_lists}


@contextlib.contextmanager
def shell(script: str, **env: str) -> Iterator[tuple[int, str]]:
    """The pid of a shell in a process group of its own, and the first line it printed; it may `read` to stay."""
    with spawn(["/bin/sh", "-c", script], **env) as process:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline().strip()


def until_zombie(process: subprocess.Popen[str]) -> None:
    """Come back when the process has ended; nobody has asked for its result yet."""
    while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0)


@contextlib.contextmanager
def spawn(argv: list[str], **env: str) -> Iterator[subprocess.Popen[str]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(argv, env={"PATH": os.environ["PATH"], **env}, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
