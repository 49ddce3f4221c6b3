"""Other machines: what is known of each one, and whether its statuses are up to date."""

from __future__ import annotations

import os

from contract import bar_files, paths, pulse, status, store
from contract.content import content
from contract.named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from contract.pulse import Pulse
    from contract.status import SessionStatus

RECORD = "host.json"  # replaced after each change of the host's statuses: who reads them looks at nothing else
NEWS = "news.json"  # beside the hosts' folders, replaced after any of that: one folder to wait for, however many hosts
# A host that has been out of reach for so long says nothing of its agents any more: its rows go.
FORGOTTEN_S = 3600.0


class Host(NamedTuple):
    """Written by the collector. All times are by the clock of this machine."""

    name: str
    source: str = ""  # how it is reached, as a person may read it: the command, or the broker
    reached: bool = False  # whether it is connected
    known: bool = False  # whether it said that its own states are up to date
    since: float = 0.0  # since when it is connected, or is not
    heard: float = 0.0  # when it last spoke
    ahead: float = 0.0  # how many seconds its clock is ahead of ours
    version: str = ""
    why: str = ""  # why it is out of reach, or what is wrong with what it says

    @property
    def speaks(self) -> bool:
        """Whether what it said last is true now."""
        return self.reached and self.known

    def is_forgotten(self, now: float) -> bool:
        return not self.reached and now - max(self.since, self.heard) > FORGOTTEN_S


def encode(host: Host) -> bytes:
    import json  # noqa: PLC0415 - only the collector writes, as in `contract.status`

    return json.dumps({"v": status.VERSION, **host._asdict()}).encode() + b"\n"


def decode(data: bytes) -> Host | None:
    return status.load(Host, status.fields_of(data))


def names(home: str) -> list[str]:
    """The folders of hosts, each by the name of its folder; none if there are no other machines."""
    try:
        return sorted(entry.name for entry in os.scandir(paths.hosts_dir(home)) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def mark(folder: str) -> tuple[int, int, int] | None:
    """Another one whenever something of this host is new."""
    return store.signature_of(f"{folder}/{RECORD}")


def read(folder: str) -> Host | None:
    """None for a folder that says of itself that it is another host's."""
    try:
        host = decode(store.read(f"{folder}/{RECORD}") or b"")
    except OSError:
        return None
    return host if host and paths.file_name(host.name) == folder.rpartition("/")[2] else None


def of_host(sessions: tuple[SessionStatus, ...], host: str) -> tuple[SessionStatus, ...]:
    """The sessions of one host with ids that no other host can have: `<id>@<host>`, wherever an id names a session."""

    def here(id_: str) -> str:
        # Also one that no session of it has: it must not be able to name a session of this machine, or of another one.
        return id_ if id_ in ("", paths.MAIN) else f"{id_}@{host}"

    # A process or a file of another machine must never be looked up on this one.
    away = (session._replace(host=host, pid=None, shown_by=None, transcript="") for session in sessions)
    return tuple(_renamed(session, here) for session in away)


def as_its_own(session: SessionStatus) -> SessionStatus:
    """With the ids that its own host has for it."""
    return _renamed(session, lambda id_: id_.removesuffix(f"@{session.host}")) if session.host else session


def chosen(env: Mapping[str, str]) -> str:
    """The file in which a person says which other machines to look at."""
    return bar_files.settings(env).rpartition("/")[0] + "/hosts.toml"


def shared(chosen: str) -> str:
    """The file beside that in which a person says with which broker this machine shares its statuses."""
    return chosen.rpartition("/")[0] + "/share.toml"


def collector(home: str) -> Pulse:
    """Whether somebody brings the statuses of other machines. In the order of `pulse.take`."""
    locked, starting = pulse.is_locked(paths.collector_lock(home)), pulse.is_locked(paths.collector_starting_lock(home))
    return pulse.Pulse(status.decode_heartbeat(content(paths.collector(home))), locked, starting)


def _renamed(session: SessionStatus, name: Callable[[str], str]) -> SessionStatus:
    agents = tuple(
        agent._replace(
            key=name(agent.key),
            parent=name(agent.parent) if agent.parent else agent.parent,
            waits_for=tuple(map(name, agent.waits_for)),
        )
        for agent in session.agents
    )
    return session._replace(session_id=name(session.session_id), parent=name(session.parent), agents=agents)
