"""What a session shows of all its agents: the most urgent one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.status import urgency

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.status import AgentStatus


class Headline(NamedTuple):
    status: str
    detail: str
    since: float
    rule: str
    evidence: str
    quote: str


def headline(agents: Iterable[AgentStatus]) -> Headline:
    """Of equally urgent agents main comes first, then the one that has been so for longest."""
    top = min(agents, key=lambda agent: (urgency(agent.status), agent.kind != "agent", agent.since))
    detail = f"{top.name}: {top.detail}" if top.kind == "teammate" and top.name else top.detail
    return Headline(top.status, detail, top.since, top.rule, top.evidence, top.quote)
