"""What went wrong in a hook: one line in a log that never grows past a bound."""

from __future__ import annotations

import time

from contract import fault, paths, store
from contract.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contract.facts import Stamp

LIMIT = 64 << 10


def note(home: str, stamp: Stamp, error: Exception) -> None:
    """The kind of error and our own words on it; nothing of the event, which Python's words may quote."""
    _write(home, stamp, clean(fault.words(error), 300))


def note_once(home: str, stamp: Stamp, words: str) -> None:
    """What would be said of every event alike, unless the log says it already."""
    if words.encode() not in (store.read(paths.hook_log(home)) or b""):
        _write(home, stamp, words)


def _write(home: str, stamp: Stamp, words: str) -> None:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(stamp.wall))
    line = f"{when} {words}\n".encode("utf-8", "replace")
    try:
        store.append(paths.hook_log(home), line, limit=LIMIT)
    except FileNotFoundError:
        store.private_folder(home)
        store.append(paths.hook_log(home), line, limit=LIMIT)
