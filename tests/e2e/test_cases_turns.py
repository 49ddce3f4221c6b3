"""Turns that begin, end or fail in another way than a prompt and its answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contract.status import WORKING
from e2e.harness.chosen import client_is_before, needs_client
from e2e.harness.script import script, stay, text
from e2e.harness.truth import ONLY, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched


def test_an_api_error_is_your_turn_and_says_so_case_29(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("not said", status=400, error="invalid_request_error", hold="model")))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait_for_status("idle")
    watched.becomes("error", waiting(re.compile("^error: ")))
    watched.holds(0.5)
    agent.say(script(text("here I am again")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_an_overloaded_api_is_working_while_the_client_tries_again_case_29(watched: Watched) -> None:
    agent = watched.client(env={"CLAUDE_CODE_MAX_RETRIES": "2"})
    watched.becomes("start", waiting(""))
    overloaded = {"status": 529, "error": "overloaded_error"}
    agent.say(script(text("it\n\nrecovered", **overloaded, times=1, pause="tried again")))
    watched.becomes("prompt", working("thinking"))
    watched.reached("tried again")
    watched.holds(0.5)
    watched.release("tried again")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    agent.say(script(text("not said", **overloaded)))
    watched.becomes("prompt", working("thinking"))
    agent.wait_for_status("idle")
    watched.becomes("error", waiting(re.compile("^error: ")))
    watched.holds(0.5)


def test_a_prompt_queued_in_a_turn_with_tools_is_working_to_the_last_end_case_41(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    one, two = watched.home.door("one"), watched.home.door("two")
    agent.say(script(stay(one), text("first turn over")))
    with watched.command_runs(one):
        watched.becomes("prompt", working(f"Bash: wc {one}"))
        agent.say(script(stay(two), text("second turn over")))
        watched.holds(0.3)
    with watched.command_runs(two):
        watched.becomes("queued prompt", working(f"Bash: wc {two}"))
        watched.holds(0.5)
    agent.wait_for_words("second turn over")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_prompt_queued_in_a_turn_of_words_is_working_to_the_last_end_case_41(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("first turn over", hold="one")))
    watched.reached("one")
    watched.becomes("prompt", working())
    agent.say(script(text("second turn over", hold="two")))
    watched.holds(0.3)
    watched.release("one")
    watched.reached("two")
    watched.becomes("queued prompt", working())
    watched.holds(3.5)  # longer than a queued prompt may take to begin
    watched.release("two")
    agent.wait_for_words("second turn over")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_escape_with_a_queued_prompt_starts_that_one_case_41(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("first\n\nsecond", pause="one")))
    watched.reached("one")
    agent.wait_for_words("first")
    watched.becomes("prompt", working())
    agent.say(script(text("second turn over", hold="two")))
    watched.holds(0.3)
    agent.key("Escape")
    watched.reached("two")
    watched.becomes("queued prompt", working())
    watched.holds(0.7)
    watched.release("two")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_dialog_that_you_open_yourself_blocks_nobody_case_46(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say("/cost")
    agent.wait_for_status("waiting")
    watched.holds(1)
    agent.key("Escape")
    agent.wait_for_status("idle")
    watched.holds(0.5)
    agent.say(script(text("x")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


@needs_client("2.1.325", "2.1.197 opens no menu before the turn is over")
def test_a_menu_that_you_open_in_mid_turn_asks_for_nothing_when_the_turn_ends_case_46(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("x", hold="model")))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    agent.say("/model")
    agent.wait("Select model")
    watched.holds(0.5)
    watched.release("model")
    agent.wait_for_status("waiting")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1.5)
    agent.key("Escape")
    agent.wait_for_status("idle")
    watched.holds(0.5)


def test_a_shell_line_of_yours_is_answered_like_a_prompt_case_46(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("x"), text("nice files", hold="bang")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    agent.terminal.type("!ls")
    agent.wait(r"^!\sls")
    agent.key("Enter")
    watched.reached("bang")
    # An old client does not mark the line that begins a turn: nothing but the registry tells of that before the end.
    unmarked = (waiting(""),) if client_is_before("2.1.325") else ()
    watched.becomes("prompt", working(), blind=unmarked)
    watched.holds(0.5)
    watched.release("bang")
    agent.wait_for_status("idle")
    watched.become("turn ends", {ONLY: (waiting(""),)}, via=WORKING)  # of which the end of an unmarked turn tells
    watched.holds(0.5)
