"""Looks of the watcher over real files and real processes, one at a time."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from contract import paths
from contract.facts import Stamp
from recorder.receive import keep
from support.builders import SESSION, call, event
from support.looking import OTHER, Patient, World
from support.patience import until
from support.watching import started
from watcher.clock import BOOT
from watcher.loop import Watch
from watcher.rules.evidence import SOURCES

INTERRUPT = [{"type": "text", "text": "[Request interrupted by user]"}]


def test_an_interruption_in_the_transcript_case_01(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    world.line("user", INTERRUPT)
    assert world.shows() == "waiting"
    world.hook(event("UserPromptSubmit", prompt="y", prompt_id="2"))
    assert world.shows() == "working"


def test_the_interrupt_text_quoted_in_a_reply_or_a_result_is_no_interruption_case_44(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.line("assistant", INTERRUPT)
    world.line("user", [{"type": "text", "text": "it says [Request interrupted by user] here"}], isMeta=True)
    world.line("user", [{"type": "tool_result", "tool_use_id": "t", "content": "[Request interrupted by user]"}])
    assert world.shows() == "working"


def test_bookkeeping_and_a_large_line_after_the_marker_hide_nothing_case_45(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.line("user", [{"type": "tool_result", "tool_use_id": "t", "content": "x" * 25_000}])
    world.line("user", INTERRUPT)
    with world.transcript().open("a") as file:
        for kind in ("last-prompt", "mode", "permission-mode", "ai-title", "attachment"):
            file.write(json.dumps({"type": kind, "content": "y" * 30_000}) + "\n")
    assert world.shows() == "waiting"


@pytest.mark.parametrize(
    "kind", ["<command-name>/cost</command-name>", "<local-command-stdout>x</local-command-stdout>"]
)
def test_local_commands_titles_and_summaries_are_no_turn_case_46(kind: str, world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("Stop", background_tasks=[]))
    assert world.shows() == "waiting"
    world.line("user", kind)
    world.line("system", subtype="away_summary")
    world.line("system", subtype="local_command")
    with world.transcript().open("a") as file:
        file.write('{"type":"ai-title","title":"x"}\n')
    assert world.shows() == "waiting"


def test_a_transcript_that_moves_into_a_worktree_is_the_same_session_case_47(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.line("assistant", [{"type": "text", "text": "hm"}])
    assert world.shows() == "working"
    other = world.project.parent / "-home-me-worktree"
    world.project.rename(other)
    world.project = other
    assert world.shows() == "working"
    world.line("user", INTERRUPT)
    assert world.shows() == "waiting"


def test_another_client_that_runs_the_same_hooks_has_no_row_of_its_own_case_49(world: World) -> None:
    with started(["codex", "600"], executable="/bin/sleep") as codex:
        world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER), codex)
        world.hook(event("UserPromptSubmit", prompt="x"))
        assert world.shows(OTHER) == "working"
        assert {name: one.hidden for name, one in world.scene.statuses().items()} == {SESSION: False, OTHER: True}


def test_a_client_that_an_agent_started_is_hidden_case_36(world: World) -> None:
    script = "trap : TERM; sleep 600 & echo $!; wait"
    with subprocess.Popen(["claude", "-c", script], executable="/bin/sh", stdout=subprocess.PIPE) as agent:
        assert agent.stdout
        child = int(agent.stdout.readline())
        env = {"CLAUDE_PID": str(child), "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
        keep(
            world.scene.state,
            env,
            event("UserPromptSubmit", prompt="title"),
            Stamp((time.time(), time.clock_gettime(BOOT))),
        )
        assert world.shows() == "working"
        assert world.scene.statuses()[SESSION].hidden
        os.kill(child, 9)
        agent.kill()


@pytest.mark.parametrize("jump", [-3600.0, 3600.0, 86400.0])
def test_a_clock_that_jumps_changes_nothing_and_hides_nothing_case_51(jump: float, world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.line("assistant", [{"type": "text", "text": "hm"}])
    assert world.shows() == "working"
    world.shift = jump
    assert world.shows() == "working"
    world.line("user", INTERRUPT)
    assert world.shows() == "waiting"
    world.hook(event("UserPromptSubmit", prompt="y", prompt_id="2"))
    assert world.shows() == "working"
    world.hook(event("Stop", background_tasks=[], prompt_id="2"))
    assert world.shows() == "waiting"


def test_the_row_stays_until_the_next_id_takes_its_place_case_33(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    assert world.shows() == "waiting"
    world.hook(event("SessionEnd", reason="clear"))
    assert world.shows() == "waiting"
    world.hook(event("SessionStart", source="clear", session_id=OTHER))
    world.watch.look_at([paths.fact(world.scene.state, OTHER, "main")])
    assert set(world.scene.statuses()) == {OTHER}, "the old row goes with the same look"
    assert world.shows(OTHER) == "waiting"


def test_a_cleared_session_is_gone_before_the_registry_hears_of_the_next_one_case_33(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    world.scene.registry(world.client, SESSION, "busy")
    until(lambda: world.shows() == "working")
    world.hook(event("SessionEnd", reason="clear"))
    world.hook(event("SessionStart", source="clear", session_id=OTHER))
    assert (world.shows(), world.shows(OTHER)) == ("", "waiting")


def test_a_goodbye_counts_though_the_registry_has_not_heard_of_it(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    world.scene.registry(world.client, SESSION, "busy")
    until(lambda: world.shows() == "working")
    world.hook(event("SessionEnd", reason="prompt_input_exit"))
    assert world.shows() == ""
    world.scene.registry(world.client, SESSION, "busy", statusUpdatedAt=int((time.time() + 0.1) * 1000))
    assert world.shows() != "", "whoever speaks again is there"


def test_a_session_that_is_left_in_the_middle_of_a_clear_is_gone_case_33(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("Stop", background_tasks=[]))
    world.hook(event("SessionEnd", reason="clear"))
    assert world.shows() == "waiting", "until the next one takes its place"
    world.hook(event("SessionEnd", reason="prompt_input_exit", session_id=OTHER))
    assert (world.shows(), world.shows(OTHER)) == ("", "")


def test_a_cleared_session_whose_process_the_registry_has_dropped_is_gone_case_33(world: World) -> None:
    """Where no process can be seen. What it had gone on as is another process's now, and so not its successor."""
    later = world.scene.client()
    world.watch = Watch(world.scene.state, {"HOME": str(world.scene.home)}, SOURCES - {"process"})
    world.hook(event("SessionStart", source="startup"))
    world.scene.registry(world.client, SESSION, "idle")
    world.hook(event("SessionEnd", reason="clear"))
    assert world.shows() == "waiting", "its process is listed, and may go on under another id"
    (world.scene.home / ".claude" / "sessions" / f"{world.client.pid}.json").unlink()
    assert world.shows() == "waiting", "nobody is listed: there may be no registry"
    world.hook(event("SessionStart", source="resume", session_id=OTHER), later)
    world.scene.registry(later, OTHER, "idle")
    assert (world.shows(), world.shows(OTHER)) == ("", "waiting")


