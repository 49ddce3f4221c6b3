"""Codex's daemon, as it says of itself: `<config>/app-server-daemon/daemon.pid`, and its socket beside that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract import machine, store, wire
from contract.content import content
from processes.identity import Identity

if TYPE_CHECKING:
    from processes.table import Probe
    from watcher.clock import Clock

LARGEST = 1 << 16


class Daemon(NamedTuple):
    pid: int
    start: str  # clock ticks since boot; '' where it says none
    socket: str
    began: float = 0.0  # wall clock; 0 if it is not known


class DaemonFile:
    """Read again only when it changed."""

    def __init__(self, folder: str, probe: Probe, clock: Clock) -> None:
        self._path = f"{folder}/app-server-daemon/daemon.pid"
        self._socket = f"{folder}/app-server-control/app-server-control.sock"
        self._probe, self._clock = probe, clock
        self._read: tuple[object, Daemon | None] = (None, None)

    def look(self) -> Daemon | None:
        """None if none runs, or it cannot be said which process it is."""
        signature = store.signature_of(self._path)
        if signature is None:
            return None
        if self._read[0] != signature:
            self._read = signature, self._dated(decode(content(self._path), self._socket))
        daemon = self._read[1]
        if daemon is None or self._probe.identity(daemon.pid, daemon.start or None) is Identity.GONE:
            return None
        return daemon

    def _dated(self, daemon: Daemon | None) -> Daemon | None:
        proc = self._probe.process(daemon.pid) if daemon else None
        began = self._clock.wall(proc.began) if proc else 0.0
        return daemon and daemon._replace(began=began)


def decode(data: bytes, socket: str) -> Daemon | None:
    """None for anything that does not name a process of this boot."""
    try:
        raw = wire.decode(data) if len(data) <= LARGEST else None
    except ValueError:
        return None
    if not isinstance(raw, dict) or type(raw.get("pid")) is not int or raw["pid"] <= 0:
        return None
    told = raw.get("processIdentity")
    identity = told if isinstance(told, dict) else {}
    boot, ticks = identity.get("bootId"), identity.get("startTicks")
    if isinstance(boot, str) and boot and machine.here()[1] and boot != machine.here()[1]:
        return None
    return Daemon(raw["pid"], str(ticks) if type(ticks) is int and ticks >= 0 else "", socket)
