"""Everything the watcher says at one moment, as a value."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from statusbar.ages import age, elapsed
from statusbar.text import tidy

if TYPE_CHECKING:
    from contract.status import Heartbeat, SessionStatus

SILENT_S = 30.0
NAMED = 3  # of the files that could not be read


class Watcher(Enum):
    """How the one is who writes what we read."""

    ALIVE = "alive"
    STUCK = "stuck"  # it holds its lock and has not spoken for a while
    GONE = "gone"


class Statuses(NamedTuple):
    sessions: tuple[SessionStatus, ...] = ()
    heartbeat: Heartbeat | None = None
    locked: bool = False  # whether a watcher holds its lock
    trouble: tuple[str, ...] = ()  # the files that could not be read
    unusable: str = ""  # the state folder, and why it is

    def watcher(self, now: float) -> Watcher:
        if not self.locked:
            return Watcher.GONE
        if self.heartbeat is None:  # it has just won its lock and has not spoken yet
            return Watcher.ALIVE
        silent = elapsed(now, self.heartbeat.beat)
        return Watcher.ALIVE if silent is not None and silent <= SILENT_S else Watcher.STUCK

    def is_well(self, now: float) -> bool:
        """A watcher that a hook started may rest while there is nothing to watch; a service may not."""
        if self.unusable:
            return False
        condition = self.watcher(now)
        may_rest = not self.sessions and (self.heartbeat is None or self.heartbeat.mode != "service")
        return condition is Watcher.ALIVE or (condition is Watcher.GONE and may_rest)

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
        if self.watcher(now) is Watcher.GONE:
            return "The watcher is not running; this may be out of date. Start it: yourturn up"
        silent = age(elapsed(now, self.heartbeat.beat)) if self.heartbeat else ""
        return f"The watcher has been silent for {silent or 'long'}; this may be out of date. See: yourturn doctor"
