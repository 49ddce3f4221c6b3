"""The SQLite file that the count is kept in: private, of this version, and made anew if it is anything else."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress

from contract import store
from usage.tokens import Tokens

VERSION = 1
PATIENCE_S = 30.0  # somebody else writes one portion at a time
FIGURES = ", ".join(f"{name} INTEGER NOT NULL" for name in Tokens._fields)
SCHEMA = f"""
CREATE TABLE files (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, session TEXT NOT NULL, is_main INTEGER NOT NULL,
    began INTEGER NOT NULL, folder TEXT NOT NULL, disk INTEGER NOT NULL, file INTEGER NOT NULL, size INTEGER NOT NULL,
    changed INTEGER NOT NULL, place INTEGER NOT NULL, inside INTEGER NOT NULL, mark BLOB NOT NULL,
    context INTEGER NOT NULL);
CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE messages (digest INTEGER, file INTEGER, at INTEGER NOT NULL, model INTEGER NOT NULL, {FIGURES},
    PRIMARY KEY (digest, file)) WITHOUT ROWID;
CREATE TABLE totals (file INTEGER, quarter INTEGER, model INTEGER, {FIGURES},
    PRIMARY KEY (file, quarter, model)) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""


class TroubleError(OSError):
    """The file can neither be used nor made anew."""

    def __init__(self, path: str, error: sqlite3.Error) -> None:
        super().__init__(f"{path}: {error}. It is only a count of your transcripts: you may delete it")
        self.is_busy = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY  # somebody else writes


def connect(path: str, patience_s: float = PATIENCE_S) -> sqlite3.Connection:
    """Raises OSError."""
    for _ in range(2):
        _make_private(path)
        db = sqlite3.connect(path, timeout=patience_s, isolation_level=None)
        try:
            if _is_ready(db):
                return db
        except sqlite3.OperationalError as error:
            db.close()
            raise TroubleError(path, error) from error
        except sqlite3.DatabaseError:
            pass  # no file of SQLite's
        db.close()
        discard(path)
    raise TroubleError(path, sqlite3.DatabaseError("it changes while it is made"))


def discard(path: str) -> None:
    """The journal first: it must not be played back into the next file."""
    store.remove(path + "-journal")
    store.remove(path)


def _is_ready(db: sqlite3.Connection) -> bool:
    """Whether it is of this version. An empty one is made so, at once: whoever is ended meanwhile leaves it empty."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not (version or tables):
        db.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
        return True
    return bool(version == VERSION and tables)


def _make_private(path: str) -> None:
    """SQLite would follow a link, and make a file that others can read."""
    with suppress(FileNotFoundError):
        seen = os.lstat(path)
        if not stat.S_ISREG(seen.st_mode) or seen.st_nlink > 1:
            store.remove(path)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        if os.fstat(fd).st_mode & store.OTHERS:
            os.fchmod(fd, 0o600)
    finally:
        os.close(fd)
