"""What the files of all clients read in the same way: records, times and numbers in a line, and what a folder holds."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from contract import wire
from contract.clean import clean
from usage.message import EARLIEST, LATEST, NEVER

if TYPE_CHECKING:
    from collections.abc import Mapping

SUFFIX = ".jsonl"
MOST = 10**9  # no message has as many tokens
LONGEST_NAME, LONGEST_FOLDER = 80, 400
NOT_NAMES = ("", ".", "..")


def record(line: bytes) -> dict[str, Any]:
    """Empty for garbage."""
    try:
        return fields(wire.decode(line))
    except ValueError:
        return {}


def fields(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}


def number(figures: Mapping[str, Any], name: str) -> int:
    """0 for what cannot be a number of tokens."""
    value = figures.get(name)
    return value if type(value) is int and 0 <= value <= MOST else 0


def fresh(given: int, *cached: int) -> int:
    """The tokens that a model was given and that came from no cache; some clients' count is of these alone."""
    return given - sum(cached) if given >= sum(cached) else given


def time(stamp: object) -> int:
    """Milliseconds."""
    try:
        at = datetime.fromisoformat(stamp) if isinstance(stamp, str) else None
        # Without a zone it would be read as a local time, and be another one elsewhere.
        millis = round(at.timestamp() * 1000) if at and at.tzinfo else NEVER
    except (ValueError, OverflowError):
        return NEVER
    return millis if EARLIEST <= millis < LATEST else NEVER


def name(text: object) -> str:
    """Of a session or a model."""
    return clean(text, LONGEST_NAME)


def folder(text: object) -> str:
    return clean(text, LONGEST_FOLDER)


def is_name(session: str) -> bool:
    """Whether it leads to no other folder."""
    return "/" not in session and "\0" not in session and session not in NOT_NAMES


def entries(path: str) -> list[os.DirEntry[str]]:
    """In the order of their names; none of a folder that is not there or cannot be read."""
    with suppress(OSError), os.scandir(path) as found:
        return sorted(found, key=lambda entry: entry.name)
    return []


def folders(path: str) -> list[str]:
    return [entry.path for entry in entries(path) if entry.is_dir()]
