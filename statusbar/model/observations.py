"""Reads the watcher's log, observations.jsonl and the file before it. Never crashes because of what they contain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from contract import paths, store, typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Entry = dict[str, Any]


def nothing_yet() -> str:
    return f"Nothing observed yet. To check whether a watcher is running: {typed.command('doctor')}"


def entries(home: str) -> Iterator[Entry]:
    """All that both files hold, in order."""
    path = paths.observations(home)
    for each in (path + ".1", path):
        try:
            yield from parsed((store.read(each) or b"").splitlines())
        except OSError:
            continue


def parsed(lines: Iterable[bytes]) -> Iterator[Entry]:
    """Whatever is no entry is left out, such as half a line of a watcher that was killed."""
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield entry
