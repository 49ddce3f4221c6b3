"""A session's family as one tree: its agents as the statuses tell, and the processes under its client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from contract.clean import clean, labelled
from contract.mask import mask
from processes.lineage import Kind, Lineage
from processes.programs import invocation
from processes.shells import command_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from contract.status import AgentStatus, SessionStatus
    from processes.lineage import Node
    from processes.process import Proc

COMMAND_LENGTH = 80
WAITS_FOR = {"approval": "approval", "sub_agent_join": "its agents", "user": "you", "wakeup": "its wake-up"}
DEEPEST = 8  # no real family is deeper, and parents in a circle must not hang us


@dataclass(frozen=True)
class Branch:
    """One agent or process, with what is below it."""

    words: str
    facts: Mapping[str, Any]  # as --json has them
    below: tuple[Branch, ...] = field(default=())

    def lines(self) -> Iterator[str]:
        yield self.words
        for k, one in enumerate(self.below):
            last = k == len(self.below) - 1
            first, *rest = one.lines()
            yield ("└─ " if last else "├─ ") + first
            yield from (("   " if last else "│  ") + line for line in rest)

    def as_json(self) -> dict[str, Any]:
        return {**self.facts, "children": [one.as_json() for one in self.below]}


def session_branch(session: SessionStatus, tree: Lineage) -> Branch:
    agents = tuple(_agent(agent, session.agents) for agent in session.agents if agent.parent is None)
    client = _process(tree, session.pid) if session.pid else None
    words = f"{clean(session.name, 40)}  {_plain(session.status)}" + _detail(session)
    facts = {
        "session_id": session.session_id, "name": session.name, "status": session.status, "detail": session.detail,
        "quote": session.quote,
        "team": session.team, "pid": session.pid,
    }  # fmt: skip
    return Branch(words, facts, (*agents, *([client] if client else [])))


def strangers(tree: Lineage, known: Iterable[int]) -> tuple[Branch, ...]:
    """Agents that no hook and no registry tells of: shown with what their processes tell, and marked so."""
    families = {node.pid for pid in known for node in tree.walk(pid)}
    found = [_process(tree, pid) for pid in tree.agents() if pid not in families]
    return tuple(
        Branch(f"{one.words}  (no hooks: state unknown)", {**one.facts, "hooks": False}, one.below)
        for one in found
        if one
    )


def lineage(procs: Iterable[Proc], sessions: Iterable[SessionStatus], starts: Mapping[int, str]) -> Lineage:
    tree = Lineage(procs)
    tree.vouch({pid: starts[pid] for one in sessions if (pid := one.pid) and pid in starts})
    return tree


def _agent(agent: AgentStatus, everyone: Iterable[AgentStatus], depth: int = 0) -> Branch:
    everyone = tuple(everyone)
    below = [one for one in everyone if one.parent == agent.key and one.key != agent.key] if depth < DEEPEST else []
    name = clean(agent.name or agent.type or "", 40) or agent.key[:12]
    words = f"{name}  {_plain(agent.kind)}, {agent.state}, {_plain(agent.status)}" + _detail(agent)
    if agent.reason:
        words += f"  (waits for {WAITS_FOR.get(agent.reason, agent.reason)})"
    facts = {
        "key": agent.key, "kind": agent.kind, "type": agent.type, "name": agent.name, "state": agent.state,
        "status": agent.status, "detail": agent.detail, "quote": agent.quote,
        "reason": agent.reason, "waits_for": list(agent.waits_for),
        "how": agent.how,
    }  # fmt: skip
    return Branch(words, facts, tuple(_agent(one, everyone, depth + 1) for one in below))


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _detail(one: SessionStatus | AgentStatus) -> str:
    return f": {clean(labelled(one.detail, one.quote), 80)}" if one.detail else ""


def _process(tree: Lineage, pid: int) -> Branch | None:
    nodes = list(tree.walk(pid))
    return _node(nodes[0], {node.pid: node for node in nodes}) if nodes else None


def _node(node: Node, family: Mapping[int, Node]) -> Branch:
    command = _command(node)
    words = f"{node.kind.value} {node.pid}  {command}" + ("  AGENT_MODE" if node.agent_mode else "")
    facts = {
        "pid": node.pid, "start": node.start, "ppid": node.ppid, "type": node.kind.value, "agent_mode": node.agent_mode,
        "name": clean(node.name, 40), "command": command,
    }  # fmt: skip
    return Branch(words, facts, tuple(_node(family[child], family) for child in node.children if child in family))


def _command(node: Node) -> str:
    """What runs, in a few words; of a shell of the Bash tool the command it was told."""
    told = command_text(node.argv)
    if told:
        return clean(mask(told[:400]), COMMAND_LENGTH)
    called = invocation(node.argv, node.name) if node.kind in (Kind.AGENT, Kind.SUB_AGENT) else None
    if called:
        return called.program  # its arguments may hold a prompt
    return clean(mask(" ".join(node.argv)[:400]), COMMAND_LENGTH) or clean(node.name, 40)
