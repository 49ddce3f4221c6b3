"""Each of the clients as a worker that is started through us."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import paths
from contract.status import NEEDS_APPROVAL, WORKING
from e2e.agents.clients import CLIENTS
from e2e.agents.workers import audit, ends, spawn
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import play, text
from e2e.harness.watchers import ALL

if TYPE_CHECKING:
    from e2e.agents.conftest import Watch
    from e2e.agents.watched import WatchedAgents


@pytest.fixture(params=CLIENTS)
def watched(watch: Watch, request: pytest.FixtureRequest) -> WatchedAgents:
    watched = watch(request.param)
    watched.kind.before_a_worker(watched)
    return watched


def is_heard(watched: WatchedAgents, session: str) -> bool:
    """Whether its hooks have told of it under our name for it."""
    status = next(shown for shown in watched.seen()[-1].sessions if shown["session_id"] == session)
    return bool(status["client"]) and bool(json.loads(Path(fact(watched, session)).read_text())["seq"])


def fact(watched: WatchedAgents, session: str) -> str:
    return paths.fact(watched.states[ALL], session, paths.MAIN)


def test_a_worker_has_one_row_and_may_use_what_is_on_its_list_only(watched: WatchedAgents) -> None:
    (allow, may, may_not), project = watched.kind.LIMITS, watched.place.project
    watched.api.scripts["one"] = [may, may_not, text("All done.", hold="answer")]
    told = spawn(watched, play("one"), allow=allow, prompt="You touch files.")
    watched.reached("answer")
    until(lambda: watched.sessions() == {told["session"]}, PATIENCE_S, watched.story)
    until(lambda: is_heard(watched, told["session"]), PATIENCE_S, watched.story)
    assert watched.seen()[-1].sessions[0]["status"] == WORKING
    assert (os.path.exists(f"{project}/made"), os.path.exists(f"{project}/other")) == (True, False)
    watched.release("answer")
    until(lambda: ends(watched) == [("completed", "completed")], PATIENCE_S, watched.story)
    until(lambda: not watched.sessions(), PATIENCE_S, watched.story)
    asked = [sample for sample in watched.seen() for one in sample.everything if one.status == NEEDS_APPROVAL]
    assert asked == [], watched.story()
    (began,) = audit(watched, "spawn")
    assert (began["allow"], bool(began["enforced"])) == (allow, True)


def test_its_last_words_and_how_it_ended_are_collected(watched: WatchedAgents) -> None:
    watched.api.scripts["one"] = [text("All done.")]
    watched.api.scripts["two"] = [{**text("x"), "status": 400, "error": "invalid_request_error", "message": "no"}]
    told = spawn(watched, play("one"), "--wait")
    assert (told["ok"], told["reason"], told["message"]) == (True, "completed", "All done.")
    failed = spawn(watched, play("two"), "--wait")
    assert (failed["ok"], failed["reason"][:9]) == (False, "api error")
