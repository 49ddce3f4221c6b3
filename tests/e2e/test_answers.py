"""Requests of the real client, answered from outside: what was seen is what is approved, or nothing happens."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from answers import record
from e2e.harness.answering import by_hand, outcomes, requests, state
from e2e.harness.chosen import needs_client
from e2e.harness.patience import until
from e2e.harness.script import ask, bash, script, spawn, stay, text, together, tool
from e2e.harness.truth import needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Subject, Watched


@pytest.fixture
def answering(watched: Watched) -> Watched:
    """With the hook that waits for answers, as a person installs it."""
    done = watched.run("install", "--yes", "--answers")
    assert done.returncode == 0, done.stderr
    return watched


def the_request(watched: Watched, agent: Subject) -> dict[str, Any]:
    until(lambda: requests(watched), 60, lambda: f"no request:\n{agent.screen()}")
    (found,) = requests(watched)
    return found


def asks(watched: Watched, about: str, *steps: Any) -> tuple[Subject, dict[str, Any]]:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(*steps))
    watched.passes("prompt", working())
    agent.wait_for_dialog()
    watched.becomes("asks", needs_approval(about))
    return agent, the_request(watched, agent)


def test_what_is_allowed_from_outside_runs(answering: Watched) -> None:
    door = answering.home.door("door")
    agent, request = asks(answering, f"Bash: wc {door}", stay(door), text("done", hold="reply"))
    answering.holds(0.5)
    assert (request["tool"], door in request["input"]["command"], request["can_allow"]) == ("Bash", True, True)
    done = by_hand(answering, "allow", request["id"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "allowed\n", "")
    answering.moments.sees()
    answering.becomes("approved", working(f"Bash: wc {door}"))
    with answering.command_runs(door):
        answering.holds(0.5)
    answering.reached("reply")
    assert requests(answering) == []
    (line,) = record.entries(state(answering))
    assert (line["deed"], line["outcome"], line["tool"]) == ("allow", "taken", "Bash")
    answering.release("reply")
    agent.wait_for_status("idle")
    answering.becomes("turn ends", waiting(""))


def test_a_refusal_reaches_the_model_with_its_reason(answering: Watched) -> None:
    agent, request = asks(answering, "Bash: touch ~/never", bash("touch ~/never"), text("I see", hold="reply"))
    done = by_hand(answering, "deny", request["id"], "--message", "use the other folder")
    assert (done.returncode, done.stdout) == (0, "denied\n")
    answering.reached("reply")
    answering.moments.sees()
    answering.becomes("denied", working("thinking"))
    assert "use the other folder" in json.dumps(answering.api.turns[-1].body)
    assert not os.path.exists(f"{answering.home.path}/never")
    answering.release("reply")
    agent.wait_for_status("idle")
    answering.becomes("turn ends", waiting(""))


def test_a_question_is_answered_by_the_number_of_an_option(answering: Watched) -> None:
    agent, request = asks(answering, "question", ask("Which colour?", "Red", "Green"), text("fine", hold="reply"))
    refused = by_hand(answering, "allow", request["id"])
    assert (refused.returncode, "it asks a question" in refused.stderr) == (3, True)
    assert by_hand(answering, "answer", request["id"], "7").returncode == 2
    done = by_hand(answering, "answer", request["id"], "2")
    assert (done.returncode, done.stdout) == (0, "answered\n")
    answering.reached("reply")
    answering.moments.sees()
    answering.becomes("answered", working("thinking"))
    assert "Green" in json.dumps(answering.api.turns[-1].body["messages"][-1])
    answering.release("reply")
    agent.wait_for_status("idle")
    answering.becomes("turn ends", waiting(""))


def test_who_answers_in_the_terminal_comes_first(answering: Watched) -> None:
    door = answering.home.door("door")
    agent, request = asks(answering, f"Bash: wc {door}", stay(door), text("done"))
    agent.answer("Enter")
    answering.becomes("approved", working(f"Bash: wc {door}"))
    until(lambda: requests(answering) == [], 60, lambda: "it stays open")
    late = by_hand(answering, "deny", request["id"])
    assert (late.returncode, "no open request" in late.stderr) == (2, True)
    assert outcomes(answering) == ["answered elsewhere"]
    with answering.command_runs(door):
        answering.holds(0.5)
    agent.wait_for_status("idle")


def test_who_rejects_in_the_terminal_comes_first(answering: Watched) -> None:
    agent, request = asks(answering, "Bash: touch ~/never", bash("touch ~/never"), text("done"))
    agent.answer("Escape")
    agent.wait_for_status("idle")
    answering.becomes("rejected", waiting("interrupted"))
    until(lambda: requests(answering) == [], 60, lambda: "it stays open")
    assert by_hand(answering, "allow", request["id"]).returncode == 2
    assert not os.path.exists(f"{answering.home.path}/never")


@pytest.mark.series
def test_a_plan_is_approved_into_manual_mode(answering: Watched) -> None:
    agent = answering.client(mode="plan")
    agent.say(script(text("hello")))
    agent.wait_for_status("idle")
    # The client tells the model where to write its plan; what lies there is the plan.
    (path,) = set(re.findall(r"/[^\s\"`\\\\]+/plans/[^\s\"`\\\\]+\.md", json.dumps(answering.api.turns[-1].body)))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# My plan\n1. one\n")
    agent.say(script(tool("ExitPlanMode"), bash("touch made"), text("done")))
    agent.wait_for_dialog()
    request = the_request(answering, agent)
    assert (request["kind"], request["input"]["plan"]) == ("plan", "# My plan\n1. one\n")
    assert by_hand(answering, "allow", request["id"]).stdout == "allowed\n"
    until(lambda: [one["tool"] for one in requests(answering)] == ["Bash"], 60, agent.screen)
    assert [one["mode"] for one in requests(answering)] == ["default"], "nothing else was switched on with it"
    assert by_hand(answering, "deny").returncode == 0
    agent.wait_for_status("idle")


@pytest.mark.series
@needs_client("2.1.325", "2.1.197 tells the plan")
def test_a_plan_that_the_client_does_not_tell_is_not_approved_from_outside(answering: Watched) -> None:
    agent = answering.client(mode="plan")
    agent.say(script(tool("ExitPlanMode", plan="# Plan"), text("done")))
    agent.wait_for_dialog()
    request = the_request(answering, agent)
    done = by_hand(answering, "allow", request["id"])
    assert (done.returncode, "does not say what the plan is" in done.stderr) == (3, True)
    assert by_hand(answering, "deny", request["id"], "--message", "not yet").stdout == "denied\n"
    agent.wait_for_status("idle")


def test_one_answer_is_for_one_call(answering: Watched) -> None:
    """Two calls at once, byte for byte the same: the client asks for one after the other."""
    agent = answering.client()
    count = f"{answering.home.path}/count"
    same = bash(f"echo x >> {count}")
    agent.say(script(together(same, same), text("done")))
    agent.wait_for_dialog()
    first = the_request(answering, agent)
    assert by_hand(answering, "allow", first["id"]).stdout == "allowed\n"
    until(lambda: [one for one in requests(answering) if one["id"] != first["id"]], 60, agent.screen)
    (second,) = requests(answering)
    assert (second["digest"], second["input"]) == (first["digest"], first["input"])
    until(lambda: os.path.exists(count), 60, agent.screen)
    again = by_hand(answering, "allow", first["id"])
    assert (again.returncode, "no open request" in again.stderr) == (2, True)
    assert by_hand(answering, "deny", second["id"]).stdout == "denied\n"
    agent.wait_for_words("done")
    with open(count, encoding="utf-8") as file:
        assert file.read() == "x\n"


def test_the_dialog_of_a_sub_agent_is_in_the_terminal_at_once(answering: Watched) -> None:
    """While a hook waits the client hides it: so none does."""
    agent = answering.client()
    agent.say(script(spawn("job", bash("touch ~/made"), text("sub done")), text("main done")))
    agent.wait_for_dialog("touch")
    assert requests(answering) == []
    agent.answer("Enter", words="touch")
    until(lambda: os.path.exists(f"{answering.home.path}/made"), 60, agent.screen)


@pytest.mark.series
def test_a_sub_agents_request_is_held_as_long_as_the_person_has_said(answering: Watched) -> None:
    assert answering.run("config", "answers.agents", "3600").returncode == 0
    agent = answering.client()
    agent.say(script(spawn("job", bash("touch ~/made"), text("sub done")), text("main done")))
    request = the_request(answering, agent)
    assert (request["agent"] != "main", agent.dialog()) == (True, "")
    assert by_hand(answering, "allow", request["id"]).stdout == "allowed\n"
    until(lambda: os.path.exists(f"{answering.home.path}/made"), 60, agent.screen)


@pytest.mark.series
def test_who_goes_to_the_terminal_finds_the_dialog_there(answering: Watched) -> None:
    assert answering.run("config", "answers.agents", "3600").returncode == 0
    agent = answering.client()
    agent.say(script(spawn("job", bash("touch ~/made"), text("sub done")), text("main done")))
    the_request(answering, agent)
    assert agent.dialog() == ""
    answering.run("go", agent.session_id)
    agent.wait_for_dialog("touch")
    assert requests(answering) == []


@pytest.mark.series
def test_a_run_without_a_terminal_is_not_held(answering: Watched) -> None:
    env = answering.home.environment(answering.api.url, answering.hook_env)
    prompt = script(bash("touch ~/never"), text("done"))
    argv = [answering.program, "-p", "--permission-mode", "default"]
    done = subprocess.run(
        argv, input=prompt, env=env, cwd=answering.home.project, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "done" in done.stdout) == (0, True)
    assert not os.path.exists(f"{answering.home.path}/never")
    assert outcomes(answering) == []


@pytest.mark.series
def test_nothing_is_left_of_a_request_whose_client_was_killed(answering: Watched) -> None:
    agent, request = asks(answering, "Bash: touch ~/never", bash("touch ~/never"), text("done"))
    agent.kill9()
    until(lambda: outcomes(answering) == ["client gone"], 60, lambda: str(outcomes(answering)))
    assert by_hand(answering, "allow", request["id"]).returncode == 2
    assert os.listdir(f"{state(answering)}/open") == []


@pytest.mark.series
def test_without_a_watcher_a_request_is_answered_all_the_same(answering: Watched) -> None:
    agent, request = asks(answering, "Bash: touch made", bash("touch made"), text("done"))
    answering.kill_watchers()
    assert by_hand(answering, "allow", request["id"]).stdout == "allowed\n"
    agent.wait_for_words("done")


@pytest.mark.series
def test_sub_agents_that_ask_for_the_very_same_are_allowed_together(answering: Watched) -> None:
    assert answering.run("config", "answers.agents", "3600").returncode == 0
    agent = answering.client()
    count = f"{answering.home.path}/count"
    both = together(*(spawn(name, bash(f"echo x >> {count}"), text("sub done")) for name in ("one", "two")))
    agent.say(script(both, text("main done"), text("a"), text("b")))
    until(lambda: len(requests(answering)) == 2, 60, agent.screen)
    first, second = requests(answering)
    assert (first["input"], first["agent"] != second["agent"]) == (second["input"], True)
    done = by_hand(answering, "allow", first["id"], second["id"])
    assert (done.returncode, done.stdout) == (0, f"{first['id']}  allowed\n{second['id']}  allowed\n")
    until(lambda: os.path.exists(count) and Path(count).read_text() == "x\nx\n", 60, agent.screen)
    assert outcomes(answering) == ["taken", "taken"]


@pytest.mark.series
def test_two_terminals_of_one_session_are_answered_one_by_one(answering: Watched) -> None:
    """Each is a session of its own on the board, whatever they ask for."""
    agent = answering.client()
    agent.say(script(bash("touch made"), text("done")))
    agent.wait_for_dialog()
    first = the_request(answering, agent)
    second = answering.client("--resume", agent.session_id)
    second.say(script(bash("touch made"), text("done")))
    second.wait_for_dialog()
    until(lambda: len(requests(answering)) == 2, 60, second.screen)
    other = next(one for one in requests(answering) if one["id"] != first["id"])
    assert (other["session_id"], other["input"]) == (first["session_id"], first["input"])
    done = by_hand(answering, "allow", first["id"], other["id"])
    assert (done.returncode, "byte for byte the same" in done.stderr) == (3, True)
    assert by_hand(answering, "allow", other["id"]).stdout == "allowed\n"
    second.wait_for_status("idle")
    assert [one["id"] for one in requests(answering)] == [first["id"]]
    assert by_hand(answering, "deny", first["id"]).stdout == "denied\n"
