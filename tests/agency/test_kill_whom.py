"""Who is ended by `yourturn kill`, who is asked first, and who is refused."""

from __future__ import annotations

import argparse
import json
import os
import pty
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from agency import audit, kill, kill_note
from contract import status
from support.builders import HOOK, SESSION, event, hook_env
from support.command import YOURTURN
from support.needs import need
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import agent, environ, put, session, watcher

if TYPE_CHECKING:
    from pathlib import Path

    from contract.status import AgentStatus, SessionStatus
    from support.staged_clients import Stage

MATE = "1aa7420c-3c33-4845-8b68-60c055e751a8"
AS_CLAUDE = ["bash", "-c", "exec -a claude sleep 600"]
# A process that is called as a host is.
HOST = """
import os, sys
os.chdir(sys.argv[1])
with open("app-server", "w") as file:
    file.write("import time; time.sleep(600)")
os.execv(sys.executable, ["codex", "app-server"])
"""
NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
# The first process of a pid namespace: a client that a hook has told of ends, and a stranger gets its pid.
REUSE = """
import json, os, subprocess, sys
from processes.identity import start_of
hook, kill = json.loads(sys.argv[1]), json.loads(sys.argv[2])

def sleeper(pid=0):
    if pid:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(pid - 1))
    return subprocess.Popen(["sleep", "600"])

first = sleeper()
start = start_of(first.pid)
subprocess.run(hook, input=sys.argv[3].encode(), env={**os.environ, "CLAUDE_PID": str(first.pid)}, check=True)
first.kill()
first.wait()
while True:  # within one tick of the clock both would have the same start
    stranger = sleeper(first.pid)
    assert stranger.pid == first.pid
    if start_of(stranger.pid) != start:
        break
    stranger.kill()
    stranger.wait()
done = subprocess.run(kill, capture_output=True, text=True)
print(done.returncode, done.stdout + done.stderr, stranger.poll())
stranger.kill()
"""


def shown(stage: Stage, pid: int, *agents: AgentStatus, **more: Any) -> SessionStatus:
    """The status that a watcher would have written."""
    one = session(SESSION, status.NEEDS_APPROVAL, pid=pid, name="proj-1", agents=(agent(), *agents), **more)
    put(stage.state, one)
    return one


def on_a_terminal(stage: Stage, answer: str, *words: str) -> tuple[int, str]:
    """The exit code, and all that is on the screen."""
    ours, theirs = pty.openpty()
    argv = [*YOURTURN, "kill", *words]
    env = environ(stage.state)
    with subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=PROJECT) as asked:
        os.close(theirs)
        screen = b""
        while not screen.endswith(b"? [y/N] "):
            screen += os.read(ours, 1024)
        os.write(ours, answer.encode() + b"\n")
        code = asked.wait(PATIENCE_S)
        screen += os.read(ours, 4096)
    os.close(ours)
    return code, screen.decode()


@pytest.mark.parametrize("answer", ["y", "Yes"])
def test_on_a_terminal_it_shows_what_would_be_ended_and_asks(stage: Stage, answer: str) -> None:
    client = stage.client("sleep 600", "sleep 600")
    shown(stage, client.pid)
    with watcher(stage.state):
        code, screen = on_a_terminal(stage, answer, "proj-1", "--tree")
    assert f"proj-1 (9df7420c): needs approval, process {client.pid} (python" in screen
    assert "2 processes below it\r\nEnd it and the 2 processes below it? [y/N]" in screen
    assert (code, "proj-1 (9df7420c): ended (SIGTERM)" in screen) == (0, True)
    assert client.wait() == -signal.SIGTERM


@pytest.mark.parametrize("answer", ["", "n", "what?", "\x04"])
def test_who_does_not_say_yes_means_no(stage: Stage, answer: str) -> None:
    client = stage.client()
    code, screen = on_a_terminal(stage, answer, SESSION)
    assert (code, "refused: you did not agree" in screen) == (3, True)
    assert "state unknown" in screen, "no watcher runs"
    assert client.poll() is None
    assert [one["outcome"] for one in audit.entries(str(stage.state))] == ["refused"]


