"""The harness itself: what it is told to do, the real client does, and what the client does, it sees."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil
import pytest

from e2e.harness.home import recorder
from e2e.harness.patience import ended, until
from e2e.harness.place import entered
from e2e.harness.script import ask, bash, script, send, spawn, stay, text, together

if TYPE_CHECKING:
    from e2e.conftest import Clients
    from e2e.harness.api import Api


def test_a_turn_ends_with_the_scripted_words(client: Clients, api: Api) -> None:
    with client() as agent:
        agent.say(script(text("all fine")))
        agent.wait_for_words("all fine")
        agent.wait_for_status("idle")
    assert [asked.step for asked in api.turns] == [text("all fine")]


def test_a_bash_call_runs_when_its_dialog_is_answered_with_enter(client: Clients) -> None:
    with client() as agent:
        agent.say(script(bash("touch made"), text("all fine")))
        agent.wait_for_dialog("touch made")
        agent.wait_for_status("waiting")
        assert not os.path.exists(f"{agent.home.project}/made")
        agent.answer("Enter")
        agent.wait_for_words("all fine")
        assert os.path.exists(f"{agent.home.project}/made")


def test_a_bash_call_does_not_run_when_its_dialog_is_answered_with_escape(client: Clients, api: Api) -> None:
    with client() as agent:
        agent.say(script(bash("touch made"), text("not said")))
        agent.answer("Escape", words="touch made")
        agent.wait_for_status("idle")
        assert not os.path.exists(f"{agent.home.project}/made")
    assert len(api.turns) == 1


def test_each_of_two_dialogs_gets_its_own_answer(client: Clients) -> None:
    with client() as agent:
        agent.say(script(together(bash("touch one"), bash("touch two")), text("not said")))
        agent.answer("Enter", words="touch one")
        assert "touch one" not in agent.dialog()
        agent.answer("Escape", words="touch two")
        agent.wait_for_status("idle")
        assert sorted(name for name in os.listdir(agent.home.project) if name != ".git") == ["one"]


def test_a_question_is_a_dialog(client: Clients) -> None:
    with client() as agent:
        agent.say(script(ask("Which one?", "this", "that"), text("thanks")))
        agent.answer("2", words="Which one?")
        agent.wait_for_words("thanks")


def test_a_held_step_waits_for_its_release(client: Clients, api: Api) -> None:
    with client() as agent:
        agent.say(script(text("at last", hold="here")))
        api.reached("here")
        agent.wait_for_status("busy")
        assert "at last" in agent.screen()
        with pytest.raises(TimeoutError):
            agent.wait_for_words("at last", seconds=0)
        api.release("here")
        agent.wait_for_words("at last")


def test_a_paused_step_shows_its_first_line_and_can_be_interrupted(client: Clients, api: Api) -> None:
    with client() as agent:
        agent.say(script(text("first\n\nsecond", pause="here")))
        api.reached("here")
        agent.wait_for_words("first")
        agent.key("Escape")
        agent.wait("Interrupted")
        agent.wait_for_status("idle")


def test_a_gate_that_nobody_asks_for_is_a_timeout(api: Api) -> None:
    with pytest.raises(TimeoutError, match="nowhere"):
        api.reached("nowhere", seconds=0.01)


def test_an_error_comes_so_many_times_and_then_the_answer(client: Clients, api: Api) -> None:
    with client() as agent:
        agent.say(script(text("recovered", status=500, times=1)))
        agent.wait_for_words("recovered")
    assert len(api.turns) == 2


def test_a_sub_agent_follows_its_own_script_and_can_be_continued(client: Clients, api: Api) -> None:
    with client(settings=recorder("SubagentStart", "SubagentStop", "Stop")) as agent:
        job = spawn("job", text("sub first", hold="sub"))
        agent.say(script(job, text("main stops"), text("main hears of it")))
        api.reached("sub")
        stop = agent.wait_for_hook("Stop")
        assert [task["type"] for task in stop["background_tasks"]] == ["subagent"]
        api.release("sub")
        agent.wait_for_words("main hears of it")
        started = agent.heard("SubagentStart")[0]["agent_id"]
        assert agent.wait_for_hook("SubagentStop", agent_id=started)["last_assistant_message"] == "sub first"
        agent.say(script(send(started, text("sub again")), text("main sent")))
        assert agent.wait_for_hook("SubagentStop", times=2, agent_id=started)["last_assistant_message"] == "sub again"


def test_hooks_arrive_whole_and_in_order(client: Clients) -> None:
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    with client(settings=recorder(*events), mode="bypassPermissions") as agent:
        agent.say(script(bash("seq 4000"), text("all fine")))
        agent.wait_for_hook("Stop")
        session = agent.session_id
        agent.hang_up()
    assert agent.heard("PostToolUse")[0]["tool_response"]["stdout"].split() == [str(n + 1) for n in range(4000)]
    assert [payload["hook_event_name"] for payload in agent.home.heard()] == list(events)
    assert {payload["session_id"] for payload in agent.home.heard()} == {session}


def test_a_command_runs_as_long_as_the_test_wants(client: Clients) -> None:
    with client(mode="bypassPermissions") as agent:
        door = agent.home.door("door")
        agent.say(script(stay(door), text("all fine")))
        with entered(door):
            assert commands_of(agent.pid, door)
            assert "● all fine" not in agent.screen()
        agent.wait_for_words("all fine")


def test_a_killed_client_leaves_its_command_behind_and_closing_ends_it(client: Clients) -> None:
    with client(mode="bypassPermissions") as agent:
        door = agent.home.door("door")
        agent.say(script(stay(door), text("not said")))
        with entered(door):
            commands = commands_of(agent.pid, door)
            agent.kill9()
            assert not psutil.pid_exists(agent.pid)
            assert not any(ended(command) for command in commands)
            agent.close()
            until(lambda: all(ended(command) for command in commands))


def commands_of(pid: int, word: str) -> list[psutil.Process]:
    children = psutil.Process(pid).children(recursive=True)
    return [child for child in children if not ended(child) and word in " ".join(child.cmdline())]


def test_a_session_is_resumed_in_the_same_home(client: Clients) -> None:
    with client() as agent:
        agent.say(script(text("before")))
        # An old client that is hung up on forgets what it has not written yet.
        until(lambda: agent.told("turn_duration"), otherwise=agent.screen)
        session = agent.session_id
        agent.hang_up()
    with client("--continue", home=agent.home) as agent:
        agent.wait_for_words("before")
        # The new process begins with an id of its own before it takes up the old one.
        until(lambda: agent.session_id == session, otherwise=agent.screen)
