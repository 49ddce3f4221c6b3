"""The note in a session's fact that somebody is ending its process: the watcher can tell killed from lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agency.clock import stamp
from agency.target import read_fact
from contract import facts, paths, store
from contract.facts import Mark

if TYPE_CHECKING:
    from agency.audit import Subject
    from processes.caller import Caller


def put(home: str, subject: Subject, by: Caller) -> None:
    """Before the first signal. Raises OSError if it cannot be written."""
    _write(home, subject, Mark(at=stamp(), word=by.words()))


def take_back(home: str, subject: Subject) -> None:
    """It lives on: when it ends some day, nobody has killed it."""
    _write(home, subject, None)


def _write(home: str, subject: Subject, mark: Mark | None) -> None:
    """No fact is made where there is none, and that of another process, which resumed the session, stays as it is."""
    path = paths.fact(home, subject.session, paths.MAIN)
    if not store.exists(path):
        return
    with store.Locked(path):
        fact = read_fact(path)
        if fact is None:
            if not store.exists(path):
                store.remove(path + ".lock")  # a lock goes with its data
            return
        if fact.client and fact.client.pid == subject.pid and fact.client.start in ("", subject.start):
            fact.killed = mark
            store.replace(path, facts.encode(fact))
