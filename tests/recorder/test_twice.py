"""Each event recorded twice, by a plugin and by the settings: it tells nothing new, and nothing is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from contract.facts import Stamp
from recorder.receive import receive
from support.builders import facts_in
from support.project import TESTS
from watcher.rules.evidence import Evidence
from watcher.rules.law import resolve

if TYPE_CHECKING:
    from pathlib import Path

RECORDINGS = sorted(path.parent.name for path in TESTS.glob("replay/*/hooks.jsonl"))
ENV = {"YOURTURN_NO_WATCHER": "1", "CLAUDE_PID": "1"}
APART_S = 0.02  # between the two hooks of one event


def play(home: Path, name: str, times: int) -> list[dict[str, Any]]:
    """What the facts say after each event, which the law judges, and which is recorded so often."""
    lines = (TESTS / "replay" / name / "hooks.jsonl").read_text().splitlines()
    states = []
    for number, line in enumerate(lines):
        for time in range(times):
            at = 1e9 + number + APART_S * time
            receive(str(home / "state"), ENV, json.dumps(json.loads(line)["payload"]).encode(), Stamp((at, at - 9e8)))
        facts = facts_in(home)
        judged = resolve(Evidence(now=1e9 + number + 0.5, facts=facts))
        calls = {key: [sorted(fact.calls), len(fact.asks), sorted(fact.done)] for key, fact in facts.items()}
        states.append({"calls": calls, "lights": {key: verdict.status for key, verdict in judged.items()}})
    return states


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_is_recorded_twice_shows_the_same_light_after_every_event(name: str, tmp_path: Path) -> None:
    assert play(tmp_path / "twice", name, 2) == play(tmp_path / "once", name, 1)
