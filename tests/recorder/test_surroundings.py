"""Who speaks through the hook: the client's process, its machine and its terminal."""

import json
import os
import subprocess
import sys
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


ADOPTS = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"


def adopted(home: Path, payload: dict[str, object]) -> None:
    """Run the hook of a client that is gone: its parent is whoever adopts orphans."""
    reaper = home / "tini"
    if not reaper.exists():
        reaper.symlink_to(sys.executable)
    env = {k: v for k, v in hook_env(home).items() if k != "CLAUDE_PID"}
    asked = [str(reaper), "-c", ADOPTS, "sh", "-c", f"{' '.join(HOOK)} qwen; true"]
    subprocess.run(asked, input=json.dumps(payload).encode(), env=env, check=True)


def test_a_late_word_of_a_client_that_is_gone_brings_no_session_back(tmp_path: Path) -> None:
    """Its facts are gone with it; a fact without a process would have a row for a week."""
    adopted(tmp_path, event("Stop"))
    assert facts_in(tmp_path) == {}
    assert list((tmp_path / "state" / "facts").iterdir()) == [], "no lock either"


def test_a_late_word_of_a_client_that_is_gone_is_heard_while_its_facts_are_there(tmp_path: Path) -> None:
    started = json.dumps(event("SessionStart", source="startup")).encode()
    subprocess.run([*HOOK, "qwen"], input=started, env=hook_env(tmp_path), check=True)
    known = facts_in(tmp_path)["main"]
    adopted(tmp_path, event("Stop"))
    assert facts_in(tmp_path)["main"].turn
    assert facts_in(tmp_path)["main"].client == known.client
