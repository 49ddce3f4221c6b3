"""Who has called a command of ours: an agent, a person at a terminal, or a script."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract.clean import clean
from processes.lineage import Lineage
from processes.table import Probe

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from contract.status import SessionStatus
    from processes.process import Proc

AGENT, TERMINAL, SCRIPT = "agent", "terminal", "script"
FARTHEST = 64
NAME_LENGTH = 40


class Caller(NamedTuple):
    kind: str
    session: str = ""  # of the agent that asks, if a status names its process
    pid: int = 0  # of the agent, else of the program that started this command
    program: str = ""  # the program that started this command

    def words(self) -> str:
        """`agent 9df7420c…`, `terminal`, `script`."""
        return f"{self.kind} {self.session or self.pid}" if self.kind == AGENT else self.kind


def asks(sessions: Iterable[SessionStatus], probe: Probe | None = None, pid: int = 0) -> Caller:
    """Who started this process."""
    probe, pid = probe or Probe(), pid or os.getpid()
    clients = {session.pid: session.session_id for session in sessions if session.pid}
    return judge(line_above(probe, pid), clients, has_terminal=probe.tty(pid) is not None)


def line_above(probe: Probe, pid: int) -> tuple[Proc, ...]:
    """The process and those above it, the nearest first, as far as they may be looked at."""
    line: list[Proc] = []
    while pid > 0 and len(line) < FARTHEST and (proc := probe.process(pid)):
        line.append(proc)
        pid = proc.ppid
    return probe.flagged(line)


def judge(line: Sequence[Proc], clients: Mapping[int, str], *, has_terminal: bool) -> Caller:
    """`line`: this process first, then those above it. `clients`: the sessions by the pid of their client."""
    parent = line[1] if len(line) > 1 else None
    program, above = (clean(parent.name, NAME_LENGTH), parent.pid) if parent else ("", 0)
    tree = Lineage(line)
    tree.vouch({proc.pid: proc.start for proc in line if proc.pid in clients})
    agent = tree.owner(line[0].pid) if line else None
    if agent is not None:
        return Caller(AGENT, clients.get(agent, ""), agent, program)
    return Caller(TERMINAL if has_terminal else SCRIPT, "", above, program)
