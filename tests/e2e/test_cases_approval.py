"""You are asked for something, and answer: with yes, no, or no and a word."""

from __future__ import annotations

import json
import re
import socket
from typing import TYPE_CHECKING

from e2e.harness import mcp_server
from e2e.harness.script import ask, bash, script, stay, text, tool
from e2e.harness.truth import needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Subject, Watched


def test_an_approved_bash_is_working_and_so_is_the_reply_after_it_cases_03_and_07(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    agent.say(script(stay(door), text("first\n\nsecond", pause="reply")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("wc")
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    watched.holds(0.5)
    agent.answer("Enter")
    watched.becomes("approved", working(f"Bash: wc {door}"))
    with watched.command_runs(door):
        watched.holds(1)
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_an_approved_write_or_server_call_is_working_though_no_process_starts_case_04(watched: Watched) -> None:
    agent = watched.client("--strict-mcp-config", "--mcp-config", mcp_server.config())
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    call = {**tool(mcp_server.TOOL, door=door), "hold": "written"}
    agent.say(script(tool("Write", file_path=f"{watched.home.project}/new", content="x"), call, text("x", hold="end")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("new")
    watched.becomes("asks", needs_approval("Write: new"))
    watched.holds(0.3)
    agent.answer("Enter")
    watched.becomes("approved", working())
    watched.holds(0.5)
    watched.release("written")
    agent.wait_for_dialog("Wait")
    watched.becomes("asks", needs_approval(mcp_server.TOOL))
    agent.answer("Enter")
    # Without the registry nothing tells of the answer before the result does.
    watched.becomes("approved", working(mcp_server.TOOL), blind=(needs_approval(mcp_server.TOOL),))
    watched.explains("registry")
    with watched.command_runs(door):
        watched.holds(0.7)
    watched.becomes("tool done", working("thinking"))
    watched.holds(0.3)
    watched.release("end")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_an_approved_fetch_is_working_while_the_page_is_awaited_case_04(watched: Watched) -> None:
    watched.settings(skipWebFetchPreflight=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"https://127.0.0.1:{server.getsockname()[1]}/page"
        agent = watched.client()
        watched.becomes("start", waiting(""))
        agent.say(script(tool("WebFetch", url=url, prompt="what is there?"), text("x", hold="end")))
        watched.passes("prompt", working())
        agent.wait_for_dialog("fetch")
        watched.becomes("asks", needs_approval(f"WebFetch: {url}"))
        watched.holds(0.5)
        agent.answer("Enter")
        # Without the registry nothing tells of the answer before the result does.
        watched.becomes("approved", working(f"WebFetch: {url}"), blind=(needs_approval(f"WebFetch: {url}"),))
        asked, _ = server.accept()
        watched.holds(0.7)
        asked.close()
    watched.reached("end")
    watched.becomes("tool done", working("thinking"))
    watched.release("end")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_a_rejection_with_escape_or_no_is_waiting_case_05(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    for key in ("Escape", "No"):
        agent.say(script(bash("touch made"), text("not said")))
        watched.passes("prompt", working())
        agent.wait_for_dialog("touch made")
        watched.becomes("asks", needs_approval("Bash: touch made"))
        agent.answer(key if key == "Escape" else option(agent, key))
        watched.becomes("rejected", waiting("interrupted"))
        watched.holds(0.7)


def test_a_rejection_with_feedback_is_working_as_the_model_goes_on_case_06(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(bash("touch made"), text("another way", hold="goes on")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch made")
    watched.becomes("asks", needs_approval("Bash: touch made"))
    downs = int(option(agent, "No")) - 1
    for key in (*["Down"] * downs, "Tab"):
        agent.answer(key)  # an old client loses keys that come in one gulp
    agent.terminal.type("use another way")
    agent.wait("use another way")
    watched.holds()
    agent.key("Enter")
    watched.becomes("rejected", working("thinking"))
    watched.reached("goes on")
    watched.holds(0.7)
    watched.release("goes on")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_a_question_and_a_plan_need_approval_case_10(watched: Watched) -> None:
    agent = watched.client(mode="plan")
    watched.becomes("start", waiting(""))
    plan = {**tool("ExitPlanMode", plan="# Plan\n1. do it"), "hold": "answered"}
    agent.say(script(ask("Which one?", "this", "that"), plan, text("off I go", hold="approved")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("Which one?")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(0.5)
    agent.answer("2")
    watched.becomes("answered", working("thinking"))
    watched.holds(0.3)
    watched.release("answered")
    agent.wait_for_status("waiting")
    watched.becomes("asks", needs_approval("plan"))
    agent.wait_for_dialog()
    watched.holds(0.5)
    agent.answer("Enter")
    watched.becomes("answered", working("thinking"))
    watched.holds(0.3)
    watched.release("approved")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_a_question_needs_approval_even_where_permissions_are_bypassed_case_11(watched: Watched) -> None:
    asks_though_bypassed(watched)


def test_a_question_is_told_by_its_call_alone_case_11(watched: Watched) -> None:
    """As with a client that asks for no permission where permissions are bypassed."""
    with open(f"{watched.home.config}/settings.json", encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    watched.settings(hooks={name: entries for name, entries in hooks.items() if name != "PermissionRequest"})
    asks_though_bypassed(watched)


def asks_though_bypassed(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    agent.say(script(ask("Which one?", "this", "that"), text("not said")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("Which one?")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(0.7)
    agent.answer("Escape")
    watched.becomes("rejected", waiting("interrupted"))
    watched.holds(0.5)


def option(agent: Subject, words: str) -> str:
    """The number under which the open dialog offers this."""
    found = re.search(rf"(\d)\. {words}", agent.dialog())
    assert found, agent.dialog()
    return found[1]
