"""Our entries after the project was deleted or its Python replaced: nobody notices, and no other form could do that."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from e2e.harness.chosen import needs_client
from e2e.harness.script import script, text
from installer.hooks import entries as hooks
from installer.hooks.program import Program
from support.patience import until

if TYPE_CHECKING:
    from e2e.conftest import Clients
    from e2e.harness.client import Client

GONE = "/gone/yourturn"
DANGLING = {
    "the interpreter": Program(f"{GONE}/.venv/bin/python", f"{GONE}/hook.py"),
    "the script": Program(sys.executable, f"{GONE}/hook.py"),
}
EVENTS = {"SessionStart:startup", "UserPromptSubmit", "Stop"}
which = pytest.mark.parametrize("program", DANGLING.values(), ids=DANGLING)
exec_form = needs_client("2.1.139", "it does not know the exec form, and runs the command without its arguments")


def settings(entries: dict[str, hooks.Entry]) -> dict[str, Any]:
    return {"hooks": {event: [hooks.group(entry)] for event, entry in entries.items()}}


def without_a_shell(program: Program) -> dict[str, Any]:
    words = {"command": program.interpreter, "args": ["-S", "-E", program.script]}
    return settings({event: {**entry, **words} for event, entry in hooks.entries("").items()})


def told(agent: Client) -> list[str]:
    """Where the client tells of a hook of ours that failed: on the screen, and in what the model is shown."""
    lines = [json.dumps(line) for line in agent.home.transcript(agent.session_id)]
    failed = [line for line in lines if "hook_non_blocking_error" in line or "hook_blocking_error" in line]
    return [line for line in (*agent.screen().splitlines(), *failed) if GONE in line or "hook error" in line]


def events(agent: Client) -> set[str]:
    """Of which it tells so."""
    lines = told(agent)
    return {event for event in EVENTS if any(event in line for line in lines)}


@which
def test_hooks_whose_program_is_gone_are_not_noticed(program: Program, client: Clients) -> None:
    with client(settings=settings(hooks.entries(hooks.command_of(program)))) as agent:
        agent.say(script(text("all fine")))
        agent.wait_for_words("all fine")
        agent.wait_for_status("idle")
        assert told(agent) == []


@exec_form
def test_without_a_shell_a_missing_interpreter_is_an_error_at_each_event(client: Clients) -> None:
    """Why our entries are no exec form; see installer/hooks/entries.py."""
    with client(settings=without_a_shell(DANGLING["the interpreter"])) as agent:
        agent.say(script(text("all fine")))
        agent.wait_for_words("all fine")
        agent.wait_for_status("idle")
        until(lambda: events(agent) == EVENTS, lambda: str(told(agent)))  # it writes the last when it rests already


@exec_form
def test_without_a_shell_a_missing_script_refuses_every_prompt(client: Clients) -> None:
    """Python's own exit code for it is 2, which means no."""
    with client(settings=without_a_shell(DANGLING["the script"])) as agent:
        agent.terminal.type("hello")
        agent.key("Enter")
        agent.wait("UserPromptSubmit operation blocked by hook")
        assert told(agent)