def test_a_goodbye_takes_the_row_away_at_once(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    assert world.shows() == "waiting"
    world.hook(event("SessionEnd", reason="prompt_input_exit"))
    assert world.shows() == ""


def test_a_status_is_written_only_when_there_is_news(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    path = Path(paths.status(world.scene.state, SESSION))
    before = path.stat().st_mtime_ns
    for _ in range(5):
        world.watch.look_at_all()
    assert path.stat().st_mtime_ns == before


def test_an_open_team_keeps_the_watcher_for_an_hour_at_most(world: World) -> None:
    assert not world.watch.is_needed()
    folder = world.scene.home / ".claude" / "teams" / "t"
    folder.mkdir(parents=True)
    member = {"name": "mia", "agentId": "mia@t", "tmuxPaneId": "%1", "isActive": True}
    path = folder / "config.json"
    path.write_text(json.dumps({"name": "t", "leadSessionId": SESSION, "members": [member]}))
    assert world.watch.is_needed()
    os.utime(path, (time.time() - 3700, time.time() - 3700))
    assert not world.watch.is_needed()


def test_a_team_survives_the_restart_of_the_watcher_and_of_its_lead(world: World) -> None:
    mate = world.scene.client()
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("Stop", background_tasks=[], session_id=OTHER), mate)
    team = f"session-{SESSION[:8]}"
    world.hook(event("TeammateIdle", session_id=OTHER, teammate_name="mia", team_name=team), mate)
    world.watch.look_at_all()

    def team_of_lead() -> list[str]:
        return [agent.name for agent in world.scene.statuses()[SESSION].agents if agent.kind == "teammate"]

    assert team_of_lead() == ["mia"]
    assert world.scene.statuses()[OTHER].hidden
    world.watch = Watch(world.scene.state, {"HOME": str(world.scene.home)})
    world.watch.look_at_all()
    assert team_of_lead() == ["mia"]
    world.client.kill()
    world.client.wait()
    world.watch.look_at_all()
    assert set(world.scene.statuses()) == {OTHER}
    assert not world.scene.statuses()[OTHER].hidden, "without a lead it stands for itself"
    world.client = world.scene.client()
    world.hook(event("SessionStart", source="resume"))
    world.watch.look_at_all()
    assert team_of_lead() == ["mia"]


def test_idles_told_under_the_leads_session_close_namesakes_in_their_order_case_26(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    def rests() -> dict[str, str]:
        world.watch.look_at_all()
        return {agent.key: agent.status for agent in world.scene.statuses()[SESSION].agents if agent.key != "main"}

    idle = event("TeammateIdle", teammate_name="mia", team_name=f"session-{SESSION[:8]}")
    world.hook(event("UserPromptSubmit", prompt="x"))
    for key in ("amia-2", "amia-1"):
        world.hook(event("SubagentStart", agent_id=key, agent_type="mia"))
    assert rests() == {"amia-1": "working", "amia-2": "working"}
    world.hook(idle)
    assert rests() == {"amia-1": "working", "amia-2": "waiting"}
    world.hook(idle)
    assert rests() == {"amia-1": "working", "amia-2": "waiting"}, "told twice"
    world.hook({**idle, "teammate_name": "eve"})
    world.watch = Watch(world.scene.state, {"HOME": str(world.scene.home)})
    with caplog.at_level("INFO", "yourturn"):
        assert rests() == {"amia-1": "working", "amia-2": "waiting"}, "all of it is on disk"
        world.watch.look_at_all()
    (main,) = [agent for agent in world.scene.statuses()[SESSION].agents if agent.key == "main"]
    team = f"session-{SESSION[:8]}"
    doubt = f"“eve” of “{team}” went idle: no such teammate is known; known: “mia of {team}”"
    assert doubt in [weighed.says for weighed in main.weighed]
    assert caplog.messages == [doubt], "once"
    assert [agent.kind for agent in world.scene.statuses()[SESSION].agents] == ["agent", "teammate", "teammate"]


def test_the_clients_own_list_nests_a_teammate_whose_arguments_cannot_be_read_case_25(world: World) -> None:
    folder = world.scene.home / ".claude" / "teams" / "t"
    folder.mkdir(parents=True)
    member = {"name": "mia", "agentId": "mia@t", "tmuxPaneId": "%4", "isActive": True}
    (folder / "config.json").write_text(json.dumps({"name": "t", "leadSessionId": SESSION, "members": [member]}))
    server = "/tmp/tmux-1/default,99"
    world.hook(event("UserPromptSubmit", prompt="x"), TMUX=f"{server},0", TMUX_PANE="%1")
    mate = world.scene.client()
    world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER), mate, TMUX=f"{server},0", TMUX_PANE="%4")
    world.watch.look_at_all()
    lead = world.scene.statuses()[SESSION]
    assert [(agent.key, agent.kind, agent.name) for agent in lead.agents[1:]] == [(OTHER, "teammate", "mia")]
    assert lead.team == "t"
    assert world.scene.statuses()[OTHER].hidden
    assert lead.agents[1].status == "working"
    world.hook(event("TeammateIdle", teammate_name="mia", team_name="t"), TMUX=f"{server},0", TMUX_PANE="%1")
    world.watch.look_at_all()
    mia = world.scene.statuses()[SESSION].agents[1]
    assert (mia.name, mia.status, mia.detail) == ("mia", "waiting", "idle"), "its lead was told"


