"""`yourturn tree`, over real processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from processes.procfs import Procfs
from processes.table import Probe
from statusbar.cli.tree import CALM, page
from support.builders import call, event
from support.patience import until
from support.project import PROJECT
from support.showing import agent, put, rest, run, session
from support.watching import Scene, started

SUB: dict[str, Any] = {"agent_id": "a1", "agent_type": "Explore"}


def tree(scene: Scene, *args: str) -> str:
    argv = [sys.executable, str(PROJECT / "yourturn.py"), "tree", *args]
    return subprocess.run(argv, env=scene.env, capture_output=True, text=True, check=True).stdout


def watched(scene: Scene, client: subprocess.Popen[bytes]) -> None:
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.hook(client, event("SubagentStart", **SUB))
    scene.hook(client, call("PreToolUse", "t", given={"command": "npm test"}, **SUB))
    scene.watcher()
    until(lambda: any(len(one.agents) == 2 for one in scene.statuses().values()))


def test_a_family_is_printed_with_states_types_and_running_commands(scene: Scene) -> None:
    snapshot = "/home/me/.claude/shell-snapshots/snapshot-bash-1.sh"
    shell = f"source {snapshot} 2>/dev/null || true && eval 'sleep 600' && pwd -P >| /tmp/x-cwd"
    script = f"/bin/bash -c {json.dumps(shell)} & wait"
    with subprocess.Popen(["claude", "-c", script], executable="/bin/bash") as client:
        watched(scene, client)
        until(lambda: "tool" in tree(scene))
        printed = tree(scene)
        assert "proj  working" in printed
        assert "├─ main  agent, running, working" in printed
        assert "│  └─ Explore  sub-agent, running, working: Bash: “npm test”" in printed
        assert f"agent {client.pid}  claude" in printed
        (found,) = json.loads(tree(scene, "--json"))["sessions"]
        main, process = found["children"]
        assert [child["type"] for child in main["children"]] == ["Explore"]
        assert (process["type"], process["pid"], process["agent_mode"]) == ("agent", client.pid, False)
        assert {child["type"] for child in process["children"]} == {"tool"}
        for child in psutil.Process(client.pid).children(recursive=True):
            child.kill()
        client.kill()


class Few(Procfs):
    """A process table with nobody in it but those that a test has started."""

    def __init__(self, *pids: int) -> None:
        super().__init__()
        self._few = list(pids)

    def pids(self) -> list[int]:
        return self._few


def everybody(*pids: int, as_json: bool = False) -> str:
    return page([], Probe(Few(*pids)), everybody=True, as_json=as_json)


def test_an_agent_that_no_hook_tells_of_is_shown_and_marked_so() -> None:
    with started(["codex", "600"], executable="/bin/sleep") as codex:
        assert everybody(codex.pid) == f"agent {codex.pid}  codex  (no hooks: state unknown)"
        (other,) = json.loads(everybody(codex.pid, as_json=True))["others"]
        assert (other["pid"], other["type"], other["hooks"]) == (codex.pid, "agent", False)
        assert page([], Probe(Few(codex.pid)), everybody=False, as_json=False) == CALM, "nobody asked for it"


def test_agent_mode_makes_an_agent_of_a_program_nobody_knows() -> None:
    with started(["sleep", "600"], env={"AGENT_MODE": "1", "PATH": "/bin:/usr/bin"}) as agent:
        assert f"agent {agent.pid}  sleep 600  AGENT_MODE" in everybody(agent.pid)


def test_an_agent_of_somebody_else_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with started(["codex", "600"], executable="/bin/sleep") as codex:
        assert everybody(codex.pid) == CALM


def test_nobody_there_is_said_calmly(scene: Scene) -> None:
    rest(Path(scene.state))
    assert tree(scene) == "No agent is running.\n"


def test_that_nobody_knows_is_said_and_not_that_nobody_is_there(scene: Scene) -> None:
    assert tree(scene).startswith("✕ No watcher is running: states are unknown")
    assert json.loads(tree(scene, "--json"))["known"] is False
    rest(Path(scene.state))
    scene.hook(scene.client(), event("UserPromptSubmit", prompt="x"))
    assert tree(scene).startswith("✕ No watcher is running"), "somebody has spoken since the watcher rests"
    put(Path(scene.state), session("a", pid=None))
    assert tree(scene).splitlines()[2].endswith("  (out of date)")


def test_only_the_sessions_and_agents_that_are_named_are_printed(tmp_path: Path) -> None:
    sub = agent("x1", type="Explore", parent="main")
    put(tmp_path, session("aab", agents=(agent(), sub), pid=None), session("aac", pid=None), session("b", pid=None))
    assert "aac-name" not in run(tmp_path, "tree", "aab").stdout
    alone = run(tmp_path, "tree", "aab/Explore", "--json").stdout
    (told,) = json.loads(alone)["sessions"]
    assert [child["key"] for child in told["children"]] == ["x1"]
    assert len(json.loads(run(tmp_path, "tree", "@working", "--json").stdout)["sessions"]) == 3
    assert (run(tmp_path, "tree", "zz").returncode, run(tmp_path, "tree", "aa").returncode) == (2, 3)