@pytest.mark.parametrize("kind", ["sub_agent", "teammate"])
def test_an_agent_inside_a_clients_process_cannot_be_ended_alone(stage: Stage, kind: str) -> None:
    client = stage.client()
    shown(stage, client.pid, agent("a1", kind=kind, name="explorer", parent="main"))
    for word in ("proj-1/explorer", f"{SESSION}/a1", "9df7/expl"):
        done = stage.kill(word, "--yes")
        assert (done.returncode, done.stdout) == (3, "")
        assert f"explorer is a {kind.replace('_', '-')} inside the process of its session" in done.stderr
        assert done.stderr.endswith(f"To end the whole session: yourturn kill {SESSION}\n")
    assert client.poll() is None


def mate_below_lead(stage: Stage) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]:
    """A lead, and a teammate in a pane: a process of its own, which its lead lists with its sub-agent."""
    lead, mate = stage.client(), stage.client(fact=False)
    stage.hook(mate.pid, {"session_id": MATE, "hook_event_name": "UserPromptSubmit", "cwd": "/x", "prompt": "x"})
    below = agent("a2", name="helper", parent=MATE)
    shown(stage, lead.pid, agent(MATE, kind="teammate", name="bob", parent="main"), below)
    put(stage.state, session(MATE, pid=mate.pid, hidden=True, agents=(agent(), below._replace(parent="main"))))
    return lead, mate


def test_a_teammate_in_a_pane_of_its_own_can_be_ended(stage: Stage) -> None:
    lead, mate = mate_below_lead(stage)
    done = stage.kill("proj-1/bob", "--yes")
    assert done.returncode == 0, done.stderr
    assert (mate.wait(), lead.poll()) == (-signal.SIGTERM, None)


def test_of_an_agent_inside_a_teammate_the_teammates_session_is_named(stage: Stage) -> None:
    mate_below_lead(stage)
    done = stage.kill("proj-1/helper", "--yes")
    assert (done.returncode, done.stderr.endswith(f"yourturn kill {MATE}\n")) == (3, True)


def test_an_ambiguous_target_lists_who_is_meant(stage: Stage) -> None:
    put(stage.state, session("s1", name="same"), session("s2", name="same"))
    done = stage.kill("same", "--yes")
    assert done.returncode == 3
    there = "  s1  same  working\n  s2  same  working\n"
    assert done.stderr == f"yourturn: ambiguous: 'same' matches several sessions or agents:\n{there}"