def test_a_look_at_one_file_sees_what_it_is_about_and_no_more(world: World) -> None:
    other = world.scene.client()
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER), other)
    assert world.shows() == "working"
    world.hook(event("Stop", background_tasks=[]))
    world.hook(event("Stop", background_tasks=[], session_id=OTHER), other)
    world.watch.look_at([paths.fact(world.scene.state, SESSION, "main")])
    assert (world.scene.status(), world.scene.status(OTHER)) == ("waiting", "working")
    world.watch.look_at([paths.fact(world.scene.state, OTHER, "main")])
    assert world.scene.status(OTHER) == "waiting"


def test_a_look_at_a_transcript_sees_its_session(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    world.line("user", INTERRUPT)
    world.watch.look_at([str(world.transcript())])
    assert world.scene.status() == "waiting"


def test_finished_sub_agents_stay_until_the_next_word_of_a_person(world: World) -> None:
    sub = {"agent_id": "a1", "agent_type": "Explore"}
    world.hook(event("UserPromptSubmit", prompt="x", prompt_id="1"))
    world.hook(event("SubagentStart", **sub))
    world.hook(call("PreToolUse", "t", given={"command": "ls"}, **sub))
    world.watch.look_at_all()
    rows = {a.key: (a.kind, a.type, a.parent, a.status, a.detail) for a in world.scene.statuses()[SESSION].agents}
    assert rows["a1"] == ("sub_agent", "Explore", "main", "working", "Bash: ls")
    world.hook(event("SubagentStop", **sub))
    world.watch.look_at_all()
    assert {a.key: a.state for a in world.scene.statuses()[SESSION].agents} == {"main": "running", "a1": "joined"}
    world.hook(event("Stop", background_tasks=[], prompt_id="1"))
    world.hook(event("UserPromptSubmit", prompt="y", prompt_id="2"))
    world.watch.look_at_all()
    assert [a.key for a in world.scene.statuses()[SESSION].agents] == ["main"]


def test_a_session_without_news_is_judged_seldom(patient: Patient) -> None:
    assert patient.later(0)
    assert patient.later(3), "soon after news time alone may settle something"
    assert patient.later(4.5)
    assert not patient.later(1.5)
    assert not patient.later(1.5)
    assert patient.later(12), "and after minutes too"
    assert not patient.later(1.5)


def test_news_of_any_kind_is_judged_at_once(patient: Patient) -> None:
    world = patient.world

    def rests() -> None:
        assert patient.later(20)
        assert not patient.later(1)

    patient.later(0)
    rests()
    world.line("assistant", [{"type": "text", "text": "x"}])
    assert patient.later(0), "a line in its transcript"
    rests()
    world.hook(call("PreToolUse", "t", given={"command": "ls"}))
    assert patient.later(0), "an event"
    rests()
    world.shift = 3600.0
    assert patient.later(0), "a wall clock that was set"
    rests()
    at = int(time.time() * 1000)
    world.scene.registry(world.client, SESSION, "busy", statusUpdatedAt=at)
    assert patient.later(0), "a word in the registry"
    rests()
    world.scene.registry(world.client, SESSION, "busy", statusUpdatedAt=at, name="another name")
    assert patient.later(0), "another name"
    assert world.scene.statuses()[SESSION].name == "another name"


def test_what_time_alone_settles_is_settled_in_time(patient: Patient) -> None:
    patient.later(0)
    patient.later(200)
    assert patient.world.scene.status() == "working"
    patient.later(101)
    assert patient.world.scene.status() == "waiting", "silent for five minutes"


def test_what_says_when_it_lapses_is_judged_then(patient: Patient) -> None:
    world, sub = patient.world, {"agent_id": "a1", "agent_type": "Explore"}
    world.hook(call("PostToolUse", "t", tool="Agent", given={}, tool_response={"agentId": "a1"}))
    world.hook(event("SubagentStart", **sub))
    world.hook(event("Stop", background_tasks=[]))
    world.hook(event("SubagentStop", **sub))
    patient.later(0)
    assert world.scene.status() == "working", "its news is due"
    assert patient.later(3.5)
    assert world.scene.status() == "waiting", "it has not come"


def test_a_plan_of_which_the_registry_tells_only_after_ctrl_z_is_still_asked_for_case_73(patient: Patient) -> None:
    """While its client was stopped nobody could answer, and nothing was told."""
    world = patient.world

    def says(word: str, **more: str) -> None:
        at = int((time.time() + world.passed) * 1000)
        world.scene.registry(world.client, SESSION, word, statusUpdatedAt=at, **more)
        patient.later(0)

    says("busy")
    world.hook(call("PreToolUse", "t", tool="ExitPlanMode", given={"plan": "x"}))
    process = psutil.Process(world.client.pid)
    world.client.send_signal(signal.SIGSTOP)
    until(lambda: process.status() == psutil.STATUS_STOPPED)
    patient.later(0)
    patient.later(10)
    world.client.send_signal(signal.SIGCONT)
    until(lambda: process.status() != psutil.STATUS_STOPPED)
    says("waiting", waitingFor="permission prompt")
    assert world.scene.status() == "needs_approval"


def test_a_dialog_that_only_the_registry_tells_of_is_still_open_while_its_client_is_stopped_case_73(
    patient: Patient,
) -> None:
    """Others went on after it had opened, so their signs are newer than that word."""
    world = patient.world
    at = int((time.time() + world.passed) * 1000)
    world.scene.registry(world.client, SESSION, "waiting", waitingFor="sandbox request", statusUpdatedAt=at)
    patient.later(5)
    world.hook(call("PreToolUse", "t", given={"command": "ls"}))
    patient.later(0)
    assert world.scene.status() == "needs_approval"
    process = psutil.Process(world.client.pid)
    world.client.send_signal(signal.SIGSTOP)
    until(lambda: process.status() == psutil.STATUS_STOPPED)
    patient.later(2)
    assert world.scene.status() == "needs_approval"
    world.client.send_signal(signal.SIGCONT)
    until(lambda: process.status() != psutil.STATUS_STOPPED)
    patient.later(0)
    assert world.scene.status() == "needs_approval"


def test_a_new_watcher_goes_on_to_show_a_request_that_its_client_could_not_tell_of_case_73(patient: Patient) -> None:
    """Only the watcher before has seen that the client was stopped."""
    world = patient.world
    world.scene.registry(world.client, SESSION, "busy", statusUpdatedAt=int((time.time() + world.passed) * 1000))
    patient.later(0)
    world.hook(call("PreToolUse", "t", tool="ExitPlanMode", given={"plan": "x"}))
    process = psutil.Process(world.client.pid)
    world.client.send_signal(signal.SIGSTOP)
    until(lambda: process.status() == psutil.STATUS_STOPPED)
    patient.later(0)
    patient.later(10)
    world.client.send_signal(signal.SIGCONT)
    until(lambda: process.status() != psutil.STATUS_STOPPED)
    patient.later(0)
    assert world.scene.status() == "needs_approval"
    world.watch = Watch(world.scene.state, {"HOME": str(world.scene.home)}, clock=world.watch.clock)
    patient.later(0)
    assert world.scene.status() == "needs_approval"
    patient.later(3)
    assert world.scene.status() == "working", "the client would have told by now"
