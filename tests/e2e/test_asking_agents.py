"""Agents of ours that ask, with the real client: each request is answered over its stream, by its own id."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.harness.answering import by_hand, outcomes, requests, state
from e2e.harness.chosen import needs_client
from e2e.harness.script import ask, bash, script, spawn, text, together
from e2e.harness.spawned import describe, ends, lights, run
from support.patience import until

if TYPE_CHECKING:
    from e2e.harness.watched import Watched


@pytest.fixture
def hosting(watched: Watched) -> Watched:
    describe(watched, asks=True)
    watched.ready()
    return watched


def open_requests(watched: Watched, number: int = 1) -> list[dict[str, Any]]:
    until(lambda: len(requests(watched)) == number, lambda: f"{number} requests: {requests(watched)}")
    return requests(watched)


def made(watched: Watched, name: str = "made") -> bool:
    return (Path(watched.home.project) / name).exists()


def gone(watched: Watched, session: str) -> None:
    until(lambda: list(lights(watched.seen(), session))[-1:] == [""], watched.story)
    until(lambda: ends(watched), "its end in the audit")
    assert os.listdir(f"{state(watched)}/open") == []


def keeper(watched: Watched, name: str) -> psutil.Process:
    spawned = json.loads((Path(state(watched)) / "spawned" / f"{name}.json").read_text())
    return psutil.Process(spawned["keeper"])


def last_told(watched: Watched) -> str:
    return json.dumps(watched.api.turns[-1].body["messages"][-1])


def test_what_is_allowed_runs_and_its_light_is_right_all_along(hosting: Watched) -> None:
    told = run(hosting, "--name", "first", prompt=script(bash("touch made"), text("done", hold="reply")))
    (request,) = open_requests(hosting)
    assert (request["session_id"], request["agent"], request["tool"]) == (told["session"], "main", "Bash")
    assert (request["input"]["command"], request["can_allow"]) == ("touch made", True)
    assert request["cwd"] == hosting.home.project
    until(lambda: list(lights(hosting.seen(), told["session"])) == [WORKING, NEEDS_APPROVAL], hosting.story)
    assert not made(hosting)
    done = by_hand(hosting, "allow", request["id"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "allowed\n", "")
    hosting.api.reached("reply")
    assert (made(hosting), requests(hosting), outcomes(hosting)) == (True, [], ["taken"])
    until(lambda: list(lights(hosting.seen(), told["session"]))[-1] == WORKING, hosting.story)
    hosting.api.release("reply")
    gone(hosting, told["session"])
    # After its last words it may be seen at rest before it has ended, as every agent may.
    along = [light for light in lights(hosting.seen(), told["session"]) if light != WAITING]
    assert along == [WORKING, NEEDS_APPROVAL, WORKING, ""], hosting.story()
    assert ends(hosting) == [("completed", "completed")]


def test_a_refusal_reaches_the_model_with_its_reason(hosting: Watched) -> None:
    told = run(hosting, prompt=script(bash("touch made"), text("I see", hold="reply")))
    (request,) = open_requests(hosting)
    done = by_hand(hosting, "deny", request["id"], "--message", "use the other folder")
    assert (done.returncode, done.stdout) == (0, "denied\n")
    hosting.api.reached("reply")
    assert "use the other folder" in last_told(hosting)
    hosting.api.release("reply")
    gone(hosting, told["session"])
    assert not made(hosting)


def test_a_question_is_answered(hosting: Watched) -> None:
    told = run(hosting, prompt=script(ask("Which colour?", "Red", "Green"), text("fine", hold="reply")))
    (request,) = open_requests(hosting)
    assert by_hand(hosting, "allow", request["id"]).returncode == 3
    assert by_hand(hosting, "answer", request["id"], "2").stdout == "answered\n"
    hosting.api.reached("reply")
    assert "Green" in last_told(hosting)
    hosting.api.release("reply")
    gone(hosting, told["session"])


@pytest.mark.series
def test_equal_calls_are_asked_for_one_after_the_other_and_each_answer_is_for_one(hosting: Watched) -> None:
    count = f"{hosting.home.path}/count"
    same = bash(f"echo x >> {count}")
    told = run(hosting, prompt=script(together(same, same), text("done")))
    (first,) = open_requests(hosting)
    assert by_hand(hosting, "allow", first["id"]).stdout == "allowed\n"
    until(lambda: [one for one in requests(hosting) if one["id"] != first["id"]], "the second request")
    (second,) = requests(hosting)
    assert (second["digest"], second["input"]) == (first["digest"], first["input"])
    assert by_hand(hosting, "allow", first["id"]).returncode == 2
    assert by_hand(hosting, "deny", second["id"]).stdout == "denied\n"
    gone(hosting, told["session"])
    assert Path(count).read_text() == "x\n"


def test_sub_agents_ask_at_the_same_time_and_go_on_one_by_one(hosting: Watched) -> None:
    """Main has said its last words by then: its input stays open as long as anybody below it may ask."""
    both = together(*(spawn(name, bash(f"touch {name}"), text(name)) for name in ("one", "two")))
    told = run(hosting, prompt=script(both, text("main done"), text("a"), text("b")))
    asked = {one["input"]["command"]: one for one in open_requests(hosting, 2)}
    assert "main" not in {one["agent"] for one in asked.values()}
    assert by_hand(hosting, "allow", asked["touch one"]["id"]).stdout == "allowed\n"
    until(lambda: made(hosting, "one"), "the first call")
    assert [one["id"] for one in requests(hosting)] == [asked["touch two"]["id"]]
    assert by_hand(hosting, "allow", asked["touch two"]["id"]).stdout == "allowed\n"
    gone(hosting, told["session"])
    assert made(hosting, "two")
    assert ends(hosting) == [("completed", "completed")]


@pytest.mark.series
def test_sub_agents_that_ask_for_the_very_same_are_allowed_together(hosting: Watched) -> None:
    count = f"{hosting.home.path}/count"
    three = together(*(spawn(name, bash(f"echo x >> {count}"), text(name)) for name in ("one", "two", "three")))
    told = run(hosting, prompt=script(three, text("main done"), text("a"), text("b"), text("c")))
    ids = [one["id"] for one in open_requests(hosting, 3)]
    done = by_hand(hosting, "allow", *ids)
    assert (done.returncode, done.stdout) == (0, "".join(f"{id_}  allowed\n" for id_ in ids))
    gone(hosting, told["session"])
    assert Path(count).read_text() == "x\nx\nx\n"
    assert outcomes(hosting) == ["taken"] * 3


def test_what_is_taken_from_it_is_not_asked_for(watched: Watched) -> None:
    """A tool that it does not have, and one that is denied: nobody can allow either."""
    describe(watched, asks=True, allow=["Read", "Bash"], deny=["Bash(touch:*)", "Bash(touch made)"])
    prompt = script(bash("touch made"), bash("touch ~/other"), text("done"))
    told = run(watched, "--wait", prompt=prompt)
    assert (told["ok"], told["message"], requests(watched)) == (True, "done", [])
    assert not made(watched)
    assert not os.path.exists(f"{watched.home.path}/other")
    assert outcomes(watched) == []


@pytest.mark.series
def test_of_a_tool_of_which_it_has_a_part_the_rest_is_asked_for(watched: Watched) -> None:
    describe(watched, asks=True, allow=["Bash(ls:*)"])
    prompt = script(bash("ls"), together(bash("touch made")), text("done"))
    told = run(watched, prompt=prompt)
    (request,) = open_requests(watched)
    assert request["input"]["command"] == "touch made"
    assert by_hand(watched, "allow", request["id"]).stdout == "allowed\n"
    gone(watched, told["session"])
    assert made(watched)


def test_who_is_killed_while_it_asks_leaves_nothing_open(hosting: Watched) -> None:
    told = run(hosting, "--name", "first", prompt=script(bash("touch made"), text("done")))
    (request,) = open_requests(hosting)
    os.kill(told["pid"], signal.SIGKILL)
    gone(hosting, told["session"])
    assert outcomes(hosting) == ["client gone"]
    assert by_hand(hosting, "allow", request["id"]).returncode == 2
    assert not made(hosting)


@pytest.mark.series
def test_who_is_ended_with_our_own_command_leaves_nothing_open(hosting: Watched) -> None:
    told = run(hosting, "--name", "first", prompt=script(bash("touch made"), text("done")))
    (request,) = open_requests(hosting)
    assert by_hand(hosting, "kill", "first", "--yes").returncode == 0
    gone(hosting, told["session"])
    assert by_hand(hosting, "allow", request["id"]).returncode == 2
    assert not made(hosting)


@pytest.mark.series
def test_a_killed_keeper_decides_nothing(hosting: Watched) -> None:
    """The client is told that its host is gone, so the call fails, and nobody has answered it."""
    told = run(hosting, "--name", "first", prompt=script(bash("touch made"), text("done")))
    (request,) = open_requests(hosting)
    client = psutil.Process(told["pid"])
    keeper(hosting, "first").kill()
    until(lambda: not client.is_running() or client.status() == psutil.STATUS_ZOMBIE, "the end of its client")
    assert requests(hosting) == []
    assert by_hand(hosting, "allow", request["id"]).returncode == 2
    assert (made(hosting), outcomes(hosting)) == (False, [])
    assert os.listdir(f"{state(hosting)}/open") == []


@pytest.mark.series
def test_without_a_watcher_it_is_answered_all_the_same(hosting: Watched) -> None:
    run(hosting, "--name", "first", prompt=script(bash("touch made"), text("done")))
    (request,) = open_requests(hosting)
    hosting.kill_watchers()
    assert by_hand(hosting, "allow", request["id"]).stdout == "allowed\n"
    until(lambda: ends(hosting) == [("completed", "completed")], "its end in the audit")
    assert made(hosting)


@pytest.mark.series
def test_a_hook_of_the_persons_own_that_is_quicker_takes_the_request_back(hosting: Watched) -> None:
    decision = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    door = hosting.home.door("own")
    said = json.dumps({"hookSpecificOutput": decision})
    hosting.own_hook("PermissionRequest", f"cat {door} > /dev/null; echo '{said}'")
    told = run(hosting, prompt=script(bash("touch made"), text("done")))
    (request,) = open_requests(hosting)
    with open(door, "w", encoding="utf-8"):
        pass
    gone(hosting, told["session"])
    assert (made(hosting), outcomes(hosting)) == (True, ["answered elsewhere"])
    assert by_hand(hosting, "deny", request["id"]).returncode == 2


@pytest.mark.series
def test_with_the_hook_for_answers_installed_too_there_is_one_request(hosting: Watched) -> None:
    assert hosting.run("install", "--yes", "--answers").returncode == 0
    told = run(hosting, prompt=script(bash("touch made"), text("done")))
    (request,) = open_requests(hosting)
    assert by_hand(hosting, "allow", request["id"]).stdout == "allowed\n"
    gone(hosting, told["session"])
    assert (made(hosting), outcomes(hosting)) == (True, ["taken"])


@pytest.mark.series
@needs_client("2.1.325", "2.1.197 says nothing of itself in its registry")
def test_without_hooks_its_light_is_right_too(bare: Watched) -> None:
    describe(bare, asks=True)
    bare.ready()
    told = run(bare, prompt=script(bash("touch made"), text("done", hold="reply")))
    (request,) = open_requests(bare)
    until(lambda: list(lights(bare.seen(), told["session"]))[-1] == NEEDS_APPROVAL, bare.story)
    assert by_hand(bare, "allow", request["id"]).stdout == "allowed\n"
    bare.api.reached("reply")
    until(lambda: list(lights(bare.seen(), told["session"]))[-1] == WORKING, bare.story)
    bare.api.release("reply")
    gone(bare, told["session"])


@pytest.mark.series
def test_its_end_is_told_as_that_of_any_other(watched: Watched) -> None:
    describe(watched, asks=True)
    failed = run(watched, "--wait", prompt=script(text("", status=400, error="invalid_request_error")))
    assert (failed["ok"], failed["code"], failed["reason"]) == (False, 1, "api error 400")
    for seconds in ("8", "32", "128"):  # on a busy machine the first may be over before the client has asked
        late = run(watched, "--wait", "--timeout", seconds, prompt=script(bash("touch made"), text("x")))
        assert (late["ok"], late["reason"]) == (False, "timeout")
        if outcomes(watched):
            break
    assert outcomes(watched) == ["client gone"]
    shell = bash('python3 -c "import time; time.sleep(3)"', run_in_background=True)
    describe(watched, asks=True, mode="bypassPermissions")
    woken = run(watched, "--wait", prompt=script(shell, text("it runs"), text("it is done")))
    assert (woken["ok"], woken["message"]) == (True, "it is done")
    assert os.listdir(f"{state(watched)}/open") == []
