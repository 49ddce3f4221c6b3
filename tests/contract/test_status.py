"""The status of a session as it is written and read."""

import json
from typing import Any

import pytest

from contract import status
from contract.status import WAITING, AgentStatus, SessionStatus

FULL = SessionStatus("s", "proj", "/proj", 7, WAITING, "", 5.0, "turn-over", "hook", client="claude")


def test_a_status_names_its_client() -> None:
    found = status.decode(status.encode(FULL))
    assert found == FULL
    assert json.loads(status.encode(FULL))["client"] == "claude"


def test_a_status_of_a_version_that_did_not_name_the_client_is_read() -> None:
    old = json.loads(status.encode(FULL))
    del old["client"]
    assert status.decode(json.dumps(old).encode()) == FULL._replace(client="")


def written(**changed: Any) -> bytes:
    return json.dumps({**json.loads(status.encode(FULL)), **changed}).encode()


@pytest.mark.parametrize("wrong", [{"status": "gone"}, {"cwd": 7}, {"since": "now"}, {"name": None}, {"v": True}])
def test_a_status_without_what_it_must_have_is_garbage(wrong: dict[str, Any]) -> None:
    assert status.decode(written()) == FULL
    assert status.decode(written(**wrong)) is None


def test_what_a_status_may_have_is_left_out_where_it_is_of_the_wrong_type() -> None:
    found = status.decode(written(team=7, hidden="yes", terminal=[], agents="none", shown_by=True))
    assert found == FULL._replace(shown_by=True)


def test_of_several_agents_those_that_cannot_be_read_are_left_out() -> None:
    main = AgentStatus("main", "agent", None, None, WAITING, "", 5.0, "turn-over", "hook", "suspended")
    good = status.plain(main)
    rotten = ({**good, "detail": None}, {**good, "status": "gone"}, {"key": "main"}, 7)
    odd = {**good, "waits_for": ["a", 7], "weighed": [{"source": "hook"}, 7]}
    found = status.decode(written(agents=[good, *rotten, odd]))
    assert found == FULL._replace(agents=(main, main._replace(waits_for=("a",))))
