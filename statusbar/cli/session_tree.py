"""A session as one tree: its agents from the status file, and the processes below its client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from contract.clean import clean
from contract.hosts import as_its_own
from contract.mask import mask
from processes.lineage import Kind, Lineage
from processes.programs import invocation
from processes.shells import command_text
from statusbar.text import wording
from statusbar.text.symbols import seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from contract.status import AgentStatus, SessionStatus
    from processes.lineage import Node
    from processes.process import Proc

COMMAND_LENGTH, DETAIL_LENGTH = 80, 80
DEEPEST = 8  # no real tree is deeper, and parents in a circle must not cause an endless loop


@dataclass(frozen=True)
class Branch:
    """One agent or process, with what is below it."""

    words: str
    facts: Mapping[str, Any]  # as --json has them
    below: tuple[Branch, ...] = field(default=())

    def lines(self) -> Iterator[str]:
        yield self.words
        for k, branch in enumerate(self.below):
            last = k == len(self.below) - 1
            first, *rest = branch.lines()
            yield ("└─ " if last else "├─ ") + first
            yield from (("   " if last else "│  ") + line for line in rest)

    def as_json(self) -> dict[str, Any]:
        return {**self.facts, "children": [branch.as_json() for branch in self.below]}


def session_branch(session: SessionStatus, tree: Lineage, only: AgentStatus | None = None) -> Branch:
    """All its agents and processes, or only this agent and those below it, which have no process of their own."""
    roots = [only] if only else [agent for agent in session.agents if agent.parent is None]
    agents = tuple(_agent(agent, session.agents) for agent in roots)
    client = _process(tree, session.pid) if session.pid and not only else None
    place = f"  on {clean(session.host, 40)}" if session.host else ""
    words = f"{clean(session.name, 40)}{place}  {_state_and_detail(session)}"
    facts = {
        "session_id": as_its_own(session).session_id, "host": session.host, "client": session.client,
        "name": session.name, "status": session.status, "detail": session.detail,
        "quote": session.quote, "team": session.team, "pid": session.pid,
    }  # fmt: skip
    return Branch(words, facts, (*agents, *([client] if client else [])))


def without_hooks(tree: Lineage, known: Iterable[int]) -> tuple[Branch, ...]:
    """Agents that no hook and no registry reports: only their processes are known, and each is marked."""
    reported = {node.pid for pid in known for node in tree.walk(pid)}
    branches = [_process(tree, pid) for pid in tree.agents() if pid not in reported]
    return tuple(
        Branch(f"{branch.words}  (no hooks: state unknown)", {**branch.facts, "hooks": False}, branch.below)
        for branch in branches
        if branch
    )


def lineage(procs: Iterable[Proc], sessions: Iterable[SessionStatus], starts: Mapping[int, str]) -> Lineage:
    tree = Lineage(procs)
    tree.vouch({pid: starts[pid] for session in sessions if (pid := session.pid) and pid in starts})
    return tree


def _agent(agent: AgentStatus, everyone: Iterable[AgentStatus], depth: int = 0) -> Branch:
    everyone = tuple(everyone)
    children = [child for child in everyone if child.parent == agent.key and child.key != agent.key]
    name = clean(agent.name or agent.type or "", 40) or agent.key[:12]
    kind, state = wording.agent_kind(agent.kind), wording.agent_state(agent.state)
    words = f"{name}  {kind}, {state}, {_state_and_detail(agent)}"
    if agent.reason:
        words += f"  (waits for {wording.WAITS_FOR.get(agent.reason, agent.reason)})"
    facts = {
        "key": agent.key, "kind": agent.kind, "type": agent.type, "name": agent.name, "state": agent.state,
        "status": agent.status, "detail": agent.detail, "quote": agent.quote,
        "reason": agent.reason, "waits_for": list(agent.waits_for),
        "how": agent.how,
    }  # fmt: skip
    below = tuple(_agent(child, everyone, depth + 1) for child in children) if depth < DEEPEST else ()
    return Branch(words, facts, below)


def _state_and_detail(status: SessionStatus | AgentStatus) -> str:
    word = seen(status.status, is_old=False, is_question=wording.is_question(status)).word
    return f"{word}: {wording.detail(status, DETAIL_LENGTH)}" if status.detail else word


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
    """What runs, shortened; for a shell of the Bash tool, the command that it runs."""
    shell_command = command_text(node.argv)
    if shell_command:
        return clean(mask(shell_command[:400]), COMMAND_LENGTH)
    agent = invocation(node.argv, node.name) if node.kind in (Kind.AGENT, Kind.SUB_AGENT) else None
    if agent:
        return agent.program  # its arguments may contain a prompt
    return clean(mask(" ".join(node.argv)[:400]), COMMAND_LENGTH) or clean(node.name, 40)
