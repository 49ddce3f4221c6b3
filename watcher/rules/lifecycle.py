"""The life of agents: one table from the rule that decided to the state of an agent, and what changed since.

An agent is running, suspended (for a reason), joined (it ended as it should) or failed. Its state is derived anew at
each look, so an end that is told twice changes nothing the second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from contract.status import AgentStatus, SessionStatus

RUNNING, SUSPENDED, JOINED, FAILED = "running", "suspended", "joined", "failed"
APPROVAL, JOIN, USER, WAKEUP = "approval", "sub_agent_join", "user", "wakeup"
ENDED = (JOINED, FAILED)


class Life(NamedTuple):
    state: str
    reason: str = ""  # of a suspension
    how: str = ""  # of an end


BY_RULE = {
    "approval-asked": Life(SUSPENDED, APPROVAL),
    "question-of-a-server": Life(SUSPENDED, APPROVAL),
    "registry-waits": Life(SUSPENDED, APPROVAL),
    "dialog-notified": Life(SUSPENDED, APPROVAL),
    "client-stopped": Life(SUSPENDED, USER),
    "compacting": Life(RUNNING),
    "turn-open": Life(RUNNING),
    "queued-prompt-begins": Life(RUNNING),
    "at-work": Life(RUNNING),
    "children-work": Life(SUSPENDED, JOIN),
    "outlived": Life(SUSPENDED, JOIN),
    "agents-left": Life(SUSPENDED, JOIN),
    "workflow-runs": Life(SUSPENDED, JOIN),
    "news-is-due": Life(SUSPENDED, JOIN),
    "shell-runs": Life(SUSPENDED, WAKEUP),
    "wakes-by-itself": Life(SUSPENDED, WAKEUP),
    "turn-failed": Life(SUSPENDED, USER),
    "turn-interrupted": Life(SUSPENDED, USER),
    "silent": Life(SUSPENDED, USER),
    "turn-over": Life(SUSPENDED, USER),
    "nothing-asked": Life(SUSPENDED, USER),
    "idle": Life(SUSPENDED, USER),
    "stopped": Life(JOINED, how="completed"),
    "written-off": Life(JOINED, how="completed"),
    "recorded-end": Life(JOINED, how="completed"),
    "broke-down": Life(FAILED, how="error"),
    "cut-off": Life(FAILED, how="user_abort"),
    "quiet": Life(FAILED, how="timeout"),
}


@dataclass(frozen=True, slots=True)
class Observation:
    """One change, as it is written down."""

    kind: str  # agent_process_changed, suspended, resumed, status_changed, denied
    at: float
    session: str
    agent: str
    by: str  # the rule, or whatever decided
    more: Mapping[str, Any]


def observe(old: SessionStatus | None, new: SessionStatus | None, now: float) -> Iterator[Observation]:
    """What happened between two looks at a session, in order; None where it was not there."""
    before = {agent.key: agent for agent in old.agents} if old else {}
    after = {agent.key: agent for agent in new.agents} if new else {}
    session = next((status.session_id for status in (new, old) if status), "")
    for key in [*after, *(key for key in before if key not in after)]:
        for kind, by, more in _changes(before.get(key), after.get(key), is_gone=new is None):
            yield Observation(kind, now, session, key, by, more)


Change = tuple[str, str, dict[str, Any]]


def _changes(old: AgentStatus | None, new: AgentStatus | None, *, is_gone: bool) -> Iterator[Change]:
    if new is None:
        if old and is_gone and old.state not in ENDED:
            yield "agent_process_changed", "process", {"from": old.state, "to": "gone"}
        return
    if old is None and new.state in ENDED:
        # We never saw it begin: its end is written down, but no beginning is made up for it.
        yield "agent_process_changed", new.rule, {"from": "unknown", "to": new.state, "how": new.how}
        return
    if new.denied > (old.denied if old else 0.0):
        yield "denied", "transcript or hook", {"time": new.denied}
    yield from _moved(old, new)
    if old is None or old.status != new.status:
        before = old.status if old else ""
        words = {"detail": new.detail, "quote": new.quote, "evidence": new.evidence}
        yield "status_changed", new.rule, {"from": before, "to": new.status, **words}


def _moved(old: AgentStatus | None, new: AgentStatus) -> Iterator[Change]:
    """It ended, began, was suspended or went on."""
    was = old.state if old else ""
    if new.state in ENDED or was in (*ENDED, ""):
        if was != new.state:
            yield "agent_process_changed", new.rule, {"from": was or "unknown", "to": new.state, "how": new.how}
        return
    on = {"reason": new.reason, "waits_for": list(new.waits_for)}
    if new.state == SUSPENDED and (
        was != SUSPENDED or (old and (old.reason, old.waits_for) != (new.reason, new.waits_for))
    ):
        yield "suspended", new.rule, on
    elif new.state == RUNNING and was == SUSPENDED:
        yield "resumed", new.rule, {}
