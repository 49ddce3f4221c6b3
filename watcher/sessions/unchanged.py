"""Which sessions a poll may pass over, because nothing that a verdict depends on can have changed.

Asked of every session at every poll, so it must be cheap: one `stat` of its transcript, and a look at its process. What
else could change a verdict is asked once, and again whenever the session, or one of its team or process, was looked at.
So whatever changes a session without a look at it belongs into `common`, see `begin`. A session that is in doubt is
looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from processes.identity import Identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.process import Proc
    from processes.table import Probe
    from watcher.files.tail import Mark
    from watcher.sessions.roster import Roster
    from watcher.sessions.session import Session


class _LastLook(NamedTuple):
    pid: int
    proc: Proc
    live: set[str] | None  # its agents
    due: float  # when time alone may change its verdict
    mark: Mark | None  # of its transcript, if that alone tells whether there is something new


class Unchanged:
    def __init__(self, roster: Roster, probe: Probe) -> None:
        self._roster, self._probe = roster, probe
        self._last_looks: dict[str, _LastLook] = {}
        self._common: tuple[object, ...] = ()

    def begin(self, *common: object) -> None:
        """A poll. `common`: what holds for all sessions; when it has changed, all are asked anew."""
        if common != self._common:
            self._common = common
            self._last_looks.clear()

    def forget(self, names: Iterable[str]) -> None:
        """These were looked at."""
        for name in names:
            self._last_looks.pop(name, None)

    def as_before(self, names: Iterable[str], now: float) -> set[str]:
        """Those of them for which that is soon told; the others are asked one by one."""
        known, rows, found = self._last_looks, self._probe.rows, self._probe.found
        return {
            name
            for name in names
            if (last := known.get(name))
            and now < last.due
            and (rows.get(last.pid) or found(last.pid)) is last.proc
            and last.mark
            and last.mark.stands()
        }

    def has(self, session: Session, now: float, offset: float) -> bool:
        last = self._last_looks.get(session.id) or self._ask(session, now, offset)
        if last is None or now >= last.due:
            return False
        if session.following and not session.following.is_unchanged(now, last.live):
            return False
        return self._probe.glance(last.pid) is last.proc or self._goes_on(session, last)

    def _ask(self, session: Session, now: float, offset: float) -> _LastLook | None:
        pid = session.local_pid
        if pid is None or not session.is_settled(now, offset) or not self._roster.is_alone(session):
            return None
        proc = self._probe.glance(pid)
        if proc is None or proc.stopped or session.identity(self._probe) is Identity.GONE:
            return None
        live = session.agents_alive
        due = float("inf") if session.due is None else session.due
        mark = session.following.mark(live) if session.following else None
        last = self._last_looks[session.id] = _LastLook(pid, proc, live, due, mark)
        return last

    def _goes_on(self, session: Session, last: _LastLook) -> bool:
        """Its process is as before: there, and not stopped."""
        proc = self._probe.glance(last.pid)
        if proc is None or proc.stopped or session.identity(self._probe) is Identity.GONE:
            return False
        self._last_looks[session.id] = last._replace(proc=proc)
        return True
