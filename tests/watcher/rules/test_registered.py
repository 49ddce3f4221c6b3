"""Agents that were started through us: what their registration tells, and for how long."""

from typing import Any

import pytest

from contract.facts import Call, Fact, Mark, Registered, Stamp, Turn
from watcher.rules.evidence import Evidence, RegistryReport
from watcher.rules.law import resolve
from watcher.rules.verdict import Verdict

AT = Stamp((1_800_000_010.0, 10.0))


def fact(**more: Any) -> Fact:
    kept = Registered(name="builder", kind="agent", at=AT)
    given = {"turn": Turn(opened=AT, prompted=AT, machine=True), "last": Mark(at=AT, word="spawn"), "registered": kept}
    return Fact(session="s", agent="main", **{**given, **more})


def judged(known: Fact, now: float, report: RegistryReport | None = None) -> Verdict:
    return resolve(Evidence(now=now, facts={"main": known}, began=9.9, report=report))["main"]


def test_it_works_from_its_registration_on_and_that_is_the_source() -> None:
    verdict = judged(fact(), 10.5)
    assert (verdict.status, verdict.rule, verdict.source) == ("working", "turn-open", "spawn")


def test_a_client_that_says_idle_while_it_gets_ready_is_about_to_work() -> None:
    verdict = judged(fact(), 15.0, RegistryReport("idle", "", 11.0, seen_at=11.0))
    assert verdict.status == "working"
    assert [sign.overruled for sign in verdict.signs if sign.source == "registry"] == ["its task is on its way"]


def test_but_not_for_ever() -> None:
    assert judged(fact(), 60.0, RegistryReport("idle", "", 11.0, seen_at=11.0)).status == "waiting"


@pytest.mark.parametrize(
    "told",
    [
        {"turn": Turn(id="p", opened=Stamp((1.8e9, 12.0)), prompted=Stamp((1.8e9, 12.0)), ended=Stamp((1.8e9, 13.0)))},
        {"turn": Turn(opened=AT, prompted=AT, ended=Stamp((1.8e9 + 13, 13.0)))},
    ],
    ids=["it has begun", "its turn is over"],
)
def test_once_hooks_have_told_of_its_turn_the_registry_counts_again(told: dict[str, Any]) -> None:
    assert judged(fact(**told), 17.0, RegistryReport("idle", "", 13.0, seen_at=13.0)).status == "waiting"


def test_a_plain_program_works_as_long_as_it_lives_however_quiet_it_is() -> None:
    call = Call(name="make", target="all", began=AT)
    verdict = judged(fact(calls={"spawn": call}), 100_000.0)
    assert (verdict.status, verdict.detail, verdict.quote) == ("working", "make: all", "all")
