"""You press Escape, and no hook tells of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from e2e.harness.script import bash, script, spawn, stay, text
from e2e.harness.truth import sub, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched

MARK = "[Request interrupted by user]"


def test_escape_in_mid_turn_is_waiting_case_01(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    agent.say(script(text("first\n\nsecond", pause="stream")))
    watched.reached("stream")
    agent.wait_for_words("first")
    watched.becomes("prompt", working("thinking"))
    watched.holds(0.3)
    agent.key("Escape")
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(0.5)
    door = watched.home.door("door")
    agent.say(script(stay(door), text("not said")))
    with watched.command_runs(door):
        watched.becomes("prompt", working(f"Bash: wc {door}"))
        watched.holds(0.3)
        agent.key("Escape")
        watched.becomes("interrupted", waiting("interrupted"))
        watched.holds(0.5)


def test_escape_before_any_output_is_waiting_and_unknowable_without_the_registry_case_02(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("at last", hold="model")))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    agent.key("Escape")
    watched.becomes("interrupted", waiting(), blind=(working("thinking"),))
    watched.explains("registry")
    watched.holds(0.5)
    agent.wait("SCRIPT.*model")
    agent.key("Enter")  # the client has put the prompt back for another try
    watched.becomes("prompt", working("thinking"))
    watched.holds(0.3)
    watched.release("model")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_the_interrupt_text_quoted_is_no_interruption_case_44(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    quoted = bash(f"echo '{MARK}'; wc {door}")
    agent.say(script({**quoted, "text": MARK}, text(f"{MARK}\n\nsecond", pause="reply")))
    with watched.command_runs(door):
        watched.becomes("prompt", working(re.compile("^Bash: echo")))
        watched.holds(0.5)
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    agent.say(MARK)
    watched.passes("prompt", working())
    agent.wait_for_words("done")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_escape_ends_a_sub_agent_in_the_foreground_with_its_parent(watched: Watched) -> None:
    agent = watched.client(env={"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"})
    watched.becomes("start", waiting(""))
    agent.say(script(spawn("job", text("not said", hold="sub")), text("not said")))
    watched.reached("sub")
    watched.becomes("sub-agent starts", working("Agent: job"), sub(working("thinking")))
    watched.holds(0.3)
    agent.key("Escape")
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(1)


def test_escape_stops_main_and_leaves_a_sub_agent_in_the_background_alone(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(spawn("job", text("sub done", hold="sub")), text("first\n\nsecond", pause="main"), text("woken")))
    watched.reached("sub")
    watched.reached("main")
    agent.wait_for_words("first")
    watched.becomes("sub-agent starts", working("thinking"), sub(working("thinking")))
    watched.holds(0.3)
    agent.key("Escape")
    watched.becomes("interrupted", working("1 sub-agent"), sub(working("thinking")))
    watched.holds(0.7)
    watched.release("sub")
    agent.wait_for_words("woken")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)
