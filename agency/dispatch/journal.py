"""dispatch/<id>.jsonl: which tasks of a batch were begun and how they ended, to go on after its dispatcher was killed.

A line is written before what it tells of happens: a worker whose start is not noted here has run nothing. The
dispatcher holds a lock on its journal as long as it lives, so nobody else goes on with the same batch.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from typing import TYPE_CHECKING, Any, Self

from agency.dispatch import earlier_run
from agency.outcome import NotDone, Outcome, ambiguous, no_such_target, refused
from contract import machine, paths, store, typed
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from agency.dispatch.earlier_run import EarlierRun
    from agency.dispatch.job import Job
    from agency.registration import Spawned

VERSION = 1
KEPT_S = 7 * 86400.0
SHORT = 8  # as many characters of its id name a journal
ENDING = ".jsonl"
READING = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class NotNoted(NotDone):
    """The journal cannot be written: nothing further may be begun."""


class Journal:
    def __init__(self, path: str, fd: int, before: EarlierRun) -> None:
        self.path, self._fd, self.earlier = path, fd, before
        self.has_tasks = bool(before.begun)  # that were begun: without any there is nothing to go on with

    @classmethod
    def new(cls, home: str, session: str, name: str) -> Self:
        """OSError, with the name of the file, if it cannot be made."""
        store.private_folder(paths.dispatch_dir(home))
        path = paths.dispatch(home, session)
        fd = os.open(path, READING | os.O_CREAT | os.O_EXCL, 0o600)
        made = cls(path, fd, earlier_run.EarlierRun(session, name))
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            made._note_dispatcher()
        except BaseException:
            made.remove()
            raise
        return made

    @classmethod
    def again(cls, home: str, word: str) -> Self:
        """That of an earlier dispatcher, which must not live any more."""
        path = _found(home, word)
        fd = _taken(path, word)
        try:
            before = earlier_run.decode(os.pread(fd, os.fstat(fd).st_size, 0))
            if before is None:
                raise no_such_target(f"{path}: it has no first line, so nothing was started")  # noqa: TRY301
            made = cls(path, fd, before)
            made._close_the_line()
            made._note_dispatcher()
        except BaseException:
            os.close(fd)
            raise
        return made

    @property
    def id(self) -> str:
        return self.earlier.session[:SHORT]

    def note_start(self, job: Job, agent: Spawned) -> None:
        """Of a process that waits to be let go. No prompt and no command, only a digest of the task."""
        process = {"pid": agent.pid, "start": agent.start, "boot": earlier_run.boot_clock()}
        self.has_tasks = True
        self._note({"task": job.id, "digest": job.digest, "session": agent.session, **process})

    def note_end(self, record: dict[str, Any]) -> None:
        """Without the last message of the agent."""
        self._note({"task": record["id"], "ended": {key: record[key] for key in earlier_run.KEPT}})

    def remove(self) -> None:
        """Nothing is left to go on with."""
        store.remove(self.path)
        self.close()

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _note_dispatcher(self) -> None:
        """Where pids that follow mean what they say: the batch may be resumed elsewhere."""
        who = {"v": VERSION, "dispatch": self.earlier.session, "name": self.earlier.name}
        self._note({**who, "place": machine.here(), "at": round(time.time(), 3)})

    def _note(self, record: dict[str, Any]) -> None:
        """All of the line or nothing: half a line would spoil the next one."""
        line, size = json.dumps(record).encode() + b"\n", os.fstat(self._fd).st_size
        try:
            if os.write(self._fd, line) != len(line):
                raise OSError(28, os.strerror(28))  # noqa: TRY301 - as the rest of it would have been told
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, size)
            raise NotNoted(Outcome("could not", 1, f"{self.path}: {error.strerror}")) from None

    def _close_the_line(self) -> None:
        """Of one that was killed while it wrote."""
        size = os.fstat(self._fd).st_size
        if size and os.pread(self._fd, 1, size - 1) != b"\n":
            os.write(self._fd, b"\n")


def sweep(home: str, now: float) -> None:
    """Remove those that nobody has come back to."""
    folder = paths.dispatch_dir(home)
    for name in store.names(folder, ENDING):
        path = f"{folder}/{name}"
        with contextlib.suppress(OSError, NotDone):
            if now - os.lstat(path).st_mtime > KEPT_S:
                fd = _taken(path, name)
                store.remove(path)
                os.close(fd)


def _found(home: str, word: str) -> str:
    folder = paths.dispatch_dir(home)
    names = [name for name in store.names(folder, ENDING) if word and name.startswith(word)]
    if not names:
        raise no_such_target(f"no dispatch {tidy(word, 40)!r} is left to resume. One that has finished is not kept")
    if len(names) > 1:
        listed = "\n".join(f"  {tidy(name.removesuffix(ENDING), 64)}" for name in names)
        raise ambiguous(f"{tidy(word, 40)!r} matches several:\n{listed}")
    return f"{folder}/{names[0]}"


def _taken(path: str, word: str) -> int:
    """A descriptor with the lock. A file that its holder removed meanwhile is no journal any more."""
    gone = no_such_target(f"the dispatch {tidy(word, 40)!r} has just finished")
    try:
        fd = os.open(path, READING)
    except FileNotFoundError:
        raise gone from None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.lexists(path) or not os.path.samestat(os.fstat(fd), os.lstat(path)):
            raise gone  # noqa: TRY301 - the descriptor is closed below
    except BlockingIOError:
        os.close(fd)
        raise refused(f"the dispatch {tidy(word, 40)!r} still runs: {typed.command('ps')}") from None
    except BaseException:
        os.close(fd)
        raise
    return fd
