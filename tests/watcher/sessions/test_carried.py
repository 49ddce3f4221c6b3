"""What runs in the background goes on when its process takes another id, after a /clear or a /resume."""

from typing import Any

import pytest

from support.builders import SESSION, ask, call, event
from support.looking import OTHER, World
from watcher.loop import Watch
from watcher.rules.vocabulary import WORKFLOW

THIRD = "33333333-2222-3333-4444-555555555555"
SUB = {"agent_id": "a1", "agent_type": "general-purpose"}
LISTED = [{"id": "a1", "type": "subagent", "status": "running", "agent_type": "general-purpose"}]
LAUNCHED: dict[str, Any] = {"tool": "Agent", "given": {}, "tool_response": {"agentId": "a1", "isAsync": True}}


def launched(world: World, *, stops: bool = True) -> None:
    """The main agent has launched a sub-agent and stopped."""
    world.hook(event("SessionStart", source="startup"))
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(call("PreToolUse", "t", "Agent", given={}))
    world.hook(event("SubagentStart", **SUB))
    world.hook(call("PostToolUse", "t", **LAUNCHED))
    if stops:
        world.hook(event("Stop", background_tasks=LISTED))


def left(world: World, for_: str = OTHER, reason: str = "clear", session: str = SESSION) -> None:
    world.hook(event("SessionEnd", reason=reason, session_id=session))
    world.hook(event("SessionStart", source=reason, session_id=for_))


def rows(world: World, session: str = OTHER) -> dict[str, str]:
    world.watch.look_at_all()
    return {agent.key: agent.status for agent in world.scene.statuses()[session].agents if agent.state != "joined"}


@pytest.mark.parametrize("reason", ["clear", "resume"])
def test_a_sub_agent_in_the_background_goes_on_under_the_next_id_case_86(world: World, reason: str) -> None:
    launched(world)
    assert rows(world, SESSION) == {"main": "working", "a1": "working"}
    left(world, reason=reason)
    assert rows(world) == {"main": "working", "a1": "working"}
    world.watch = Watch(world.scene.state, {"HOME": str(world.scene.home)})
    assert rows(world) == {"main": "working", "a1": "working"}, "the next watcher finds it, too"
    world.hook(ask({"command": "x"}, session_id=OTHER, **SUB))
    assert rows(world) == {"main": "working", "a1": "needs_approval"}
    world.hook(event("SubagentStop", session_id=OTHER, **SUB))
    assert rows(world) == {"main": "working"}, "the news of its end is due"
    prompt = "<task-notification>\n<task-id>a1</task-id>"
    world.hook(event("UserPromptSubmit", prompt=prompt, session_id=OTHER))
    world.hook(event("Stop", background_tasks=[], session_id=OTHER))
    assert rows(world) == {"main": "waiting"}


def test_a_sub_agent_goes_on_though_two_ids_have_been_left_case_86(world: World) -> None:
    launched(world)
    left(world)
    left(world, THIRD, session=OTHER)
    assert rows(world, THIRD) == {"main": "working", "a1": "working"}
    world.hook(event("SubagentStop", session_id=THIRD, **SUB))
    left(world, SESSION, "resume", session=THIRD)
    assert rows(world, SESSION) == {"main": "waiting"}, "where it was started it has not ended"


def test_a_sub_agent_goes_on_though_the_turn_that_launched_it_was_interrupted_case_86(world: World) -> None:
    """So that there is no list of what runs in the background."""
    launched(world, stops=False)
    left(world)
    assert rows(world) == {"main": "working", "a1": "working"}


def test_the_next_list_of_what_runs_in_the_background_counts_case_86(world: World) -> None:
    launched(world)
    left(world)
    world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER))
    world.hook(event("Stop", background_tasks=LISTED, session_id=OTHER))
    assert rows(world) == {"main": "working", "a1": "working"}
    world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER))
    world.hook(event("Stop", background_tasks=[], session_id=OTHER))
    assert rows(world) == {"main": "waiting"}


def test_an_agent_that_has_ended_or_ran_in_the_foreground_is_left_behind(world: World) -> None:
    launched(world)
    world.hook(event("Stop", background_tasks=[]))
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("SubagentStart", agent_id="a2", agent_type="general-purpose"))
    left(world)
    assert rows(world) == {"main": "waiting"}


def test_a_teammate_in_the_leads_process_is_taken_along_at_work_or_idle_case_86(world: World) -> None:
    """The list gives it an id that it has nowhere else."""
    mia = {"agent_id": "amia-1", "agent_type": "mia"}
    answer = {"agentId": "amia-1", "name": "mia", "team_name": "session-1"}
    world.hook(event("SessionStart", source="startup"))
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(call("PreToolUse", "t", "Agent", given={"name": "mia"}))
    world.hook(event("SubagentStart", **mia))
    world.hook(call("PostToolUse", "t", "Agent", given={"name": "mia"}, tool_response=answer))
    world.hook(event("Stop", background_tasks=[{"id": "t1", "type": "teammate", "status": "running"}]))
    assert rows(world, SESSION) == {"main": "working", "amia-1": "working"}
    left(world)
    assert rows(world) == {"main": "working", "amia-1": "working"}
    world.hook(event("SubagentStop", session_id=OTHER, **mia))
    world.hook(event("TeammateIdle", session_id=OTHER, teammate_name="mia", team_name="session-1", **mia))
    left(world, THIRD, session=OTHER)
    assert rows(world, THIRD)["amia-1"] == "waiting"


def test_a_workflow_and_a_shell_go_on_case_86(world: World) -> None:
    flow, agent = {"id": "w1", "type": "workflow", "status": "running"}, {"agent_id": "a1", "agent_type": WORKFLOW}
    shell = {"id": "b1", "type": "shell", "status": "running"}
    world.hook(event("SessionStart", source="startup"))
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("SubagentStart", **agent))
    world.hook(event("Stop", background_tasks=[flow, shell]))
    left(world)
    assert rows(world) == {"main": "working", "a1": "working"}
    world.hook(event("SubagentStop", session_id=OTHER, **agent))
    assert rows(world) == {"main": "working"}, "the workflow is not over yet"
    world.hook(event("UserPromptSubmit", prompt="<task-notification>\n<task-id>w1</task-id>", session_id=OTHER))
    world.hook(event("Stop", background_tasks=[shell], session_id=OTHER))
    left(world, THIRD, session=OTHER)
    assert rows(world, THIRD) == {"main": "waiting"}
    assert world.scene.statuses()[THIRD].detail == "1 shell running"


def test_a_schedule_goes_on_case_86(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    world.hook(event("UserPromptSubmit", prompt="x"))
    crons = [{"id": "c1", "schedule": "5 14 * * *", "recurring": True}]
    world.hook(event("Stop", background_tasks=[], session_crons=crons))
    left(world)
    assert rows(world) == {"main": "waiting"}
    assert world.scene.statuses()[OTHER].detail == "wakes 14:05"


def test_an_agent_of_another_process_is_not_taken_along(world: World) -> None:
    launched(world)
    world.hook(event("SessionEnd", reason="clear"))
    world.hook(event("SessionStart", source="clear", session_id=OTHER), world.scene.client())
    assert rows(world) == {"main": "waiting"}
