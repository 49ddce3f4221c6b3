"""Why a plugin's hooks could not start a watcher: written by `recorder.finder`, read by the hooks and by doctor."""

from __future__ import annotations

from contract import paths, store, wire
from contract.facts import Record, number, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

VERSION = 1


class Lack(Record):
    __slots__ = ("at", "remedy", "told", "words")
    at: int  # when a program that can run the watcher was looked for last, in seconds of the wall clock
    words: str  # why none of those that were found can
    remedy: str
    told: int  # when the user was told, 0 if never
    SHAPE: dict[str, Callable[[Any], Any]] = {"at": number, "words": text, "remedy": text, "told": number}  # noqa: RUF012


def read(home: str) -> Lack | None:
    """None if nothing is lacking, as far as is known."""
    try:
        lack = Lack.load(wire.decode(store.read(paths.lack(home)) or b""))
    except (OSError, ValueError):
        return None
    return lack if lack and lack.words else None


def write(home: str, lack: Lack) -> None:
    store.replace(paths.lack(home), wire.encode({"v": VERSION, **lack.dump()}) + b"\n")


def forget(home: str) -> None:
    store.remove(paths.lack(home))
