"""One machine that a broker tells of: what was heard of it, and its mirror. It does not speak to the broker itself."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from contract.hosts import FORGOTTEN_S
from fleet import broker_messages
from fleet.mirror import Mirror

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from contract.status import SessionStatus
    from fleet.broker_connection import Message
    from fleet.broker_messages import About

BYTES = 2 << 20  # of all status files of one machine
PATIENCE_S = 5.0  # for the sessions that a machine says it has
COMING = "its states are on their way"
MISSING = "{} of its sessions could not be read, were too many, or have not come"


class Shown(NamedTuple):
    """How a machine is shown: by which name, from where, and who is told of news."""

    home: str
    name: str
    source: str
    tell: Callable[[str], None]


class BrokerHost:
    def __init__(self, shown: Shown | None) -> None:
        """`shown`: None for one that is only counted, as this machine itself is."""
        self._shown = shown
        self._mirror: Mirror | None = None
        self._about: About | None = None
        self._ahead_s, self._number = 0.0, 0
        self._waiting: dict[str, SessionStatus | None] = {}
        self._states: dict[str, str] = {}  # of those that are on the board
        self._come: set[str] = set()  # the sessions that were heard since we are connected
        self._is_complete = False
        self._asked_at = 0.0  # when its sessions were last asked for
        self._since = 0.0
        self._has_missed = False  # whether the broker has thrown something away that was for us
        self.is_new = False  # whether there is something to settle

    @property
    def counts(self) -> Counter[str]:
        """How many of its agents are in which state; none if that is not known."""
        return Counter(self._states.values()) if self.speaks else Counter()

    @property
    def speaks(self) -> bool:
        return bool(self._about and self._about.is_online and self._about.is_known and self._is_complete)

    @property
    def is_coming(self) -> bool:
        """Whether its sessions are on their way."""
        return bool(self._about and self._about.is_online and not self._is_complete)

    @property
    def sessions(self) -> int:
        return len(self._states)

    @property
    def missing(self) -> int:
        return len(self._about.sessions - self._come) if self._about and self._about.is_online else 0

    @property
    def left_out(self) -> int:
        """How many sessions it has that are not shown."""
        if not (self._about and self._about.is_online and self._is_complete):
            return 0
        return self._about.left_out + len(self._about.sessions) - len(self._states)

    @property
    def is_shown(self) -> bool:
        return self._mirror is not None

    def show(self, now: float) -> None:
        if self._mirror is None and self._shown:
            self._mirror = Mirror(self._shown.home, self._shown.name, self._shown.source, now, self._shown.tell)

    def begins_anew(self) -> None:
        """We are connected again: what was heard before may have changed meanwhile."""
        self._about, self._come, self._is_complete, self._has_missed = None, set(), False, False
        self._number, self._asked_at = 0, 0.0

    def wants_asking(self, now: float) -> bool:
        """Whether its sessions are to be asked for: at first, and when some got lost, but not all the time."""
        if self._about is None:
            return False
        return not self._asked_at or (self._has_missed and now - self._asked_at > PATIENCE_S)

    def asked(self, now: float) -> None:
        """For all its sessions."""
        self._asked_at, self._has_missed = now, False
        self._number = max(self._number, self._about.number if self._about else 0)

    def on_the_way(self, now: float) -> int:
        """How many sessions of it have been asked for and not come."""
        return self.missing if self._asked_at and now - self._asked_at < PATIENCE_S else 0

    def hears_about(self, message: Message, now: float) -> bool:
        """Whether it could be read."""
        raw = broker_messages.fields(message.payload)
        found = broker_messages.about(raw)
        if found is None:
            return False
        if found.is_online:
            self._ahead_s = broker_messages.ahead(raw, message.age_s, now, self._ahead_s)
            self._counts(found, is_kept=message.is_kept)
        self._about, self._since, self.is_new = found, now - message.age_s, True
        return True

    def hears(self, id_: str, message: Message, now: float) -> bool:
        """Whether it could be read, or was left out because it is old."""
        known = self._about.sessions if self._about else None
        if message.is_kept and known is not None and id_ not in known:
            return True
        self.is_new = True
        if not message.payload:
            self._waiting[id_] = None
            return True
        raw = broker_messages.fields(message.payload)
        self._ahead_s = broker_messages.ahead(raw, message.age_s, now, self._ahead_s)
        self._come.add(id_)
        found = broker_messages.session(raw, id_, self._ahead_s, now)
        if found is None:
            return False
        self._has_missed |= self._is_complete and not message.is_kept and found.number > self._number + 1
        self._number = max(self._number, found.number)
        self._waiting[id_] = found.session
        return True

    def _counts(self, found: About, *, is_kept: bool) -> None:
        """By its numbers we know what a broker has thrown away because we were slow."""
        if self._about and self._about.run != found.run:
            self._number = found.number
        self._has_missed |= self._is_complete and not is_kept and found.number > self._number

    def settle(self, now: float, reserved: Container[str] = ()) -> None:
        """Write down what was heard, unless its folder is somebody else's by now."""
        self._leave(reserved)
        waiting, self._waiting, self.is_new = self._waiting, {}, False
        about = self._about
        if about is None or not (about.is_online or now - self._since < FORGOTTEN_S):
            return
        self._is_complete |= not self.missing
        try:
            self._write(about, waiting, now)
        except OSError:  # a full disk: it is tried again
            self._waiting, self.is_new = {**waiting, **self._waiting}, True
            raise

    def _write(self, about: About, waiting: dict[str, SessionStatus | None], now: float) -> None:
        self.show(now)
        new = [self._takes(id_, session) for id_, session in waiting.items()]
        changed = self._keeps_only(about) or any(new)
        if self._mirror:
            self._says(self._mirror, about, now, changed=changed)

    def looks_again(self, now: float, reserved: Container[str] = ()) -> None:
        """Now and then: what does not come is not waited for for ever, and who is away for long is forgotten."""
        self._leave(reserved)
        late = bool(self._about and self._asked_at and now - self._asked_at > PATIENCE_S)
        if late and not self._is_complete:
            self._is_complete = self.is_new = True
        if self._mirror and self._mirror.host.is_forgotten(now):
            self.remove()

    def goes_out_of_reach(self, why: str, now: float) -> None:
        self._waiting = {}
        if self._mirror:
            self._mirror.goes_out_of_reach(why, now)

    def _leave(self, reserved: Container[str]) -> None:
        if self._shown and self._shown.name in reserved:
            self._mirror = self._shown = None

    def remove(self) -> None:
        if self._mirror:
            self._mirror.remove()
        self._mirror, self._states = None, {}

    def _takes(self, id_: str, session: SessionStatus | None) -> bool:
        """Whether that is new. What is too much is left out; `_says` counts it."""
        if session is None:
            self._come.discard(id_)
            was_there = self._states.pop(id_, None) is not None
            return (self._mirror is not None and self._mirror.drops(f"{id_}.json")) or was_there
        if self._mirror and self._mirror.size > BYTES:
            return False
        self._states[id_] = "" if session.hidden else session.status
        return self._mirror.puts(session) if self._mirror else True

    def _keeps_only(self, about: About) -> bool:
        """A machine that is gone has said nothing of its sessions: they stay, as something old."""
        if not about.is_online:
            return False
        self._states = {id_: state for id_, state in self._states.items() if id_ in about.sessions}
        return self._mirror is not None and self._mirror.keeps({f"{id_}.json" for id_ in about.sessions})

    def _says(self, mirror: Mirror, about: About, now: float, *, changed: bool) -> None:
        if not about.is_online:
            mirror.goes_out_of_reach(about.why or "it is gone", now, min(self._since, now))
            return
        why = MISSING.format(self.left_out) if self.left_out else ""
        why = why if self._is_complete else COMING
        why = why if about.is_known else "no watcher is running there"
        said = mirror.host._replace(known=self.speaks, ahead=self._ahead_s, version=about.version, why=why)
        mirror.settles(said, now, changed=changed)
