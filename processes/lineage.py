"""The family tree of agents and their processes: pure, fed by snapshots.

What a process is follows from the tree as it stands when it is asked, never from the order of what was seen:

- a process that hosts sessions (`claude daemon run`, `--bg-pty-host`, `--bg-spare`) is in no family, and what
  runs below it begins one of its own; but a spare that was claimed is an agent under the same arguments, so
  who is known from elsewhere as a session's client is vouched for and counts as an agent program;
- below an agent, at any depth, another agent program is a SubAgent and everything else a Tool; AGENT_MODE,
  which children inherit, says nothing there;
- elsewhere an agent program, or a process with exactly AGENT_MODE=1, is the Agent at the top of a new family;
- the rest is Unknown.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from processes.programs import Invocation, invocation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from processes.process import Proc

DEPTH = 64  # deeper down a process is Unknown: no real family reaches there


class Kind(Enum):
    """What a process is to its family."""

    AGENT = "agent"
    SUB_AGENT = "sub_agent"
    TOOL = "tool"
    SKILL = "skill"  # nothing in a process table tells one yet
    UNKNOWN = "unknown"


AGENTS = frozenset({Kind.AGENT, Kind.SUB_AGENT})
FAMILY = AGENTS | {Kind.TOOL}


class Node(NamedTuple):
    """One process in its place; ppid 0 stands for no parent that is in the tree."""

    pid: int
    start: str
    ppid: int
    kind: Kind
    agent_mode: bool
    name: str
    children: tuple[int, ...]
    argv: tuple[str, ...] = ()
    depth: int = 0  # below the process at which the walk began


class Lineage:
    """Each process lies under the parent it claims, be it there or not. A claim in a circle is void."""

    def __init__(self, procs: Iterable[Proc] = ()) -> None:
        self._procs: dict[int, Proc] = {}
        self._claims: dict[int, set[int]] = {}  # by the pid claimed as parent
        self._clients: dict[int, str] = {}
        for proc in procs:
            self.insert(proc)

    def insert(self, proc: Proc) -> None:
        """Take a process as it is now. A ppid of 0 leaves it where it was: only its parent has ended."""
        if proc.pid <= 0:
            return
        old = self._procs.get(proc.pid)
        if old and old.start != proc.start:
            self.remove(proc.pid)
            old = None
        ppid = 0 if proc.ppid == proc.pid else proc.ppid
        self._place(proc._replace(ppid=old.ppid if old and ppid == 0 else ppid))

    def remove(self, pid: int) -> None:
        """Its children go to their grandparent."""
        gone = self._procs.get(pid)
        if gone is None:
            return
        self._unplace(gone)
        for child in list(self._claims.get(pid, ())):
            self._place(self._procs[child]._replace(ppid=0 if gone.ppid == child else gone.ppid))

    def vouch(self, clients: Mapping[int, str]) -> None:
        """Pid and start of all that the registry or a hook knows as the client of a session."""
        self._clients = dict(clients)

    def kind(self, pid: int) -> Kind:
        line = list(self._line(pid))
        if len(line) > DEPTH:
            return Kind.UNKNOWN
        kind, parent = Kind.UNKNOWN, None
        for proc in reversed(line):
            kind, parent = self._kind(proc, kind, parent), proc
        return kind

    def owner(self, pid: int) -> int | None:
        """The nearest agent at or above this process within its family: whose command it is."""
        for proc in self._line(pid):
            kind = self.kind(proc.pid)
            if kind not in FAMILY:
                return None
            if kind in AGENTS:
                return proc.pid
        return None

    def walk(self, pid: int, *, hosted: bool = False) -> Iterator[Node]:
        """The process and all below it, parents first, siblings by pid; a family without what it hosts."""
        if pid not in self._procs:
            return
        above = len(list(self._line(pid))) - 1
        pending = [(self._procs[pid], self.kind(pid), 0)]
        while pending:
            proc, kind, depth = pending.pop()
            yield self._node(proc, kind, depth)
            children = self._children(proc.pid) if above + depth + 1 < DEPTH else ()
            shown = hosted or kind not in FAMILY
            for child in (self._procs[pid] for pid in reversed(children)):
                below = self._kind(child, kind, proc)
                if shown or below in FAMILY:
                    pending.append((child, below, depth + 1))

    def agents(self) -> tuple[int, ...]:
        """The Agents at the top of each family, by pid."""
        everyone = (node for root in self.roots() for node in self.walk(root, hosted=True))
        return tuple(sorted(node.pid for node in everyone if node.kind is Kind.AGENT))

    def roots(self) -> tuple[int, ...]:
        return tuple(sorted(pid for pid in self._procs if self._parent(pid) is None))

    def _kind(self, proc: Proc, above: Kind, parent: Proc | None) -> Kind:
        if self._clients.get(proc.pid) == proc.start:
            return Kind.SUB_AGENT if above in FAMILY else Kind.AGENT
        return _kind(proc, above, parent)

    def _node(self, proc: Proc, kind: Kind, depth: int) -> Node:
        parent, children = self._parent(proc.pid) or 0, self._children(proc.pid)
        return Node(proc.pid, proc.start, parent, kind, proc.agent_mode, proc.name, children, proc.argv, depth)

    def _line(self, pid: int) -> Iterator[Proc]:
        """The process, its parent and so on up, one more than the cap at most."""
        here: int | None = pid if pid in self._procs else None
        for _ in range(DEPTH + 1):
            if here is None:
                return
            yield self._procs[here]
            here = self._parent(here)

    def _parent(self, pid: int) -> int | None:
        claimed = self._procs[pid].ppid
        return claimed if claimed in self._procs and not self._circles(pid) else None

    def _children(self, pid: int) -> tuple[int, ...]:
        claims = self._claims.get(pid, ())
        # Whoever is in a circle is nobody's child; only members of a circle have children who are in one.
        circling = bool(claims) and self._circles(pid)
        return tuple(sorted(child for child in claims if not (circling and self._circles(child))))

    def _circles(self, pid: int) -> bool:
        """Whether going up from here comes back here."""
        above, passed = self._procs[pid].ppid, {pid}
        while above in self._procs and above not in passed:
            passed.add(above)
            above = self._procs[above].ppid
        return above == pid

    def _place(self, proc: Proc) -> None:
        if old := self._procs.get(proc.pid):
            self._unplace(old)
        self._procs[proc.pid] = proc
        if proc.ppid:
            self._claims.setdefault(proc.ppid, set()).add(proc.pid)

    def _unplace(self, proc: Proc) -> None:
        del self._procs[proc.pid]
        siblings = self._claims.get(proc.ppid, set())
        siblings.discard(proc.pid)
        if not siblings:
            self._claims.pop(proc.ppid, None)


def _kind(proc: Proc, above: Kind, parent: Proc | None) -> Kind:
    called = None if proc.forked else invocation(proc.argv, proc.name)
    if called and called.hosts:
        return Kind.UNKNOWN
    is_agent = called is not None and not called.serves
    if above in FAMILY:
        return Kind.SUB_AGENT if is_agent and not _goes_on(called, parent) else Kind.TOOL
    return Kind.AGENT if is_agent or proc.agent_mode else Kind.UNKNOWN


def _goes_on(called: Invocation | None, parent: Proc | None) -> bool:
    return called is not None and called.is_launched_by(invocation(parent.argv, parent.name) if parent else None)
