"""Observations: what happened between two looks at a session, as `yourturn log` tells it. Pure.

An agent's state is derived anew at each look, so an end that is told twice changes nothing the second time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from contract.life import CREATED, ENDED, LOST, RUNNING, SUSPENDED, UNSEEN
from contract.paths import MAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from contract.status import AgentStatus, SessionStatus


class Life(NamedTuple):
    state: str
    reason: str = ""  # of a suspension
    how: str = ""  # of an end


@dataclass(frozen=True)
class Observation:
    """One change, as it is written down."""

    kind: str  # agent_process_changed, suspended, resumed, status_changed, denied; or one of `contract.observed`
    at: float
    session: str
    agent: str
    by: str  # the rule, or whatever decided
    fields: Mapping[str, Any]  # what else this kind tells


UNKNOWN_END = Life(LOST)


def observe(
    old: SessionStatus | None, new: SessionStatus | None, now: float, end: Life = UNKNOWN_END
) -> Iterator[Observation]:
    """What happened between two looks at a session, in order; None where it was not there.

    `end`: how the session ended, if it is not there any more. Agents that had not ended went with it.
    """
    before = {agent.key: agent for agent in old.agents} if old else {}
    after = {agent.key: agent for agent in new.agents} if new else {}
    session = next((status.session_id for status in (new, old) if status), "")
    for key in [*after, *(key for key in before if key not in after)]:
        first = CREATED if new and new.spawned and key == MAIN else UNSEEN
        for kind, by, fields in _changes(before.get(key), after.get(key), end if new is None else None, first):
            yield Observation(kind, now, session, key, by, fields)


Change = tuple[str, str, dict[str, Any]]


def _changes(old: AgentStatus | None, new: AgentStatus | None, end: Life | None, first: str) -> Iterator[Change]:
    """`first`: the state of an agent that was not seen before."""
    if new is None:
        if old and end and old.state not in ENDED:
            yield "agent_process_changed", "process", {"from": old.state, "to": end.state, "how": end.how}
        return
    if old is None and new.state in ENDED:
        # We never saw it begin: its end is written down, but no beginning is made up for it.
        yield "agent_process_changed", new.rule, {"from": "unknown", "to": new.state, "how": new.how}
        return
    if new.denied > (old.denied if old else 0.0):
        yield "denied", "transcript or hook", {"time": new.denied}
    yield from _moved(old.state if old else first, old, new)
    if old is None or old.status != new.status:
        before = old.status if old else ""
        words = {"detail": new.detail, "quote": new.quote, "evidence": new.evidence}
        yield "status_changed", new.rule, {"from": before, "to": new.status, **words}


def _moved(was: str, old: AgentStatus | None, new: AgentStatus) -> Iterator[Change]:
    """It ended, began, was suspended or went on."""
    if new.state in ENDED or was in (*ENDED, CREATED, UNSEEN):
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


def line(one: Observation) -> bytes:
    """As it is written down."""
    raw = {"v": 1, "at": round(one.at, 3), "kind": one.kind, "session": one.session, "agent": one.agent, "by": one.by}
    return json.dumps({**raw, **one.fields}).encode() + b"\n"
