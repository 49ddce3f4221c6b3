"""Which sessions there are: their processes come and go, are lent again, and go on under other ids."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from contract import facts, paths, store
from contract.facts import Client, Fact, Registered, Stamp
from processes.identity import start_of
from processes.table import Probe
from recorder.receive import keep
from statusbar.model import reader
from statusbar.model.board import board
from support.builders import SESSION, ask, call, event
from support.looking import OTHER, Patient, World
from support.patience import until
from support.watching import Scene, started
from watcher.clients.base import Listed
from watcher.clients.claude.adapter import ADAPTER
from watcher.clients.copilot.adapter import ADAPTER as COPILOT
from watcher.clock import BOOT
from watcher.files.allowance import Allowance
from watcher.files.facts import FactFiles
from watcher.loop import Watch
from watcher.rules.evidence import SOURCES
from watcher.sessions.roster import Roster
from watcher.sessions.session import Session

NEW = "33333333-2222-3333-4444-555555555555"


def rewritten(world: World, **client: Any) -> None:
    """The session's fact, with another word on its client."""
    path = paths.fact(world.scene.state, SESSION, "main")
    fact = facts.decode(Path(path).read_bytes())
    assert isinstance(fact, Fact)
    assert fact.client is not None
    for name, value in client.items():
        setattr(fact.client, name, value)
    store.replace(path, facts.encode(fact))


def ended(world: World) -> None:
    world.client.kill()
    world.client.wait()


# Processes


@pytest.mark.parametrize("registered", [False, True])
def test_an_ended_session_leaves_nothing_of_its_process(registered: bool, world: World) -> None:
    if registered:
        world.scene.registry(world.client, SESSION, "busy")
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    assert world.watch.clients() == {world.client.pid}
    ended(world)
    assert world.shows() == ""
    assert world.watch.clients() == set()


def test_what_is_started_through_us_is_registered_before_it_becomes_its_client() -> None:
    becomes = ["bash", "-c", "read line; exec -a copilot sh -c 'read line; true' --no-ask-user"]
    with subprocess.Popen(becomes, stdin=subprocess.PIPE, start_new_session=True) as process:
        client = Client(pid=process.pid, start=start_of(process.pid) or "")
        fact = Fact(session=SESSION, agent="main", client=client, registered=Registered(name="first"))
        roster = Roster(SOURCES, Probe(), Allowance())
        session = roster.take(SESSION, {"main": fact}, Listed(COPILOT, "", None))
        assert (roster.origin(session).program, roster.origin(session).headless) == ("", False)
        assert process.stdin
        process.stdin.write(b"go\n")
        process.stdin.flush()
        until(lambda: psutil.Process(process.pid).cmdline()[:1] == ["copilot"], "the client")
        assert (roster.origin(session).program, roster.origin(session).headless) == ("copilot", True)
        process.kill()


def test_a_client_that_got_the_pid_of_an_ended_one_is_shown_case_39(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    rewritten(world, start="1")  # it was another process of that number
    assert world.shows() == ""
    world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER))
    assert world.shows(OTHER) == "working"
    world.hook(event("UserPromptSubmit", prompt="x"), world.scene.client())
    assert world.shows(OTHER) == world.scene.status(SESSION) == "working", "the first one, resumed elsewhere"


