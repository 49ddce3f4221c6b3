"""The processes below a client, each by pid and start: noted before the client ends, found again after it.

The client's commands have process groups and sessions of their own and outlive it; then their parent is gone, and only
who has noted them can find them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from processes.lineage import Lineage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from processes.lineage import Node
    from processes.process import Proc
    from processes.table import Probe


class Family:
    def __init__(self, client: Proc, probe: Probe, known: Mapping[int, str] | None = None) -> None:
        self.client, self._probe = client, probe
        self._known = dict(known or {})  # pid and start of all members that were ever seen
        self.look()

    def look(self) -> tuple[Node, ...]:
        """Who is there now below the client, parents first; children of members, too, that are new since."""
        self._probe.tick()
        client = {self.client.pid: self.client.start}
        procs = self._probe.snapshot((), known={**self._known, **client})
        found = tuple(members(self.client, procs))
        self._known |= {node.pid: node.start for node in found}
        return found


def members(client: Proc, procs: tuple[Proc, ...]) -> list[Node]:
    """Without the client itself, and without sessions of their own that its daemon hosts."""
    others = (proc for proc in procs if proc.pid != client.pid)
    below = (proc if proc.ppid else proc._replace(ppid=client.pid) for proc in others)
    tree = Lineage((client._replace(ppid=0), *below))
    tree.vouch({client.pid: client.start})
    return list(tree.walk(client.pid))[1:]
