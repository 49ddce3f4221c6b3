"""docs/status.schema.json describes what `yourturn status --json` prints: all of it, and nothing else."""

from __future__ import annotations

import copy
import json
import time
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from contract import life
from contract.pulse import Watcher
from contract.status import STATES, AgentStatus, SessionStatus
from conversations.glimpse import Glimpse
from statusbar.cli import json_text, report
from statusbar.demo import scenario
from statusbar.demo.fake_watcher import FakeWatcher
from statusbar.model import agents, reader
from support.command import yourturn
from support.project import PROJECT
from support.showing import HOSTILE, agent, hostile, put, session, statuses, watcher

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = json.loads((PROJECT / "docs" / "status.schema.json").read_text())
EVERYTHING = ("status", "--json", "--full", "--all")


def closed(schema: Any) -> Any:
    """The same schema, but a field that it does not describe is an error."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    return {"additionalProperties": False, **parts} if isinstance(parts.get("properties"), dict) else parts


def check(printed: dict[str, Any]) -> dict[str, Any]:
    jsonschema.validate(printed, closed(SCHEMA), jsonschema.Draft202012Validator)
    return printed


def told(home: Path, *words: str) -> dict[str, Any]:
    return check(json.loads(yourturn(home, *(words or EVERYTHING)).stdout))


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert closed(SCHEMA)["$defs"]["agent"]["additionalProperties"] is False


def test_without_a_watcher_all_is_unknown_and_fits(tmp_path: Path) -> None:
    found = told(tmp_path)
    assert (found["known"], found["as_of"], found["counts"]["unknown"], found["watcher"]["state"]) == (
        False, None, 1, "gone",
    )  # fmt: skip
    put(tmp_path, session("a"))
    assert [one["session_id"] for one in told(tmp_path)["sessions"]] == ["a"]


@pytest.mark.parametrize("words", [("status", "--json"), EVERYTHING], ids=["short", "full"])
def test_a_real_board_fits(words: tuple[str, ...], tmp_path: Path) -> None:
    put(tmp_path, session("a", agents=(agent(), agent("sub", parent="main"))), session("h", hidden=True))
    with watcher(tmp_path):
        found = told(tmp_path, *words)
    assert (found["known"], found["watcher"]["alive"], bool(found["sessions"][0]["agents"])) == (True, True, True)


def test_the_demo_fits_at_each_of_its_moments() -> None:
    with FakeWatcher() as demo:
        for t in range(0, int(scenario.LENGTH), 6):
            demo.write(scenario.sessions(float(t), time.time()), time.time())
            for full in (False, True):
                found = check(report.report(reader.read(demo.home), time.time(), full=full))
                assert found["known"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_whatever_comes_from_outside_fits(text: str) -> None:
    found = check(json.loads(json_text.as_text(report.report(statuses(hostile(text)), 0.0, full=True))))
    assert found["sessions"]


def test_each_field_and_each_word_of_ours_is_described() -> None:
    defined = SCHEMA["$defs"]
    assert set(defined["session"]["properties"]) == {*SessionStatus._fields, "title", "conversation"}
    assert set(defined["conversation"]["properties"]) == set(Glimpse._fields)
    assert set(defined["agent"]["properties"]) == set(AgentStatus._fields)
    assert set(defined["session"]["required"]) == {*report.SESSION, "title", "agents"}
    assert set(defined["agent"]["required"]) == set(report.AGENT)
    assert defined["status"]["enum"] == list(STATES)
    assert defined["agent"]["properties"]["state"]["examples"] == list(life.STATES)
    assert defined["agent"]["properties"]["kind"]["examples"] == list(agents.KINDS)
    states = SCHEMA["properties"]["watcher"]["properties"]["state"]["enum"]
    assert states == [*(one.value for one in Watcher), "resting"]


def test_what_does_not_fit_is_noticed(tmp_path: Path) -> None:
    right = told(tmp_path)
    for key, wrong in {"known": "yes", "v": 2, "as_of": "now", "sessions": [{}], "surprise": 1}.items():
        with pytest.raises(jsonschema.ValidationError):
            check({**copy.deepcopy(right), key: wrong})
