"""Everything the watcher says at one moment, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.pulse import Pulse, Watcher
from statusbar.text.ages import age, clock, elapsed
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from contract.status import Heartbeat, SessionStatus

NAMED = 3  # of the files that could not be read
UNKNOWN = "state unknown"


class Statuses(NamedTuple):
    sessions: tuple[SessionStatus, ...] = ()
    heartbeat: Heartbeat | None = None
    locked: bool = False  # whether a watcher holds its lock
    trouble: tuple[str, ...] = ()  # the files that could not be read
    unusable: str = ""  # the state folder, and why it is
    starting: bool = False  # whether somebody is starting a watcher
    unheard: bool = False  # whether somebody spoke after the last watcher had looked for the last time

    @property
    def pulse(self) -> Pulse:
        return Pulse(self.heartbeat, self.locked, self.starting, self.unheard)

    def watcher(self, now: float) -> Watcher:
        return self.pulse.watcher(now)

    def is_well(self, now: float) -> bool:
        """Whether what is said here is so now: a watcher sees to it, or it is known that nothing runs."""
        if self.unusable:
            return False
        return self.watcher(now) is Watcher.ALIVE or (self.pulse.rests and not self.sessions)

    def unknown(self, now: float) -> str:
        """That nobody knows, and since when, in few words; '' while all is well."""
        if self.is_well(now):
            return ""
        since = clock(self.heartbeat.beat, now) if self.heartbeat else ""
        return f"{UNKNOWN} since {since}" if since else UNKNOWN

    def find(self, session_id: str) -> SessionStatus | None:
        return next((one for one in self.sessions if one.session_id == session_id), None)

    def notices(self, now: float) -> tuple[str, ...]:
        """What is not as it should be, each with its remedy, in words for a person."""
        if self.unusable:
            return (f"The state folder cannot be used ({tidy(self.unusable, 200)}). See: yourturn doctor",)
        found = [] if self.is_well(now) else [self._trouble_with_watcher(now)]
        if self.trouble:
            files = "1 status file" if len(self.trouble) == 1 else f"{len(self.trouble)} status files"
            names = [tidy(name, 48) for name in self.trouble[:NAMED]] + ["…"] * (len(self.trouble) > NAMED)
            found.append(f"{files} could not be read ({', '.join(names)}). If that lasts: yourturn doctor")
        return tuple(found)

    def _trouble_with_watcher(self, now: float) -> str:
        unknown = self.unknown(now)
        condition = self.watcher(now)
        if condition is Watcher.GONE:
            return f"No watcher runs: {unknown}. Start it: yourturn up"
        if condition is Watcher.STARTING:
            return f"The watcher is starting: {unknown}. If that lasts: yourturn doctor"
        silent = age(elapsed(now, self.heartbeat.beat)) if self.heartbeat else ""
        return f"The watcher has been silent for {silent or 'long'}: {unknown}. See: yourturn doctor"
