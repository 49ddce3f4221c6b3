"""The table of an agent's life: every state has its entry, and nothing happens outside of it."""

from itertools import product

import pytest

from contract.life import ENDED, STATES, STEPS, UNSEEN, is_step
from contract.observation import Life, observe
from contract.status import AgentStatus, SessionStatus
from watcher.rules.lifecycle import BY_RULE


def test_every_state_has_an_entry_and_leads_only_to_states() -> None:
    assert set(STEPS) == {UNSEEN, *STATES}
    assert {after for steps in STEPS.values() for after in steps} == set(STATES)


def test_every_state_can_be_reached_and_every_living_one_can_end() -> None:
    assert all(set(STEPS[state]) >= set(ENDED) for state in STATES if state not in ENDED)


def test_what_rules_say_is_in_the_table() -> None:
    assert {life.state for life in BY_RULE.values()} <= set(STATES)


def test_who_was_killed_or_lost_stays_so() -> None:
    for state in ("killed", "lost"):
        assert not any(is_step(state, after) for after in STATES if after != state)


def agent(state: str) -> AgentStatus:
    return AgentStatus("main", "agent", None, None, "waiting", "", 1.0, "rule", "hook", state)


def session(state: str, *, spawned: bool) -> SessionStatus:
    return SessionStatus("s", "p", "/p", 1, "waiting", "", 1.0, "rule", "hook", spawned=spawned, agents=(agent(state),))


@pytest.mark.parametrize("spawned", [True, False])
def test_every_step_that_is_observed_is_in_the_table(spawned: bool) -> None:
    """Walked: from every state that a rule can say to every other one, and to every end."""
    said = sorted({life.state for life in BY_RULE.values()})
    looks: list[tuple[SessionStatus | None, SessionStatus | None]] = [
        (old, new) for old, new in product([None, *(session(state, spawned=spawned) for state in said)], repeat=2)
    ]
    steps = {
        (str(one.fields["from"]), str(one.fields["to"]))
        for (old, new), end in product(looks, ENDED)
        for one in observe(old, new, 1.0, Life(end))
        if one.kind == "agent_process_changed"
    }
    assert steps, "nothing was observed"
    assert {step for step in steps if not is_step(step[0].replace("unknown", UNSEEN), step[1])} == set()
    assert {after for _, after in steps} >= set(ENDED)
