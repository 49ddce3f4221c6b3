"""observations.jsonl: what changed, one line each, in order. Bounded, and readable while it is written.

Changes of agents as `contract.observation` tells them; how each session stands and who watched, as
`contract.observed` describes it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import life, observed, paths, store
from contract.clean import clean
from contract.observation import Observation, line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.status import SessionStatus

log = logging.getLogger("yourturn")

LIMIT = 2 << 20  # a busy day; one predecessor is kept
TOLD_ANEW = LIMIT // 4  # at most so much of a new file is taken by what was told in the one before
NAME, FOLDER = 80, 500  # characters of a name, and of the end of a path


class Standing(NamedTuple):
    """How a session stands, as far as a day is drawn from it."""

    status: str
    running: int
    name: str
    cwd: str
    hidden: bool
    rule: str = ""
    since: float = 0.0

    @property
    def light(self) -> tuple[str, int]:
        return self.status, self.running

    @property
    def about(self) -> tuple[str, str, bool]:
        return self.name, self.cwd, self.hidden


def standing(session: SessionStatus) -> Standing:
    running = sum(agent.state == life.RUNNING for agent in session.agents)
    name, cwd = clean(session.name, NAME), session.cwd[-FOLDER:]
    return Standing(session.status, running, name, cwd, session.hidden, session.rule, session.since)


class Observations:
    def __init__(self, home: str) -> None:
        self._path = paths.observations(home)
        self._told: dict[str, Standing] = {}  # in the present file, by this watcher

    def write(self, seen: Iterable[Observation]) -> None:
        noted = list(seen)
        if noted:
            self._append(b"".join(line(one) for one in noted), noted[-1].at)

    def stand(self, session: SessionStatus, at: float) -> None:
        """How the session stands from now on, if that is news."""
        new, old = standing(session), self._told.get(session.session_id)
        is_unnamed = old is None or old.about != new.about
        if is_unnamed or (old and old.light != new.light):
            self._told[session.session_id] = new
            self._append(_stands(session.session_id, new, at, is_unnamed=is_unnamed), at)

    def gone(self, session: str, at: float) -> None:
        if self._told.pop(session, None):
            fields = {"to": observed.GONE, "running": 0}
            self._append(line(Observation(observed.SESSION, at, session, "", "process", fields)), at)

    def watching(self, at: float, since: float, by: str, *, rested: bool = False) -> None:
        """Nobody watched between `since` and now; 0 if it is not known since when."""
        self._append(_watching(at, since, by, rested=rested), at)

    def _append(self, lines: bytes, at: float) -> None:
        try:
            if store.append(self._path, lines, limit=LIMIT):
                store.append(self._path, self._told_anew(at), limit=LIMIT)
        except OSError as error:
            self._told.clear()  # nobody knows what of it is there: all is told anew
            log.warning("observations: %s", error)

    def _told_anew(self, at: float) -> bytes:
        """How everything stands, for a new file. What does not fit is told with its next change."""
        lines = [_watching(at, at, observed.FILE)]
        room = TOLD_ANEW
        for session, known in list(self._told.items()):
            told = _stands(session, known, at, is_unnamed=True)
            room -= len(told)
            if room < 0:
                del self._told[session]
            else:
                lines.append(told)
        return b"".join(lines)


def _stands(session: str, new: Standing, at: float, *, is_unnamed: bool) -> bytes:
    fields: dict[str, Any] = {"to": new.status, "running": new.running}
    if is_unnamed:
        fields |= {"name": new.name, "cwd": new.cwd, "hidden": new.hidden, "since": new.since}
    return line(Observation(observed.SESSION, at, session, "", new.rule, fields))


def _watching(at: float, since: float, by: str, *, rested: bool = False) -> bytes:
    fields = {"since": round(since, 3), "rested": rested}
    return line(Observation(observed.WATCHING, at, "", "", by, fields))
