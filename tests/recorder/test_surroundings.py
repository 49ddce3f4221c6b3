"""Who speaks through the hook: the client's process, its machine and its terminal."""

import json
import os
import subprocess
from pathlib import Path

from contract import machine
from support.builders import HOOK, event, facts_in, hook_env, run_hook


def test_the_client_is_the_process_that_says_so(tmp_path: Path) -> None:
    run_hook(tmp_path, event("SessionStart", source="startup"), CLAUDE_CODE_ENTRYPOINT="cli", CLAUDE_JOB_DIR="/x")
    client = facts_in(tmp_path)["main"].client
    assert client is not None
    assert (client.pid, client.entrypoint, client.background) == (os.getpid(), "cli", True)
    stat_line = Path(f"/proc/{os.getpid()}/stat").read_text()
    assert client.start == stat_line.rsplit(")", 1)[1].split()[19]


def test_without_a_word_from_the_client_it_is_the_first_process_above_the_shells_case_38(tmp_path: Path) -> None:
    env = {k: v for k, v in hook_env(tmp_path).items() if k != "CLAUDE_PID"}
    line = f"sh -c '{' '.join(HOOK)}; true'; true"
    subprocess.run(["bash", "-c", line], input=json.dumps(event("Stop")).encode(), env=env, check=True)
    client = facts_in(tmp_path)["main"].client
    assert client is not None
    assert client.pid == os.getpid()


def test_of_the_environment_only_the_terminal_is_kept(tmp_path: Path) -> None:
    run_hook(
        tmp_path,
        event("SessionStart", source="startup"),
        TMUX_PANE="%3",
        ITERM_SESSION_ID="w0\x1b",
        SOME_VALUE="swordfish",
    )
    terminal = facts_in(tmp_path)["main"].terminal
    assert {k: v for k, v in terminal.items() if k != "tty"} == {"TMUX_PANE": "%3", "ITERM_SESSION_ID": "w0"}
    assert "swordfish" not in "".join(p.read_text() for p in (tmp_path / "state").rglob("*.json"))


def test_a_fact_says_where_its_pid_means_something(tmp_path: Path) -> None:
    run_hook(tmp_path, event("SessionStart", source="startup"))
    client = facts_in(tmp_path)["main"].client
    assert client is not None
    assert (client.host, client.boot, client.pids) == machine.here()
    assert client.host
