"""Many hooks at once, compared with the same events one after the other."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from support.builders import HOOK, call, facts_in, hook_env, record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from contract.facts import Fact

Event = dict[str, Any]


class Kept(NamedTuple):
    """What a fact tells of the events it took in, whatever their order within a round was."""

    events: int
    under_way: frozenset[str]
    ended: frozenset[str]


def play(home: Path, *, hooks: int, rounds: int, agents: int, argv: Sequence[str] = HOOK) -> dict[str, int]:
    """Rounds of so many hooks at once over so many agents; how many events each agent lost."""
    told = [_round(number, hooks, agents) for number in range(rounds)]
    for events in told:
        _at_once(home, events, argv)
    found = {agent: _kept(fact) for agent, fact in facts_in(home).items()}
    wanted = _one_after_the_other([event for events in told for event in events])
    lost = {agent: one.events - found[agent].events for agent, one in wanted.items()}
    assert any(lost.values()) or found == wanted, "nothing is lost, but something is wrong"
    return {agent: number for agent, number in lost.items() if number}


def _round(number: int, hooks: int, agents: int) -> list[Event]:
    """Calls begin, and those of the round before end."""
    begun = [_event("PreToolUse", number, k, agents) for k in range(0, hooks, 2)]
    return begun + [_event("PostToolUse", number - 1, k, agents) for k in range(0, hooks, 2) if number]


def _event(name: str, number: int, k: int, agents: int) -> Event:
    return call(name, f"t{number}-{k}", agent_id=f"a{k // 2 % agents}", agent_type="general-purpose")


def _at_once(home: Path, events: list[Event], argv: Sequence[str]) -> None:
    running = [subprocess.Popen(argv, stdin=subprocess.PIPE, env=hook_env(home)) for _ in events]
    for process, event in zip(running, events, strict=True):
        assert process.stdin
        process.stdin.write(json.dumps(event).encode())
        process.stdin.close()
    assert [process.wait() for process in running] == [0] * len(running)


def _one_after_the_other(events: list[Event]) -> dict[str, Kept]:
    facts: dict[str, Fact | None] = {}
    for k, event in enumerate(events):
        agent = event["agent_id"]
        facts[agent] = record(event, fact=facts.get(agent), at=[1000.0 + k])
    return {agent: _kept(fact) for agent, fact in facts.items() if fact}


def _kept(fact: Fact) -> Kept:
    return Kept(fact.seq, frozenset(fact.calls), frozenset(fact.done))