def test_a_session_that_goes_on_in_another_process_is_judged_by_that_case_34(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    second = world.scene.client()
    world.client.kill()
    world.client.wait()
    world.hook(event("SessionStart", source="resume"), second)
    world.hook(event("UserPromptSubmit", prompt="x", prompt_id="2"), second)
    world.hook(event("Stop", prompt_id="2", background_tasks=[]), second)
    assert world.shows() == "waiting"


def test_a_late_event_of_a_killed_process_opens_no_turn_of_the_next_one_case_34(world: World) -> None:
    second, now = world.scene.client(), Stamp((time.time(), time.clock_gettime(BOOT)))
    ended(world)
    late = {**call("PostToolUse", "t"), "transcript_path": str(world.transcript())}
    keep(world.scene.state, {"CLAUDE_PID": str(world.client.pid)}, late, now)
    resumed = {**event("SessionStart", source="resume"), "transcript_path": str(world.transcript())}
    keep(world.scene.state, {"CLAUDE_PID": str(second.pid)}, resumed, Stamp((now.wall - 0.01, now.boot - 0.01)))
    assert world.shows() == "waiting"


def test_the_sub_agents_of_a_process_are_gone_when_the_registry_tells_of_the_next_one_case_34(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("SubagentStart", agent_id="a1", agent_type="Explore"))
    assert world.shows() == "working"
    assert [agent.key for agent in world.scene.statuses()[SESSION].agents] == ["main", "a1"]
    second = world.scene.client()
    world.scene.registry(second, SESSION, "idle")
    world.watch.look_at_all()
    assert [agent.key for agent in world.scene.statuses()[SESSION].agents] == ["main"]


def test_the_goodbye_of_one_terminal_is_not_that_of_another_that_no_hook_told_of_case_63(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    first = world.scene.registry(world.client, SESSION, "idle")
    second = world.scene.client()
    world.scene.registry(second, SESSION, "idle")
    world.watch.look_at_all()
    assert set(world.scene.statuses()) == {SESSION, paths.twin(SESSION, second.pid)}
    world.hook(event("SessionEnd", reason="prompt_input_exit"))
    os.unlink(first)
    ended(world)
    assert world.shows() == "waiting"
    assert world.scene.statuses()[SESSION].pid == second.pid


def test_the_turn_of_a_killed_terminal_is_not_that_of_another_that_no_hook_told_of_case_63(world: World) -> None:
    """The other one's own hook was lost; it was there before that turn began, so its start says nothing of it."""
    world.hook(event("SessionStart", source="startup"))
    first, second = world.scene.registry(world.client, SESSION, "busy"), world.scene.client()
    world.scene.registry(second, SESSION, "idle")
    world.hook(event("UserPromptSubmit", prompt="x"))
    twin = paths.twin(SESSION, second.pid)
    assert (world.shows(), world.shows(twin)) == ("working", "waiting")
    os.unlink(first)
    ended(world)
    assert world.shows() == "waiting"
    assert world.scene.statuses()[SESSION].pid == second.pid


def test_without_a_process_to_see_the_registry_tells_when_it_began_case_34(world: World) -> None:
    world.line("user", "x", promptSource="typed")
    world.watch.sources = world.watch._roster._sources = frozenset({"registry", "transcript"})
    world.scene.registry(world.client, SESSION, None)
    assert world.shows() == "working"
    world.scene.registry(world.client, SESSION, None, startedAt=int((time.time() + 1) * 1000))
    world.shift = 2.0
    world.passed = 2.0
    world.watch.clock.tick = lambda: time.clock_gettime(BOOT) + 2.0  # type: ignore[method-assign]
    world.watch.clock.offset = time.time() - time.clock_gettime(BOOT) - 2.0
    assert world.shows() == "waiting"


def test_a_session_resumed_in_a_second_terminal_hides_no_request_of_the_first_case_63(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(call("PreToolUse", "t", tool="Edit", given={}))
    world.hook(ask({}, tool="Edit"))
    second = world.scene.client()
    world.scene.registry(world.client, SESSION, "waiting", waitingFor="permission prompt")
    world.scene.registry(second, SESSION, "idle")
    world.hook(event("SessionStart", source="resume"), second)
    assert (world.shows(), world.shows(paths.twin(SESSION, second.pid))) == ("needs_approval", "waiting")
    world.hook(event("UserPromptSubmit", prompt="x", prompt_id="2"), second)
    world.scene.registry(second, SESSION, "busy")
    world.line("user", "x", promptSource="typed")
    assert (world.shows(), world.shows(paths.twin(SESSION, second.pid))) == ("needs_approval", "working")
    world.client.kill()
    world.client.wait()
    assert (world.shows(), world.shows(paths.twin(SESSION, second.pid))) == ("", "working")


def test_what_was_written_before_a_second_terminal_opened_the_session_still_counts_case_63(world: World) -> None:
    world.line("user", "x", promptSource="typed")
    world.hook(event("Stop", background_tasks=[]))
    launch = {"type": "tool_use", "id": "t", "name": "Agent", "input": {}}
    world.line("assistant", [launch])
    assert world.shows() == "working", "a turn that began without a hook"
    second = world.scene.client()
    world.hook(event("SessionStart", source="resume"), second)
    assert (world.shows(), world.shows(paths.twin(SESSION, second.pid))) == ("working", "waiting")


def test_two_terminals_with_the_same_session_are_two_rows_without_hooks(world: World) -> None:
    second = world.scene.client()
    world.scene.registry(world.client, SESSION, "waiting", waitingFor="permission prompt")
    world.scene.registry(second, SESSION, "idle", startedAt=int(time.time() * 1000) + 5000)
    assert (world.shows(), world.shows(paths.twin(SESSION, second.pid))) == ("needs_approval", "waiting")


def test_without_hooks_a_second_terminal_hides_no_sub_agent_of_the_first() -> None:
    session = Session(SESSION, ADAPTER)
    session.share_transcript([Session("its twin", ADAPTER)])
    assert session.agents_alive is None, "their transcripts have to tell"


def test_a_second_terminal_without_hooks_has_no_sub_agent_of_the_first_case_63(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    second = world.scene.client()
    world.scene.registry(world.client, SESSION, "busy")
    world.scene.registry(second, SESSION, "idle")
    world.hook(event("SubagentStart", agent_id="a1", agent_type="x"))
    below = world.transcript().with_suffix("") / "subagents"
    below.mkdir(parents=True)
    (below / "agent-a1.meta.json").write_text(json.dumps({"agentType": "x"}))
    world.line("user", "please do it", isSidechain=True, agentId="a1")
    world.transcript().rename(below / "agent-a1.jsonl")
    twin = paths.twin(SESSION, second.pid)
    assert (world.shows(), world.shows(twin)) == ("working", "waiting")
    assert [agent.key for agent in world.scene.statuses()[twin].agents] == ["main"]
    assert [agent.key for agent in world.scene.statuses()[SESSION].agents] == ["main", "a1"]
    ended(world)
    assert world.shows() == "waiting", "it went with its terminal"
    assert [agent.key for agent in world.scene.statuses()[SESSION].agents] == ["main"]
    third = world.scene.client()
    world.scene.registry(third, SESSION, "idle")
    world.hook(event("SessionStart", source="resume"), third)
    assert (world.shows(), world.shows(twin)) == ("waiting", "waiting")
    assert all([agent.key for agent in one.agents] == ["main"] for one in world.scene.statuses().values())


def test_a_sub_agent_that_a_hook_sends_back_works_by_its_transcript_case_85(world: World) -> None:
    """No hook tells of that before it calls a tool."""
    sub = {"agent_id": "a1", "agent_type": "x"}
    below = world.transcript().with_suffix("") / "subagents"
    below.mkdir(parents=True)
    (below / "agent-a1.meta.json").write_text(json.dumps({"agentType": "x"}))

    def says(kind: str, words: str, **more: Any) -> None:
        world.line(kind, words, isSidechain=True, agentId="a1", **more)
        with (below / "agent-a1.jsonl").open("ab") as file:
            file.write(world.transcript().read_bytes())
        world.transcript().unlink()

    def shows() -> str:
        world.watch.look_at_all()
        return next(agent.detail for agent in world.scene.statuses()[SESSION].agents if agent.key == "a1")

    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(event("SubagentStart", **sub))
    says("user", "please do it")
    world.hook(event("SubagentStop", **sub))
    assert shows() == "finished"
    says("user", "Stop hook feedback:\nnot yet", isMeta=True)
    assert shows() == "thinking"
    says("assistant", "done", message={"content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn"})
    world.hook(event("SubagentStop", **sub))
    assert shows() == "finished"


def test_a_client_that_is_started_without_arguments_is_judged(world: World) -> None:
    with started(["claude"], executable="/bin/cat", stdin=subprocess.PIPE) as client:
        world.hook(event("UserPromptSubmit", prompt="x"), client)
        assert world.shows() == "working"


def test_where_the_hook_knows_no_start_each_process_has_its_own(world: World) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    rewritten(world, start="")
    assert world.shows() == "working"
    second = world.scene.client()
    while start_of(second.pid) == start_of(world.client.pid):  # the kernel counts starts in hundredths
        second = world.scene.client()
    world.hook(event("UserPromptSubmit", prompt="x", prompt_id="2"), second)
    rewritten(world, start="")
    assert world.shows() == "working", "the process that lives is not the one that was known"


def test_facts_that_somebody_wrote_since_the_look_stay(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.hook(event("UserPromptSubmit", prompt="x"))
    assert world.shows() == "working"
    ended(world)
    second, remove = world.scene.client(), FactFiles.remove

    def late(files: FactFiles, session: str) -> None:
        world.hook(event("SessionStart", source="resume"), second)
        world.hook(event("UserPromptSubmit", prompt="x", prompt_id="2"), second)
        remove(files, session)

    monkeypatch.setattr(FactFiles, "remove", late)
    world.watch.look_at_all()
    monkeypatch.setattr(FactFiles, "remove", remove)
    assert world.shows() == "working"


# Trouble


def test_a_status_that_cannot_be_written_leaves_the_watcher_its_rest(patient: Patient) -> None:
    world = patient.world
    patient.later(1)
    world.hook(event("UserPromptSubmit", prompt="y"))
    world.hook(event("Stop", background_tasks=[]))
    patient.later(0)
    assert world.scene.statuses()[SESSION].detail == "queued prompt"
    os.mkdir(paths.status(world.scene.state, SESSION) + ".tmp")  # as on a full disk
    patient.later(3.1)
    assert world.watch.rest(world.watch.clock.tick()) > 0.5
    os.rmdir(paths.status(world.scene.state, SESSION) + ".tmp")
    patient.later(0)
    assert world.scene.status() == "waiting"


def test_a_rule_of_five_seconds_is_not_slept_through(patient: Patient) -> None:
    """A dialog that is told along with the end of another request is believed once that is long enough ago."""
    world, given = patient.world, {"file_path": "a"}
    world.hook(call("PreToolUse", "t", tool="Write", given=given))
    world.hook(ask(given, tool="Write"))
    world.hook(call("PostToolUse", "t", tool="Write", given=given))
    soon = int(time.time() * 1000) + 300
    world.scene.registry(world.client, SESSION, "waiting", waitingFor="sandbox request", statusUpdatedAt=soon)
    for seconds in (0, 4.8, 1.5):
        patient.later(seconds)
    assert world.scene.status() == "needs_approval"


# What is written down


def observed(world: World) -> list[tuple[str, str, str]]:
    lines = Path(paths.observations(world.scene.state)).read_text().splitlines()
    return [(one["session"], one["kind"], one.get("to", "")) for one in map(json.loads, lines)]


def test_the_end_of_a_session_whose_process_goes_on_is_observed_case_33(world: World) -> None:
    world.hook(event("SessionStart", source="startup"))
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.watch.look_at_all()
    world.hook(event("SessionEnd", reason="clear"))
    world.hook(event("SessionStart", source="clear", session_id=NEW))
    world.watch.look_at_all()
    assert observed(world).count((SESSION, "agent_process_changed", "joined")) == 1
    world.watch.look_at_all()
    assert observed(world).count((SESSION, "agent_process_changed", "joined")) == 1


def test_the_end_of_a_session_without_hooks_is_observed(world: World) -> None:
    path = world.scene.registry(world.client, SESSION, "busy")
    until(lambda: world.shows() == "working")
    ended(world)
    os.remove(path)
    assert world.shows() == ""
    assert (SESSION, "agent_process_changed", "lost") in observed(world)


# Teammates in panes of their own


def as_mate(*command: str) -> list[str]:
    team = f"session-{SESSION[:8]}"
    given = ["--agent-id", f"mia@{team}", "--agent-name", "mia", "--team-name", team, "--parent-session-id", SESSION]
    return ["claude", "-c", *command, *given]


def drawn(world: World) -> dict[str, int]:
    world.watch.look_at_all()
    return board(reader.read(world.scene.state), time.time()).counts


@contextmanager
def team(world: World) -> Iterator[subprocess.Popen[bytes]]:
    """A lead, and a teammate that is about to call a Bash."""
    world.hook(event("UserPromptSubmit", prompt="x"))
    with started(
        as_mate('read x; setsid bash -c "$0" & wait', "true && eval 'sleep 500' && pwd -P >| /dev/null"),
        executable="/bin/bash",
        stdin=subprocess.PIPE,
    ) as mate:
        world.hook(event("UserPromptSubmit", prompt="x", session_id=OTHER), mate)
        world.hook(call("PreToolUse", "t", given={"command": "sleep 500"}, session_id=OTHER), mate)
        assert drawn(world) == {"needs_approval": 0, "working": 1, "waiting": 0}, "one team"
        yield mate
        for child in psutil.Process(mate.pid).children(recursive=True):
            child.kill()


def test_a_lead_that_begins_anew_keeps_its_team_case_25(world: World) -> None:
    with team(world) as mate:
        world.hook(event("Stop", background_tasks=[]))
        world.hook(event("SessionEnd", reason="clear"))
        world.hook(event("SessionStart", source="clear", session_id=NEW))
        world.hook(ask({"command": "sleep 500"}, session_id=OTHER), mate)
        assert drawn(world) == {"needs_approval": 1, "working": 0, "waiting": 0}
        lead = world.scene.statuses()[NEW]
        assert [agent.name for agent in lead.agents if agent.kind == "teammate"] == ["mia"]


def test_a_request_that_a_lead_told_of_while_it_was_cleared_is_shown_case_28(world: World) -> None:
    with team(world):
        world.hook(event("Stop", background_tasks=[]))
        world.hook(event("SessionEnd", reason="clear"))
        words = "mia needs permission for Bash"
        world.hook(event("Notification", notification_type="worker_permission_prompt", message=words))
        world.hook(event("SessionStart", source="clear", session_id=NEW))
        assert drawn(world) == {"needs_approval": 1, "working": 0, "waiting": 0}


def test_teammates_whose_lead_has_ended_stand_for_themselves_at_once_case_25(world: World) -> None:
    with team(world) as mate:
        world.hook(event("SessionEnd", reason="prompt_input_exit"))
        world.hook(ask({"command": "sleep 500"}, session_id=OTHER), mate)
        assert drawn(world) == {"needs_approval": 1, "working": 0, "waiting": 0}
        assert not world.scene.statuses()[OTHER].hidden


def test_a_command_that_was_approved_in_the_lead_is_working_cases_03_and_28(world: World) -> None:
    with team(world) as mate:
        words = "mia needs permission for Bash"
        world.hook(event("Notification", notification_type="worker_permission_prompt", message=words))
        assert drawn(world)["needs_approval"] == 1
        assert mate.stdin is not None
        mate.stdin.write(b"\n")
        mate.stdin.flush()
        until(lambda: psutil.Process(mate.pid).children())
        until(lambda: drawn(world)["working"] == 1)


def test_a_teammate_in_the_leads_process_that_an_old_client_names_by_its_team_is_one_teammate_case_26(
    world: World,
) -> None:
    """A newer client names it by its agent, and only one in a pane by its team."""
    answer = {"agent_id": f"mia@session-{SESSION[:8]}"}
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.hook(call("PreToolUse", "t", tool="Agent", given={"name": "mia"}))
    world.hook(call("PostToolUse", "t", tool="Agent", given={"name": "mia"}, tool_response=answer))
    world.hook(event("SubagentStart", agent_id="amia-1", agent_type="mia"))
    world.hook(event("Stop", background_tasks=[{"id": "t1", "type": "teammate", "status": "running"}]))
    assert drawn(world) == {"needs_approval": 0, "working": 1, "waiting": 0}
    assert world.scene.statuses()[SESSION].agents[0].detail == "1 teammate"


# Hosts


def test_the_sessions_of_a_host_are_there_beside_each_other(tmp_path: Path) -> None:
    """As those of a process of its own are not: there the one begun last is the one."""
    (tmp_path / "app-server").write_text("import time; time.sleep(600)")
    host = subprocess.Popen(["codex", "app-server"], executable=sys.executable, cwd=tmp_path)
    try:
        with Scene(tmp_path) as scene:
            watch = Watch(scene.state, scene.env)
            for session in (SESSION, NEW):
                started_by(scene, host.pid, session)
            watch.look_at_all()
            assert (scene.status(SESSION), scene.status(NEW)) == ("working", "working")
            assert watch.clients() == {host.pid}
            host.kill()
            host.wait()
            watch.look_at_all()
            assert (scene.status(SESSION), scene.status(NEW)) == ("", "")
    finally:
        host.kill()
        host.wait()


def started_by(scene: Scene, pid: int, session: str) -> None:
    payload = {"session_id": session, "hook_event_name": "UserPromptSubmit", "cwd": "/home/me/proj", "turn_id": "t"}
    stamp = Stamp((time.time(), time.clock_gettime(BOOT)))
    keep(scene.state, scene.env, payload, stamp, "codex")
    path = paths.fact(scene.state, session, "main")
    fact = facts.decode(Path(path).read_bytes())
    assert isinstance(fact, Fact)
    assert fact.client is not None
    fact.client.pid, fact.client.start = pid, start_of(pid) or ""
    store.replace(path, facts.encode(fact))
