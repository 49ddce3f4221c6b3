"""The last lines of the watcher's log, as text."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import Any

from statusbar.cli import log
from statusbar.text.ages import moment
from statusbar.text.width import tidy

LAST_BYTES = 1 << 16
LINE_LENGTH = 300
NONE = "No log yet: the watcher has not observed anything."


def tail(path: str) -> list[str]:
    """The newest last. Only the end of the file is read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - LAST_BYTES, 0))
            lines = file.read(LAST_BYTES).splitlines()
    except OSError:
        return [NONE]
    # The first line may have lost its beginning.
    return [words for line in lines[size > LAST_BYTES :] if (words := _worded(line))] or [NONE]


def mark(path: str) -> tuple[int, int]:
    """A value that differs when the file has changed."""
    try:
        stat = os.stat(path)
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size


def _worded(line: bytes) -> str:
    """'' for a line that a person is not told of."""
    text = line.decode("utf-8", "replace")
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        return tidy(text, LINE_LENGTH)
    if "kind" in entry:
        with contextlib.suppress(ValueError, OverflowError, OSError):  # an impossible time
            return log.worded(entry) if log.is_told(entry) else ""
    at = _clock(entry.pop("at", None))
    parts = [f"{key} {_value(value)}" for key, value in entry.items() if key != "v" and value not in (None, "")]
    return f"{at}  {tidy(', '.join(parts), LINE_LENGTH)}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _clock(at: Any) -> str:
    try:
        return time.strftime("%d %b %H:%M:%S", time.localtime(moment(at)))
    except (TypeError, ValueError, OverflowError, OSError):
        return tidy(at, 20)
