"""Which sessions a poll may pass over: where nothing can have changed, to judge again would say the same.

Asked of every session at every poll, so it must be cheap: one `stat` of its transcript, and a look at its process. What
else could make a verdict another one is asked once, and again whenever the session, or one beside it, was looked at.
Whoever is in doubt is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from processes.identity import Identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.process import Proc
    from processes.table import Probe
    from watcher.sessions.roster import Roster
    from watcher.sessions.session import Session


class _Calm(NamedTuple):
    pid: int
    proc: Proc
    live: set[str] | None  # its agents


class Quiet:
    def __init__(self, roster: Roster, probe: Probe) -> None:
        self._roster, self._probe = roster, probe
        self._calm: dict[str, _Calm] = {}
        self._under: tuple[object, ...] = ()

    def begin(self, *under: object) -> None:
        """A poll. `under`: what holds for all sessions; when that is another, all are asked anew."""
        if under != self._under:
            self._under = under
            self._calm.clear()

    def disturb(self, names: Iterable[str]) -> None:
        """These were looked at."""
        for name in names:
            self._calm.pop(name, None)

    def has(self, session: Session, now: float, offset: float) -> bool:
        calm = self._calm.get(session.id) or self._ask(session, now, offset)
        if calm is None or (session.due is not None and now >= session.due):
            return False
        if session.following and not session.following.is_unchanged(now, calm.live):
            return False
        return self._row(calm.pid) is calm.proc or self._goes_on(session, calm)

    def _ask(self, session: Session, now: float, offset: float) -> _Calm | None:
        pid = session.local_pid
        if pid is None or not session.is_settled(now, offset) or not self._roster.is_alone(session):
            return None
        proc = self._row(pid)
        if proc is None or proc.stopped or session.identity(self._probe) is Identity.GONE:
            return None
        found = self._calm[session.id] = _Calm(pid, proc, session.agents_alive)
        return found

    def _goes_on(self, session: Session, calm: _Calm) -> bool:
        """Its process is as before: there, and not stopped."""
        proc = self._row(calm.pid)
        if proc is None or proc.stopped or session.identity(self._probe) is Identity.GONE:
            return False
        self._calm[session.id] = calm._replace(proc=proc)
        return True

    def _row(self, pid: int) -> Proc | None:
        try:
            return self._probe.row(pid)
        except OSError:
            return None
