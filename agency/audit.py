"""audit.jsonl: each start and end of an agent that somebody asked for, and each refusal, one line each.

Several processes write here, so each line is written under a lock. What a writer that was killed, or a full disk, left
of a line is closed by the next writer: a reader skips it, and no two lines become one.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths, store
from contract.clean import clean
from contract.content import content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from processes.caller import Caller

VERSION = 1
LIMIT = 1 << 20  # some thousand lines; one predecessor is kept
NAME_LENGTH, REASON_LENGTH = 80, 400
KILL, END = "kill", "end"


class Subject(NamedTuple):
    """The agent that something was asked for."""

    session: str
    name: str = ""
    pid: int = 0
    start: str = ""


class Entry(NamedTuple):
    """One line. No prompt, no argument and no environment is in it; a command only as `contract.mask` leaves it."""

    at: float
    verb: str
    by: Caller
    target: Subject
    outcome: str
    reason: str = ""
    more: tuple[tuple[str, Any], ...] = ()  # what only this verb has to say


def note(home: str, entry: Entry) -> None:
    """Raises OSError, with the name of the file, if it cannot be written."""
    path = paths.audit(home)
    try:
        store.private_folder(home)
        with store.Locked(path):
            store.append(path, (b"" if _ends_well(path) else b"\n") + line(entry), limit=LIMIT)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from error


def line(entry: Entry) -> bytes:
    target = entry.target._replace(name=clean(entry.target.name, NAME_LENGTH))
    raw = {
        "v": VERSION, "at": round(entry.at, 3), "verb": entry.verb, "by": entry.by._asdict(),
        "target": target._asdict(), "outcome": entry.outcome, "reason": clean(entry.reason, REASON_LENGTH),
    }  # fmt: skip
    return json.dumps({**raw, **dict(entry.more)}).encode() + b"\n"


def entries(home: str) -> Iterator[dict[str, Any]]:
    """What is written there, the oldest first; what cannot be read is passed over."""
    path = paths.audit(home)
    for each in (path + ".1", path):
        for one in content(each).splitlines():
            try:
                found = json.loads(one)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict) and isinstance(found.get("target"), dict):
                yield found


def _ends_well(path: str) -> bool:
    """Whether the last line is a whole one. Links are not followed: `append` refuses them."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        size = os.fstat(fd).st_size
        return size == 0 or os.pread(fd, 1, size - 1) == b"\n"
    finally:
        os.close(fd)
