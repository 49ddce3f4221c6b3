"""Everything the watcher has written at one moment, as a value."""

from __future__ import annotations

from contract.named_tuple import NamedTuple
from contract.pulse import Pulse, Watcher
from statusbar.text.ages import age, clock, elapsed
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contract.hosts import Host
    from contract.status import Heartbeat, SessionStatus

MANY = 5  # more machines that do not speak are one notice
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
    hosts: tuple[Host, ...] = ()  # other machines
    collector: Pulse = Pulse()  # of whoever brings their statuses

    @property
    def pulse(self) -> Pulse:
        return Pulse(self.heartbeat, self.locked, self.starting, self.unheard)

    def watcher(self, now: float) -> Watcher:
        return self.pulse.watcher(now)

    def is_well(self, now: float) -> bool:
        """Whether the statuses are up to date: a watcher is running, or it is known that no agent is."""
        if self.unusable:
            return False
        return self.watcher(now) is Watcher.ALIVE or (self.pulse.rests and not self.local)

    @property
    def local(self) -> tuple[SessionStatus, ...]:
        """Those of this machine."""
        return tuple(session for session in self.sessions if not session.host) if self.hosts else self.sessions

    def speaking(self, now: float) -> frozenset[str]:
        """The hosts whose statuses are up to date; "" is this machine."""
        own = {""} if self.is_well(now) else set()
        if self.collector.watcher(now) is Watcher.ALIVE:
            own |= {host.name for host in self.hosts if host.speaks}
        return frozenset(own)

    def is_old(self, session: SessionStatus, now: float) -> bool:
        return session.host not in self.speaking(now)

    def up_to_date(self, now: float) -> Statuses:
        """Without the sessions of machines that are out of reach. The machines themselves stay, and say so."""
        if not self.hosts:
            return self
        speaking = self.speaking(now) | {""}
        return self._replace(
            sessions=tuple(session for session in self.sessions if session.host in speaking),
            hosts=tuple(host if host.name in speaking else host._replace(known=False) for host in self.hosts),
        )

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
            notices.append(
                f"{files} could not be read ({_listed([*self.trouble])}). If this message stays: {_typed('doctor')}"
            )
        return (*notices, *self._trouble_with_hosts(now))

    def _trouble_with_hosts(self, now: float) -> list[str]:
        if self.hosts and self.collector.watcher(now) is not Watcher.ALIVE:
            starts = self.collector.watcher(now) is Watcher.STARTING
            what = "The collector is starting" if starts else "No collector is running"
            return [f"{what}: the states of {_listed([host.name for host in self.hosts])} are unknown."]
        silent = [host for host in self.hosts if not host.speaks]
        if len(silent) <= MANY:
            return [_trouble_with(host, now) for host in silent]
        named = _listed([host.name for host in silent])
        return [f"{len(silent)} of {len(self.hosts)} machines do not speak ({named}). To list them: {_typed('hosts')}"]

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


def _trouble_with(host: Host, now: float) -> str:
    name, why = tidy(host.name, 48), tidy(host.why, 160)
    if host.reached:
        return f"{name} does not know how its agents are{f' ({why})' if why else ''}."
    since = clock(host.since, now)
    return f"{name} is out of reach{f' since {since}' if since else ''}{f' ({why})' if why else ''}."


def _listed(names: list[str]) -> str:
    shown = [tidy(name, 48) for name in names[:NAMED]] + ["…"] * (len(names) > NAMED)
    return ", ".join(shown)


def _typed(word: str) -> str:
    """Menus and tooltips show notices too."""
    from contract import typed  # noqa: PLC0415 - mostly there is no notice

    return typed.command(word, anywhere=True)
