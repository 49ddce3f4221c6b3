"""Everything the watcher has written at one moment, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract import typed
from contract.pulse import Pulse, Watcher
from statusbar.text.ages import age, clock, elapsed
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from contract.status import Heartbeat, SessionStatus

NAMED = 3  # so many of the files that could not be read are named
UNKNOWN = "state unknown"


class Statuses(NamedTuple):
    sessions: tuple[SessionStatus, ...] = ()
    heartbeat: Heartbeat | None = None
    locked: bool = False  # whether a watcher holds its lock
    trouble: tuple[str, ...] = ()  # the files that could not be read
    unusable: str = ""  # the state folder, and why it cannot be used
    starting: bool = False  # whether a watcher is being started
    unheard: bool = False  # whether an event came after the last watcher had looked for the last time

    @property
    def pulse(self) -> Pulse:
        return Pulse(self.heartbeat, self.locked, self.starting, self.unheard)

    def watcher(self, now: float) -> Watcher:
        return self.pulse.watcher(now)

    def is_well(self, now: float) -> bool:
        """Whether the statuses are up to date: a watcher is running, or it is known that no agent is."""
        if self.unusable:
            return False
        return self.watcher(now) is Watcher.ALIVE or (self.pulse.rests and not self.sessions)

    def unknown(self, now: float) -> str:
        """That the states are unknown, and since when; '' while they are up to date."""
        if self.is_well(now):
            return ""
        since = clock(self.heartbeat.beat, now) if self.heartbeat else ""
        return f"{UNKNOWN} since {since}" if since else UNKNOWN

    def of_client(self, name: str | None) -> Statuses:
        """Only the sessions of this client; all of them for None."""
        return self if name is None else self._replace(sessions=tuple(s for s in self.sessions if s.client == name))

    def find(self, session_id: str) -> SessionStatus | None:
        return next((session for session in self.sessions if session.session_id == session_id), None)

    def notices(self, now: float) -> tuple[str, ...]:
        """Sentences about problems, each with what to do."""
        if self.unusable:
            return (
                f"The state folder cannot be used ({tidy(self.unusable, 200)}). To find out why: {_typed('doctor')}",
            )
        notices = [] if self.is_well(now) else [self._trouble_with_watcher(now)]
        if self.trouble:
            files = "1 status file" if len(self.trouble) == 1 else f"{len(self.trouble)} status files"
            names = [tidy(name, 48) for name in self.trouble[:NAMED]] + ["…"] * (len(self.trouble) > NAMED)
            notices.append(f"{files} could not be read ({', '.join(names)}). If this message stays: {_typed('doctor')}")
        return tuple(notices)

    def _trouble_with_watcher(self, now: float) -> str:
        unknown = self.unknown(now)
        condition = self.watcher(now)
        if condition is Watcher.GONE:
            return f"No watcher is running: {unknown}. Start it: {_typed('up')}"
        if condition is Watcher.STARTING:
            return f"The watcher is starting: {unknown}. If this message stays: {_typed('doctor')}"
        silent = age(elapsed(now, self.heartbeat.beat)) if self.heartbeat else ""
        lasting = f"for {silent}" if silent else "for a long time"
        return f"The watcher has not responded {lasting}: {unknown}. To find out why: {_typed('doctor')}"


def _typed(word: str) -> str:
    """Menus and tooltips show notices too."""
    return typed.command(word, anywhere=True)
