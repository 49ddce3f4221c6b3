"""`~/.codex`, or what CODEX_HOME names: the sessions of its daemon, as that tells when it is visited.

Never before another client has been there: the daemon takes the name of its first one for its own, and tells it to the
API. That there is a thread proves it. Nothing tells when to visit. So it is done when something can have changed: a
hook has spoken, a thread came or went, somebody is asked or works; and else now and then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from watcher.clients.base import Entry
from watcher.clients.codex.daemon_file import DaemonFile
from watcher.clients.codex.locks import Locks
from watcher.clients.codex.terminals import Terminals, fitting
from watcher.clients.codex.threads import BUSY, IDLE, WAITING, sessions
from watcher.clients.codex.visitor import Visitor
from watcher.clients.no_teams import NoMembers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from processes.table import Probe
    from watcher.clients.codex.daemon_file import Daemon
    from watcher.clients.codex.terminals import Terminal
    from watcher.clients.codex.threads import Thread
    from watcher.clients.codex.visitor import Report
    from watcher.clock import Clock

HEARD_S = (0.15, 0.8)  # after a hook: once it has ended, and once what it began has shown
APART_S = 0.4  # between two visits, however much is heard
AWAY_S = 0.02  # how soon to ask for what a visit brings
TOLD_S = 0.5  # the daemon knows of something so long before its hook has told us
GAPS_S = {WAITING: 0.4, BUSY: 1.5, IDLE: 20.0}
LONG_S, LONG_GAP_S = 30.0, 1.2  # somebody who has been asked for so long may be asleep
FAILED_S, LONGEST_GAP_S = 0.25, 60.0  # after a visit that failed; twice as long after each further one
STALE_S = 10.0  # what was told so long ago, and could not be asked again, is not the present

T = TypeVar("T")


class CodexFolder(NoMembers):
    def __init__(self, folder: str, probe: Probe, clock: Clock, visitor: Visitor | None = None) -> None:
        self.complete_at = 0.0
        self._clock, self._offset = clock, clock.offset
        self._daemon_file, self._terminals = DaemonFile(folder, probe, clock), Terminals(folder, probe)
        self._locks = Locks(f"{folder}/thread-writer-locks")
        self.watched = {self._locks.folder}
        self._is_met = False  # by the client that started it
        self._visitor = visitor or Visitor()
        self._daemon: Daemon | None = None
        self._wanted: list[float] = []  # when to visit (wall clock), because something has been heard
        self._visited_at, self._gap_s = float("-inf"), 0.0  # and how long after that it is time again
        self._heard_at = 0.0  # the first hook since the last visit; 0: none
        self._failures = 0
        self._told: list[Thread] = []  # sub-agents, too
        self._threads: list[Thread] = []
        self._since: dict[str, tuple[tuple[str, str], float]] = {}  # by thread: how it stands, and since when
        self._asked: dict[str, tuple[tuple[str, ...], float]] = {}  # and who of its agents is asked
        self._used_at: dict[str, float] = {}  # by thread: when it was last seen to be at work
        self._entries: tuple[Entry, ...] = ()

    def concerns(self, path: str) -> set[int] | None:
        return set() if path.rpartition("/")[0] == self._locks.folder else None

    def entries(
        self, now: float, _elsewhere: Mapping[str, int | None], changed: Iterable[int] | None = None
    ) -> tuple[Entry, ...]:
        """The same tuple as long as nothing changed. `changed`: None at a poll."""
        if changed is None:
            self._poll(now)
        self._step(now)
        return self._entries

    def refresh(self, known: Entry, now: float) -> Entry | None:
        """A session is looked at: if it does something, that may have changed."""
        if known.status == BUSY:
            self._want(now, now)
        self._step(now)
        return next((entry for entry in self._entries if entry.session_id == known.session_id), None)

    def heard(self, now: float) -> None:
        self._heard_at = self._heard_at or now
        self._want_soon(now)

    def rest(self, now: float) -> float | None:
        if self._daemon is None or not self._is_met:
            return None
        if self._visitor.is_away:
            return AWAY_S if self._visitor.is_waited_for else 0.0
        return max(0.0, self._due(now) - now)

    # --- when to visit

    def _poll(self, now: float) -> None:
        """The daemon may have come or gone, or a thread of it; or a terminal."""
        daemon = self._daemon_file.look()
        if daemon != self._daemon:
            self._is_met = False
            self._daemon, self._failures, self.complete_at = daemon, 0, 0.0
            self._told, self._threads = [], []
            self._wanted, self._visited_at = [], float("-inf")
        is_other = self._locks.look()
        self._is_met = self._is_met or (daemon is not None and self._locks.newest > daemon.began)
        if is_other:
            self._terminals.forget()
            self._want_soon(now)  # its lock is there before a thread is, and goes before it
        self._show(now)

    def _want_soon(self, now: float) -> None:
        for delay in HEARD_S:
            self._want(now + delay, now)

    def _want(self, at: float, now: float) -> None:
        """No more than two times are kept: the next, and the last."""
        at = max(at, self._visited_at + APART_S) if self._visited_at <= now else at
        known = [when for when in self._wanted if when > now]
        self._wanted = sorted({min([*known, at]), max([at, *known[1:]])})[:2]

    def _due(self, now: float) -> float:
        """Where the clock was set back: now."""
        return min([*self._wanted, self._visited_at + self._gap_s]) if self._visited_at <= now else now

    def _step(self, now: float) -> None:
        """Hear what a visit has brought, and begin the next one if it is time."""
        self._follow_clock()
        if report := self._visitor.take():
            self._hear(report, now)
        if self._daemon and self._is_met and not self._visitor.is_away and self._due(now) <= now:
            self._wanted = [at for at in self._wanted if at > now]
            self._visited_at = now
            self._visitor.go(self._daemon, now)

    def _hear(self, report: Report, now: float) -> None:
        if report.daemon != self._daemon:
            return
        if report.threads is None:
            self._failures += 1
            self._gap_s = min(FAILED_S * 2**self._failures, LONGEST_GAP_S)
        else:
            # When the visit began, as the clock has it now.
            before, self._failures, self.complete_at = self.complete_at, 0, self._visited_at
            self._told = [*report.threads, *(one for one in self._told if one.id in report.unread)]
            self._threads = sessions(self._told)
            self._date(self.complete_at, before)
            self._gap_s = self._gap(now)
        self._show(now)

    def _gap(self, now: float) -> float:
        statuses = {thread.standing.status for thread in self._threads}
        if WAITING not in statuses:
            return GAPS_S[BUSY if BUSY in statuses else IDLE]
        asked = [since for (status, _), since in self._since.values() if status == WAITING]
        return GAPS_S[WAITING] if now - max(asked, default=now) < LONG_S else LONG_GAP_S

    def _follow_clock(self) -> None:
        """What is noted here is on the wall clock: if that was set, it moves along."""
        moved, self._offset = self._clock.offset - self._offset, self._clock.offset
        if not moved:
            return
        self._visited_at, self.complete_at = self._visited_at + moved, _moved(self.complete_at, moved)
        self._heard_at = _moved(self._heard_at, moved)
        self._wanted = [at + moved for at in self._wanted]
        self._since = {id_: (standing, at + moved) for id_, (standing, at) in self._since.items()}
        self._asked = {id_: (asked, at + moved) for id_, (asked, at) in self._asked.items()}
        self._used_at = {id_: at + moved for id_, at in self._used_at.items()}

    # --- what it told

    def _date(self, at: float, before: float) -> None:
        """Since when each stands so, at the earliest: a dialog may have come after that, and be open.

        It stood otherwise at the visit `before`; and where a hook has told of something since, it was not long before.
        """
        earliest = max(before, self._heard_at - TOLD_S)
        self._heard_at = 0.0 if self._heard_at <= at else self._heard_at
        self._since = self._dated({one.id: one.standing[:2] for one in self._threads}, self._since, earliest, at)
        asked = {one.id: one.standing.asked for one in self._threads}
        self._asked = self._dated(asked, self._asked, earliest, at)
        self._used_at = {one.id: self._used(one, at, is_first=not before) for one in self._threads}

    @staticmethod
    def _dated(
        told: dict[str, T], known: dict[str, tuple[T, float]], earliest: float, at: float
    ) -> dict[str, tuple[T, float]]:
        """With the time since when: what is as before keeps its own. Of a thread that is new it is now."""
        return {
            id_: known[id_] if id_ in known and known[id_][0] == one else (one, earliest if id_ in known else at)
            for id_, one in told.items()
        }

    def _used(self, thread: Thread, at: float, *, is_first: bool) -> float:
        """When a person last did something with it: who is new has just been opened. Who asks waits for that."""
        if thread.standing.status == BUSY:
            return at
        return self._used_at.get(thread.id, thread.created if is_first else at)

    def _show(self, now: float) -> None:
        found = tuple(sorted(self._listed(now), key=lambda entry: entry.session_id))
        self._entries = self._entries if found == self._entries else found

    def _listed(self, now: float) -> Iterable[Entry]:
        daemon = self._daemon
        if daemon is None:
            return
        pressing = {one.cwd for one in self._threads if one.standing.status != IDLE}
        folders = {one.cwd: one.cwd in pressing for one in self._threads}
        terminals = self._terminals.look(folders, now) if folders else ()
        is_stale = self._failures > 0 and now - self.complete_at > STALE_S
        for thread in self._threads:
            yield self._entry(thread, daemon, terminals, is_stale=is_stale)

    def _entry(self, thread: Thread, daemon: Daemon, terminals: tuple[Terminal, ...], *, is_stale: bool) -> Entry:
        possible = fitting(terminals, thread.cwd) if thread.is_of_a_terminal else None
        rests = thread.standing.status == IDLE
        return Entry(
            daemon.pid,
            thread.id,
            cwd=thread.cwd,
            proc_start=daemon.start or None,
            status=None if is_stale else thread.standing.status,
            waiting_for=thread.standing.waiting_for or None,
            asked=thread.standing.asked,
            asked_at=self._asked[thread.id][1],
            status_at=self._since[thread.id][1],
            title=thread.name,
            shown_by=possible[0].pid if possible and len(possible) == 1 else 0,
            is_unseen=possible == [],
            is_left=rests and possible is not None and self._is_left(thread, len(possible)),
        )

    def _is_left(self, thread: Thread, possible: int) -> bool:
        """No terminal is there to show it; or one, and that shows another: the one that was used last."""
        if possible > 1:
            return False
        rivals = [other for other in self._threads if other.is_of_a_terminal and other.cwd == thread.cwd]
        return not possible or max(rivals, key=lambda one: (self._used_at[one.id], one.created, one.id)) != thread


def _moved(at: float, by: float) -> float:
    """0 means never."""
    return at + by if at else 0.0
