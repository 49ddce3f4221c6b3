"""What was installed where, so that uninstall can restore everything."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from contract import store


@dataclass(frozen=True)
class Installed:
    """One file of a client: what was written, and what was there before."""

    wrote: str
    """Digest of the whole file as install wrote it."""
    client: str = "claude"
    absent: bool = False
    """There was no file before the installation."""
    original: str | None = None
    """The backup from before the installation; None if others changed the file between two installations."""
    original_digest: str | None = None
    made: tuple[str, ...] = ()
    """Folders that were not there before the installation, the outermost first."""
    backups: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """One entry for each file, as a person may have several clients, and several configuration folders of one."""

    files: dict[str, Installed] = field(default_factory=dict)

    def with_file(self, path: str, installed: Installed) -> Record:
        return replace(self, files={**self.files, path: installed})

    def without_file(self, path: str) -> Record:
        return replace(self, files={name: installed for name, installed in self.files.items() if name != path})


def path(home: str) -> str:
    return home + "/install.json"


def encode(record: Record) -> bytes:
    files = {name: asdict(installed) for name, installed in record.files.items()}
    return json.dumps({"v": 1, "files": files}, indent=2).encode("ascii") + b"\n"


def decode(data: bytes | None) -> Record:
    """An empty record for invalid data: then uninstall removes exactly yourturn's entries."""
    try:
        files = json.loads(data or b"{}")["files"]
        return Record({name: _installed(name, raw) for name, raw in files.items()})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Record()


def load(home: str) -> Record:
    try:
        return decode(store.read(path(home)))
    except OSError:
        return Record()


def save(home: str, record: Record) -> None:
    if record.files:
        store.private_folder(home)
        store.replace(path(home), encode(record), durable=True)
    else:
        store.remove(path(home))


def _installed(name: str, raw: dict[str, Any]) -> Installed:
    older = (os.path.dirname(name),) if raw.get("made_folder") is True else ()  # as older versions wrote it
    return Installed(
        wrote=str(raw["wrote"]),
        client=_text(raw.get("client")) or "claude",
        absent=raw.get("absent") is True,
        original=_text(raw.get("original")),
        original_digest=_text(raw.get("original_digest")),
        made=_texts(raw.get("made", older)),
        backups=_texts(raw.get("backups", ())),
    )


def _texts(raw: Any) -> tuple[str, ...]:
    return tuple(name for name in raw if isinstance(name, str))


def _text(raw: Any) -> str | None:
    return raw if isinstance(raw, str) else None
