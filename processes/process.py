"""One process as a value. Its identity is (pid, start): a pid alone is lent to another one later."""

from __future__ import annotations

from typing import NamedTuple


class Proc(NamedTuple):
    """What one look at a process gave; it may be another program, or nothing, at the next look."""

    pid: int
    ppid: int  # 0: nobody's child that we know of
    start: str  # as the client's registry has it: clock ticks on Linux, `ps -o lstart=` in UTC on macOS
    began: float  # seconds since boot, on the clock that hooks stamp their events with
    name: str
    argv: tuple[str, ...] = ()  # cut at a bound; () if it may not be read
    forked: bool = False  # has not become a program of its own yet: name and argv are its parent's
    stopped: bool = False  # by Ctrl-Z or a signal: it does nothing until it is told to go on
    agent_mode: bool = False  # exactly AGENT_MODE=1 in its environment, if that was asked