def test_a_session_that_only_its_registry_tells_of_is_ended_if_a_watcher_sees_it(stage: Stage) -> None:
    client = stage.start(AS_CLAUDE)
    until(lambda: psutil.Process(client.pid).cmdline()[:1] == ["claude"])
    shown(stage, client.pid)
    done = stage.kill("proj-1", "--yes")
    assert (done.returncode, "is unknown, and no watcher runs" in done.stderr) == (3, True)
    assert client.poll() is None
    with watcher(stage.state):
        done = stage.kill("proj-1", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert client.wait() == -signal.SIGTERM
    assert stage.fact() is None, "no fact is made where there was none"
    assert not os.path.exists(f"{stage.state}/facts")


def test_what_is_no_agents_program_is_not_ended_on_the_word_of_a_status(stage: Stage) -> None:
    stranger = stage.start(["sleep", "600"])
    shown(stage, stranger.pid)
    with watcher(stage.state):
        done = stage.kill("proj-1", "--yes")
    assert (done.returncode, "is no coding agent that we know" in done.stderr) == (3, True)
    assert stranger.poll() is None


def test_a_process_that_has_other_sessions_too_is_not_ended(stage: Stage, tmp_path: Path) -> None:
    host = stage.start([sys.executable, "-c", HOST, str(tmp_path)])
    until(lambda: psutil.Process(host.pid).cmdline()[:2] == ["codex", "app-server"])
    shown(stage, host.pid)
    with watcher(stage.state):
        done = stage.kill("proj-1", "--yes")
    assert (done.returncode, "has other sessions too" in done.stderr) == (3, True)
    assert host.poll() is None


def test_a_session_without_a_known_process_is_refused(stage: Stage) -> None:
    shown(stage, 0)
    with watcher(stage.state):
        done = stage.kill("proj-1", "--yes")
    assert (done.returncode, "which process is proj-1 (9df7420c) is unknown" in done.stderr) == (3, True)


@pytest.mark.parametrize("more", [(), ("--tree",)])
def test_an_agent_cannot_end_the_session_it_runs_in(stage: Stage, tmp_path: Path, more: tuple[str, ...]) -> None:
    """The client runs the command itself, as its Bash tool would."""
    line = " ".join([*YOURTURN, "kill", SESSION, "--yes", *more])
    env = " ".join(f"{name}='{value}'" for name, value in environ(stage.state).items())
    said, go = tmp_path / "said", tmp_path / "go"
    os.mkfifo(go)
    command = f"cat {go}; cd {PROJECT}; env {env} {line} > {said} 2>&1; echo $? >> {said}; exec sleep 600"
    client = stage.client(command, below=2)
    go.write_text("go")
    until(lambda: said.exists() and said.read_text().endswith("\n3\n"), said.read_text)
    assert "this command runs inside 9df7420c and would end itself" in said.read_text()
    assert client.poll() is None


def test_a_nested_agent_can_be_ended_by_the_agent_around_it(stage: Stage, tmp_path: Path) -> None:
    """Who asks is above the target, not below it."""
    outer = stage.client("sleep 600")
    ((pid, start),) = stage.family(outer.pid)
    stage.hook(pid, {"session_id": MATE, "hook_event_name": "UserPromptSubmit", "cwd": "/x", "prompt": "x"})
    assert stage.kill(MATE, "--yes").returncode == 0
    assert (pid, start) not in stage.family(outer.pid)
    assert outer.poll() is None


def test_a_session_below_the_one_that_is_killed_with_its_tree_is_killed_too(stage: Stage) -> None:
    outer = stage.client("sleep 600")
    ((pid, start),) = stage.family(outer.pid)
    stage.hook(pid, {"session_id": MATE, "hook_event_name": "UserPromptSubmit", "cwd": "/x", "prompt": "x"})
    assert stage.kill(SESSION, "--yes", "--tree").returncode == 0
    fact = stage.fact(MATE)
    assert fact
    assert fact.killed
    told = [one for one in audit.entries(str(stage.state)) if one["target"]["session"] == MATE]
    assert [(one["verb"], one["outcome"], one["target"]["start"]) for one in told] == [("end", "ended", start)]
    assert "already gone" in stage.kill(MATE, "--yes").stdout


def test_a_session_below_one_that_does_not_end_is_not_killed(stage: Stage) -> None:
    outer = stage.client("sleep 600", how="deaf")
    ((pid, _),) = stage.family(outer.pid)
    stage.hook(pid, {"session_id": MATE, "hook_event_name": "UserPromptSubmit", "cwd": "/x", "prompt": "x"})
    assert stage.kill(SESSION, "--yes", "--tree", "--signal", "TERM", "--grace", "0.2").returncode == 1
    fact = stage.fact(MATE)
    assert fact
    assert fact.killed is None
    told = [one["outcome"] for one in audit.entries(str(stage.state)) if one["target"]["session"] == MATE]
    assert told == ["could not"]


def test_what_was_left_cannot_end_itself(stage: Stage, tmp_path: Path) -> None:
    """A command that has outlived its client asks for the end of all that has."""
    line = " ".join([*YOURTURN, "kill", SESSION, "--yes", "--tree"])
    env = " ".join(f"{name}='{value}'" for name, value in environ(stage.state).items())
    said, go = tmp_path / "said", tmp_path / "go"
    os.mkfifo(go)
    stage.client(f"cat {go}; cd {PROJECT}; env {env} {line} > {said} 2>&1; echo $? >> {said}; exec sleep 600", below=2)
    assert "still running" in stage.kill(SESSION, "--yes").stdout
    go.write_text("go")
    until(lambda: said.exists() and said.read_text().endswith("\n3\n"), said.read_text)
    assert "this command runs inside" in said.read_text()


def test_what_the_gate_refuses_is_not_done_and_written_down(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of the settings is closed to kill."""
    client = stage.client()
    (stage.state / "config.toml").write_text("[kill]\nno_kill_in = ['/home/me']\n")
    monkeypatch.setenv("YOURTURN_HOME", str(stage.state))
    args = argparse.Namespace(target=SESSION, signal=None, grace=5.0, tree=True, yes=True, json=False)
    report = kill.Kill(args, str(stage.state)).run()
    reason = "/home/me/proj is in /home/me, which kill.no_kill_in forbids"
    assert (report.outcome.code, report.outcome.reason) == (3, reason)
    assert client.poll() is None
    assert [(one["outcome"], one["reason"]) for one in audit.entries(str(stage.state))] == [("refused", reason)]


def test_a_kill_that_is_interrupted_is_in_the_audit(stage: Stage) -> None:
    client = stage.client(how="deaf")
    argv = [*YOURTURN, "kill", SESSION, "--yes", "--grace", "600"]
    with subprocess.Popen(argv, env=environ(stage.state), cwd=PROJECT) as asked:
        until(lambda: [one for one in audit.entries(str(stage.state)) if one["outcome"] == "begun"])
        until(lambda: (fact := stage.fact()) and fact.killed)
        asked.send_signal(signal.SIGINT)
        assert asked.wait(PATIENCE_S) == 130
    assert [one["outcome"] for one in audit.entries(str(stage.state))] == ["begun", "interrupted"]
    assert client.poll() is None


def test_a_kill_that_is_interrupted_before_its_first_signal_is_in_the_audit(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = stage.client()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(kill_note, "put", interrupted)
    args = argparse.Namespace(target=SESSION, signal=None, grace=5.0, tree=True, yes=True, json=False)
    with pytest.raises(KeyboardInterrupt):
        kill.Kill(args, str(stage.state)).run()
    assert [one["outcome"] for one in audit.entries(str(stage.state))] == ["begun", "interrupted"]
    assert client.poll() is None


def test_a_kill_that_is_interrupted_leaves_nobody_stopped(stage: Stage) -> None:
    """The shell is stopped while its command, which does not listen, has time to end."""
    client = stage.client("(trap '' TERM; exec sleep 600) & wait", below=2)
    family = stage.family(client.pid)
    argv = [*YOURTURN, "kill", SESSION, "--yes", "--tree", "--grace", "600"]
    with subprocess.Popen(argv, env=environ(stage.state), cwd=PROJECT) as asked:
        until(lambda: psutil.STATUS_STOPPED in states(family))
        asked.send_signal(signal.SIGINT)
        assert asked.wait(PATIENCE_S) == 130
    assert len(states(family)) == 2
    assert psutil.STATUS_STOPPED not in states(family)
    assert [one["outcome"] for one in audit.entries(str(stage.state))] == ["begun", "interrupted"]


def states(processes: set[tuple[int, str]]) -> list[str]:
    return [psutil.Process(pid).status() for pid, _ in processes]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pid namespaces")
def test_a_pid_that_is_really_reused_is_not_hit(stage: Stage) -> None:

    need("unshare")
    if subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("a pid namespace cannot be made here")
    words = [json.dumps(HOOK), json.dumps([*YOURTURN, "kill", SESSION, "--yes", "--tree"])]
    argv = [*NAMESPACE, sys.executable, "-c", REUSE, *words, json.dumps(event("UserPromptSubmit", prompt="x"))]
    done = subprocess.run(
        argv, env=hook_env(stage.home), cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.stdout == f"0 {SESSION[:8]}: already gone\n None\n", done.stderr
