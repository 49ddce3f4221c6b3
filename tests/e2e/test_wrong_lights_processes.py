"""Processes that come, go and live where we cannot see them: the watcher's own, a second terminal, a container."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WORKING
from e2e.harness import mcp_server
from e2e.harness.script import bash, script, stay, text, tool
from e2e.harness.truth import needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched

SERVER = ("--strict-mcp-config", "--mcp-config", mcp_server.config())
CONTAINER = ("unshare", "--pid", "--fork", "--mount-proc")


def test_a_command_that_is_approved_while_no_watcher_runs_is_working_when_one_is_back(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    agent.say(script(stay(door), text("x")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("wc")
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    watched.kill_watchers()
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.restart_watchers()
        watched.becomes("watcher is back", working(f"Bash: wc {door}"))
        watched.holds(1)


def test_a_server_call_that_is_approved_while_no_watcher_runs_is_working_when_one_is_back(watched: Watched) -> None:
    agent = watched.client(*SERVER)
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    agent.say(script(tool(mcp_server.TOOL, door=door), text("x", hold="end")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("Wait")
    asks = (needs_approval(mcp_server.TOOL),)
    watched.becomes("asks", *asks)
    watched.kill_watchers()
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.restart_watchers()
        # Without the registry nothing tells of the answer before the result does.
        watched.becomes("watcher is back", working(mcp_server.TOOL), blind=asks)
        watched.holds(1)
    watched.reached("end")
    watched.becomes("tool done", working("thinking"))


def test_a_request_that_is_open_while_no_watcher_runs_is_still_shown_when_one_is_back(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(bash("touch made"), text("x", hold="end")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch made")
    watched.becomes("asks", needs_approval("Bash: touch made"))
    watched.kill_watchers()
    watched.restart_watchers()
    watched.becomes("watcher is back", needs_approval("Bash: touch made"))
    watched.holds(1)
    agent.answer("Escape")
    watched.becomes("rejected", waiting("interrupted"))


def test_a_request_is_not_hidden_when_its_session_is_resumed_in_a_second_terminal(watched: Watched) -> None:
    first = watched.client()
    watched.becomes("start", waiting(""))
    first.say(script(text("x")))
    watched.passes("prompt", working())
    first.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    first.say(script(bash("touch made"), text("x", hold="first")))
    watched.passes("prompt", working())
    first.wait_for_dialog("touch made")
    asks = (needs_approval("Bash: touch made"),)
    watched.becomes("asks", *asks)
    watched.moments.acts()
    second = watched.client("--resume", first.session_id)
    one, two = first.session_id, f"{first.session_id}-p{second.pid}"
    watched.become("resumed", {one: asks, two: (waiting(""),)}, via=NEEDS_APPROVAL)
    watched.holds(1)
    second.say(script(text("x", hold="second")))
    watched.reached("second")
    watched.become("second works", {one: asks, two: (working("thinking"),)}, via=NEEDS_APPROVAL)
    watched.holds(1)
    watched.release("second")
    second.wait_for_status("idle")
    watched.become("second ends", {one: asks, two: (waiting(""),)}, via=NEEDS_APPROVAL)
    watched.holds(1)
    first.answer("Enter")
    watched.reached("first")
    watched.become("approved", {one: (working("thinking"),), two: (waiting(""),)}, via=WORKING)
    watched.holds(1)


def test_a_client_in_a_container_that_shares_the_home_is_shown(watched: Watched) -> None:
    need_container()
    agent = watched.client(under=CONTAINER)
    watched.becomes("start", waiting())
    agent.say(script(bash("touch made"), text("x", hold="reply")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch made")
    watched.becomes("asks", needs_approval("Bash: touch made"))
    watched.holds(3)  # longer than a poll, which would bury the dead
    agent.answer("Enter")
    watched.reached("reply")
    watched.becomes("approved", working("thinking"))
    watched.holds(2)
    watched.release("reply")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting())
    watched.holds(3)


def need_container() -> None:
    tried = shutil.which("unshare") and subprocess.run([*CONTAINER, "true"], capture_output=True, check=False)
    if not tried or tried.returncode:
        pytest.skip("end-to-end test did not run: a process namespace cannot be made here (unshare, root)")
