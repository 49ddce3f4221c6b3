"""A piece of work in a process of its own: it may fall, hang or be another user without harm to the rest."""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import time
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from torture.room import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable

# Another user may not be able to read our files or Python's: what is imported late must be there before.
LATE = (
    "contract.heldfile", "contract.launch", "contract.odd_json", "contract.lock_waiting", "hashlib", "pwd",
    "recorder.surroundings", "recorder.trouble",
)  # fmt: skip
PR_SET_DUMPABLE = 4


class FellError(Exception):
    """The work raised something, or its process ended without a word."""


class HungError(FellError):
    """The work went on for ever."""


def apart(work: Callable[[], Any], *, uid: int | None = None, patience: float = PATIENCE_S) -> Any:
    """What the work found, as JSON has it."""
    theirs, ours = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(theirs)
        _work(work, uid, ours)
    os.close(ours)
    try:
        said = _read(theirs, time.monotonic() + patience)
    finally:
        os.close(theirs)
        os.kill(pid, signal.SIGKILL)  # it is ours and not waited for yet, so the number is still its own
        os.waitpid(pid, 0)
    if not said:
        raise FellError("its process ended without a word")
    kind, found = json.loads(said)
    if kind != "found":
        raise FellError(found)
    return found


def _work(work: Callable[[], Any], uid: int | None, out: int) -> NoReturn:
    try:
        if uid is not None:
            _become(uid)
        said = json.dumps(["found", work()])
    except BaseException:
        said = json.dumps(["fell", traceback.format_exc(limit=-2)])
    with open(out, "w", encoding="utf-8") as file:
        file.write(said)
    os._exit(0)


def _become(uid: int) -> None:
    for name in LATE:
        import_module(name)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    # A process that has changed its user may not look at its own /proc/self/io any more.
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def _read(fd: int, end: float) -> bytes:
    chunks: list[bytes] = []
    while select.select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
        chunk = os.read(fd, 1 << 16)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
    raise HungError("it hung")
