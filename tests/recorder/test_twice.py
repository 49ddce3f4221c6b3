"""Each event recorded twice, by a plugin and by the settings: it tells nothing new, and nothing is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from contract.clients.claude import EVENTS
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


class Replay:
    """A recording, event by event, one second apart."""

    def __init__(self, home: Path, name: str) -> None:
        self._home = home
        lines = (TESTS / "replay" / name / "hooks.jsonl").read_text().splitlines()
        self.events = [json.loads(line)["payload"] for line in lines]

    def hears(self, payload: dict[str, Any], at: float) -> None:
        data = json.dumps(payload).encode()
        receive(str(self._home / "state"), ENV, data, Stamp((1e9 + at, 1e8 + at)))

    def shows(self, at: float) -> dict[str, Any]:
        """What the facts say, and the light that the law makes of it."""
        facts = facts_in(self._home)
        judged = resolve(Evidence(now=1e9 + at, facts=facts))
        calls = {key: [sorted(fact.calls), len(fact.asks), sorted(fact.done)] for key, fact in facts.items()}
        return {"calls": calls, "lights": {key: verdict.status for key, verdict in judged.items()}}


def once(home: Path, name: str) -> list[dict[str, Any]]:
    replay, states = Replay(home, name), []
    for at, payload in enumerate(replay.events):
        replay.hears(payload, at)
        states.append(replay.shows(at + 0.5))
    return states


def twice(home: Path, name: str, *, late: bool) -> list[dict[str, Any]]:
    """`late`: the client does not wait for some hooks, so the second one is recorded after the next event."""
    replay, states = Replay(home, name), []
    for at, payload in enumerate(replay.events):
        replay.hears(payload, at)
        before = replay.events[at - 1] if at else {}
        if late and EVENTS.get(before.get("hook_event_name", "")):
            replay.hears(before, at - 1 + APART_S)
        if not late or not EVENTS[payload["hook_event_name"]]:
            replay.hears(payload, at + APART_S)
        states.append(replay.shows(at + 0.5))
    return states


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.parametrize("name", RECORDINGS)
def test_what_is_recorded_twice_shows_the_same_light_after_every_event(name: str, late: bool, tmp_path: Path) -> None:
    assert twice(tmp_path / "twice", name, late=late) == once(tmp_path / "once", name)
