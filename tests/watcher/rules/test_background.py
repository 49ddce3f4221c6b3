"""The law: what goes on beside an agent's own turn, its agents, shells, workflows and teammates."""

from support.builders import call, event
from support.cases import BASH, PRE, PROMPT, STOP, SUB, SUB2, WAITING, WORKING, judge, stop, verdict
from watcher.clients.base import Meta
from watcher.rules.turn_events import Ended, Event, Finished, Prompt


def test_main_stops_while_sub_agents_run_case_14() -> None:
    seen = (PROMPT, (11, event("SubagentStart", **SUB)), (11, event("SubagentStart", **SUB2)))
    both = stop(13, ("a1", "subagent"), ("a2", "subagent"))
    assert verdict(*seen, both, now=30, report=("busy", 10.1)) == (WORKING, "2 sub-agents")
    one = (20, event("SubagentStop", **SUB))
    assert verdict(*seen, both, one, now=30) == (WORKING, "1 sub-agent")
    assert verdict(*seen, both, one, (25, event("SubagentStop", **SUB2)), now=60) == (WAITING, "")


def test_a_dev_server_in_a_background_shell_is_a_detail_case_15() -> None:
    assert verdict(PROMPT, stop(13, ("b1", "shell")), now=9999, report=("shell", 13.1)) == (WAITING, "1 shell running")
    assert verdict(PROMPT, stop(13, ("b1", "shell"), ("b2", "shell")), now=9999) == (WAITING, "2 shells running")
    assert verdict(PROMPT, stop(13, ("b1", "shell")), now=9999, report=("idle", 50)) == (WAITING, "")


def test_a_shell_whose_end_the_transcript_told_runs_no_more_though_no_stop_has_listed_it_since() -> None:
    """A prompt that a hook of the user refuses ends without a Stop. Case 15."""
    ended: list[Event] = [Prompt(10, False), Ended(13.1), Finished(20, "b1"), Prompt(20, True), Ended(21)]
    both = stop(13, ("b1", "shell"), ("b2", "shell"))
    assert verdict(PROMPT, both, now=40, lines=ended) == (WAITING, "1 shell running")
    assert verdict(PROMPT, stop(13, ("b1", "shell")), now=40, lines=ended) == (WAITING, "")
    workflow = stop(13, ("b1", "workflow"))
    assert verdict(PROMPT, workflow, now=40, lines=ended) == (WORKING, "1 workflow"), "until it begins to read of that"
    listed_late = stop(20.5, ("b1", "shell"))
    assert verdict(PROMPT, listed_late, now=40, lines=ended)[1] == "", "the hook takes a while to start"
    again = stop(30, ("b1", "shell"))
    assert verdict(PROMPT, again, now=40, lines=ended) == (WAITING, "1 shell running"), "the client listed it later"


def test_a_command_moved_to_the_background_ends_its_call_case_16() -> None:
    moved = (131.0, call("PostToolUse", "t1", given=BASH, tool_response={"backgroundTaskId": "b1"}))
    assert verdict(PROMPT, PRE, moved, stop(132, ("b1", "shell")), now=200) == (WAITING, "1 shell running")


def test_what_wakes_by_itself_says_when_case_17() -> None:
    found = judge(PROMPT, stop(13, crons=("5 14 * * *",)), now=30)["main"]
    assert (found.status, found.rule) == (WAITING, "wakes-by-itself")
    assert [cron.schedule for cron in found.crons] == ["5 14 * * *"]


def test_a_workflow_works_and_a_monitor_waits_case_18() -> None:
    assert verdict(PROMPT, stop(13, ("w1", "workflow")), now=30) == (WORKING, "1 workflow")
    assert verdict(PROMPT, stop(13, ("m1", "monitor")), now=30) == (WAITING, "1 monitor armed")


