"""What the world shows of the client, each with the second at which it is there to be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

BOOT = 100_000.0  # the clock since boot at second 0 of a program
NOON = 1_794_830_400.0  # the wall clock at second 0


@dataclass(frozen=True)
class Hook:
    """An event as the hook gets it; stamped with the wall clock and the clock since boot."""

    at: float
    stamp: tuple[float, float]
    env: Mapping[str, str]
    payload: Mapping[str, Any]
    client: str = "claude"  # as the hook's command names it
    pid: int = 0  # whose child the hook is

    @property
    def event(self) -> str:
        return event_of(self.payload)


@dataclass(frozen=True)
class Line:
    """A line at the end of a transcript."""

    at: float
    path: str
    data: bytes


@dataclass(frozen=True)
class File:
    """A file that is replaced, or removed if there is no data."""

    at: float
    path: str
    data: bytes | None


@dataclass(frozen=True)
class Process:
    """A process begins, changes or ends."""

    at: float
    pid: int
    ppid: int = 1
    argv: tuple[str, ...] = ()
    cwd: str = ""
    is_alive: bool = True
    is_stopped: bool = False


@dataclass(frozen=True)
class Restart:
    """The watcher ends and another one begins."""

    at: float


@dataclass(frozen=True)
class Jump:
    """The wall clock is set."""

    at: float
    seconds: float


@dataclass(frozen=True)
class Threads:
    """What Codex's daemon tells from now on whoever visits it."""

    at: float
    told: tuple[Mapping[str, Any], ...]


def event_of(payload: Mapping[str, Any]) -> str:
    """Copilot's start of a sub-agent is the only event without a name."""
    return str(payload.get("hook_event_name") or payload.get("event") or "SubagentStart")


Observation = Hook | Line | File | Process | Threads | Restart | Jump
