"""What was counted: which transcripts, how far each was read, and what was in it.

A message may stand in several transcripts. Each sighting is kept, so that whichever of them is seen first, replaced or
removed, the sums are the same. Only numbers and names are kept: paths, folders, session ids, models. No word of a
message. It may be deleted at any time; the transcripts are counted anew then, except for those that are gone.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from contract import paths, store
from usage import cache_file
from usage.lines import Place
from usage.message import Opening
from usage.owner import Sighting
from usage.tokens import NONE, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from usage.clients import Transcript
    from usage.owner import Key

T = TypeVar("T")

NEW = 0  # the number of a transcript that is not in the file yet
PLACES = ", ?" * len(Tokens._fields)
FIGURES = ", ".join(Tokens._fields)
GROWN = ", ".join(f"{name} = {name} + excluded.{name}" for name in Tokens._fields)
# ruff: noqa: S608 - what is filled in are names of our own
ADD = f"INSERT INTO totals VALUES (?, ?, ?{PLACES}) ON CONFLICT DO UPDATE SET {GROWN}"
SIGHT = f"INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?{PLACES})"
SIGHTED = f"""
SELECT m.file, f.began, f.path, m.at, m.model, {FIGURES} FROM messages m JOIN files f ON f.id = m.file
WHERE m.digest = ?"""
SHARED = """
SELECT DISTINCT digest FROM messages
WHERE file <> :file AND digest IN (SELECT digest FROM messages WHERE file = :file)"""
SAVE = "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
FILES = "SELECT * FROM files WHERE session = :session OR :session IS NULL"
ROWS = f"""
SELECT f.session, t.quarter, n.name, {FIGURES} FROM totals t
JOIN files f ON f.id = t.file JOIN models n ON n.id = t.model
WHERE t.quarter >= :since AND (f.session = :session OR :session IS NULL)"""


class File(NamedTuple):
    """A transcript, and how far it has been read."""

    id: int
    path: bytes
    session: str
    is_main: bool
    opening: Opening = Opening()
    signature: tuple[int, int, int, int] = (0, 0, 0, 0)  # disk, file, size, time of the last change
    place: Place = Place()
    mark: bytes = b""
    context: int = 0  # tokens that the model was given for the latest answer

    def row(self) -> tuple[object, ...]:
        return (self.id or None, *self[1:4], *self.opening, *self.signature, *self.place, self.mark, self.context)


class Row(NamedTuple):
    """So many tokens of a model in a quarter of an hour, for one transcript of a session."""

    session: str
    quarter: int
    model: str
    tokens: Tokens


class Ledger:
    """Others may read while somebody writes; each `writing` is whole, or has not been."""

    def __init__(self, home: str, patience_s: float = cache_file.PATIENCE_S) -> None:
        store.private_folder(home)
        path = paths.usage(home)
        with store.Locked(path):
            self._db = cache_file.connect(path, patience_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    # Transcripts

    def files(self, session: str | None = None) -> dict[bytes, File]:
        """All, or those of one session."""
        found = self._db.execute(FILES, {"session": session})
        return {row[1]: _file(row) for row in found}

    def file(self, transcript: Transcript) -> File:
        """As it was left, or a new one."""
        path = os.fsencode(transcript.path)
        found = self._db.execute("SELECT * FROM files WHERE path = ?", (path,)).fetchone()
        if found:  # perhaps before its first line, which says whose it is
            return _file(found)._replace(session=transcript.session, is_main=transcript.is_main)
        return File(NEW, path, transcript.session, transcript.is_main, Opening(folder=transcript.folder))

    def save(self, file: File) -> File:
        """With its number."""
        return file._replace(id=self._db.execute(SAVE, file.row()).lastrowid or NEW)

    def forget(self, file: int) -> None:
        for table in ("messages", "totals"):
            self._db.execute(f"DELETE FROM {table} WHERE file = ?", (file,))

    def folders(self) -> dict[str, str]:
        """Where each session worked: as its own transcript says, else that of a sub-agent."""
        found = self._db.execute("SELECT session, folder FROM files WHERE folder <> '' ORDER BY is_main, path DESC")
        return dict(found.fetchall())

    # Messages

    def sightings(self, digest: int) -> list[Sighting]:
        found = self._db.execute(SIGHTED, (digest,))
        return [
            Sighting(file, began, path, at, model, Tokens(*figures)) for file, began, path, at, model, *figures in found
        ]

    def sight(self, digest: int, sighting: Sighting) -> None:
        self._db.execute(SIGHT, (digest, sighting.file, sighting.at, sighting.model, *sighting.tokens))

    def shared(self, file: int) -> list[int]:
        """The messages that stand in another transcript too."""
        return [digest for (digest,) in self._db.execute(SHARED, {"file": file})]

    def model(self, name: str) -> int:
        """Its number."""
        self._db.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (name,))
        (number,) = self._db.execute("SELECT id FROM models WHERE name = ?", (name,)).fetchone()
        return int(number)

    # Sums

    def add(self, changes: Mapping[Key, Tokens]) -> None:
        changed = {key: tokens for key, tokens in changes.items() if tokens != NONE}
        self._db.executemany(ADD, ((*key, *tokens) for key, tokens in changed.items()))
        if any(tokens.messages < 0 for tokens in changed.values()):
            self._db.execute("DELETE FROM totals WHERE messages = 0")

    def rows(self, since: int = 0, session: str | None = None) -> list[Row]:
        """From a quarter of an hour on; with 0 also those whose time is not known."""
        found = self._db.execute(ROWS, {"since": since, "session": session})
        return [Row(session, quarter, model, Tokens(*figures)) for session, quarter, model, *figures in found]


def use(home: str, work: Callable[[Ledger], T], patience_s: float = cache_file.PATIENCE_S) -> T:
    """What `work` makes of the ledger. Garbage is made anew, once. Raises OSError."""
    path = paths.usage(home)
    try:
        return _use(home, work, patience_s)
    except sqlite3.OperationalError as error:
        raise cache_file.TroubleError(path, error) from error
    except sqlite3.DatabaseError:
        cache_file.discard(path)
    try:
        return _use(home, work, patience_s)
    except sqlite3.Error as error:
        raise cache_file.TroubleError(path, error) from error


def _use(home: str, work: Callable[[Ledger], T], patience_s: float) -> T:
    with Ledger(home, patience_s) as ledger:
        return work(ledger)


def _file(row: Sequence[Any]) -> File:
    number, path, session, is_main, began, folder, disk, file, size, changed, offset, inside, mark, context = row
    place, signature = Place(offset, bool(inside)), (disk, file, size, changed)
    return File(number, path, session, bool(is_main), Opening(began, folder), signature, place, mark, context)