def test_a_workflows_agent_is_not_written_off_by_a_list_that_names_only_the_workflow_case_18() -> None:
    agent = {"agent_id": "a9", "agent_type": "workflow-subagent"}
    seen = (PROMPT, (11, event("SubagentStart", **agent)))
    assert judge(*seen, stop(13, ("w1", "workflow")), now=30)["a9"].status == WORKING
    assert judge(*seen, stop(13), now=30)["a9"].rule in ("stopped", "written-off")


def test_the_stop_of_a_sub_agent_is_not_the_stop_of_its_parent_case_19() -> None:
    seen = (
        PROMPT,
        (11, call("PreToolUse", "ag", tool="Agent", given={"description": "look"})),
        (11.5, event("SubagentStart", **SUB)),
    )
    assert verdict(*seen, (15, event("SubagentStop", **SUB)), now=16) == (WORKING, "Agent: look")


def test_late_events_of_a_stopped_child_wake_nobody_case_20() -> None:
    late = (22, call("PostToolUse", "s", given=BASH, **SUB))
    found = judge(PROMPT, (11, event("SubagentStart", **SUB)), (20, event("SubagentStop", **SUB)), STOP, late, now=30)
    assert found["main"].status == WAITING
    assert found["a1"].rule in ("stopped", "written-off")


def test_an_internal_agent_has_no_row_case_22() -> None:
    assert set(judge(PROMPT, (12, event("SubagentStop", agent_id="x", agent_type="")), now=30)) == {"main"}


def test_an_idle_teammate_waits_and_does_not_keep_its_lead_at_work_case_26() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    idle = (15.0, event("TeammateIdle", teammate_name="mia", team_name="session-9df7420c", **mate))
    seen = (PROMPT, (11, event("SubagentStart", **mate)), stop(13, ("x", "teammate")))
    metas = {"amia-1": Meta(type="mia", name="mia")}
    busy = judge(*seen, now=14, metas=metas)
    assert (busy["main"].detail, busy["amia-1"].status) == ("1 teammate", WORKING)
    found = judge(*seen, (14.9, event("SubagentStop", **mate)), idle, now=30, metas=metas)
    assert (found["main"].status, found["amia-1"].status, found["amia-1"].detail) == (WAITING, WAITING, "idle")


def test_a_teammate_whose_stop_was_lost_is_idle_when_it_says_so() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    seen = (PROMPT, (11, event("SubagentStart", **mate)), stop(13, ("x", "teammate")))
    idle = (15.0, event("TeammateIdle", teammate_name="mia", team_name="t", **mate))
    found = judge(*seen, idle, now=15.5)
    assert (found["main"].rule, found["amia-1"].rule) == ("news-is-due", "idle")
    assert judge(*seen, idle, now=30)["main"].status == WAITING


def test_a_teammate_that_is_spoken_to_again_works_again() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    seen = [(11, event("SubagentStart", **mate)), (14, event("SubagentStop", **mate))]
    seen.append((15, event("TeammateIdle", teammate_name="mia", team_name="t", **mate)))
    assert judge(PROMPT, *seen, (20, event("SubagentStart", **mate)), now=21)["amia-1"].status == WORKING


def test_a_teammate_in_a_pane_is_at_work_before_it_has_read_its_task() -> None:
    """Its process may take seconds to get ready. A /clear begins with no task."""
    started = (10.0, event("SessionStart", source="startup"))
    found = judge(started, now=13, has_lead=True)["main"]
    assert (found.status, found.detail, found.until) == (WORKING, "getting ready", 40.0)
    assert verdict(started, now=13) == (WAITING, ""), "somebody will write to it"
    assert verdict(started, now=41, has_lead=True) == (WAITING, ""), "nothing came"
    assert verdict((10.0, event("SessionStart", source="clear")), now=13, has_lead=True) == (WAITING, "")
    turn = (started, (11.0, event("UserPromptSubmit", prompt="x")), stop(12))
    assert verdict(*turn, now=13, has_lead=True) == (WAITING, "")
