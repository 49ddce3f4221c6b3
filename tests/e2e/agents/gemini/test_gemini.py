"""Gemini CLI: turns, requests and interruptions of a real session, right within 2 s and without a flicker.

It takes long to start, so each test shows several of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2e.agents.clients.gemini import question, shell, stay, write
from e2e.agents.told import GIVEN, counts, tells
from e2e.harness.script import play, text, together
from e2e.harness.truth import needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents


def test_a_prompt_is_working_and_its_answer_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["one"] = [text("The answer is one.", hold="model")]
    agent.say(play("one"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.holds(0.5)
    watched.release("model")
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)
    tells(watched, last_words="The answer is one.", context_tokens=GIVEN, context_limit=1_048_576)
    counts(watched, 1)


def test_an_approved_command_is_working_and_a_rejected_one_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["again"] = [shell("touch made"), text("not said")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    watched.holds(0.5)
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
        watched.holds(2)
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("again"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.answer("Escape")
    watched.becomes("rejected", waiting("interrupted"))
    watched.holds(1)


def test_an_edit_is_asked_for_and_known_when_it_is_made(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["edit"] = [write(f"{watched.place.project}/new.txt"), text("All done.", hold="reply")]
    agent.say(play("edit"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval("Write: new.txt"))
    watched.holds(0.5)
    agent.answer("Enter")
    watched.reached("reply")
    watched.becomes("tool done", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))


def test_of_two_requests_one_is_rejected_and_the_turn_goes_on(watched: WatchedAgents, agent: Agent) -> None:
    """It runs nothing before both are answered, and nothing tells that one is: which of them is shown is chance."""
    door = watched.place.door("door")
    watched.api.scripts["both"] = [together(stay(door), shell("touch two")), text("All done.", hold="reply")]
    agent.say(play("both"))
    watched.passes("prompt", working())
    agent.wait("1 of 2")
    watched.becomes("asks", needs_approval())
    agent.key("Enter")
    agent.wait("2 of 2")
    watched.holds(0.5)
    agent.key("Escape")
    with watched.command_runs(door):
        watched.becomes("approved", working())
        watched.holds(0.5)
    watched.reached("reply")
    watched.becomes("goes on", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait("All done")
    watched.becomes("turn ends", waiting(""))


def test_an_interrupted_answer_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    agent.say(play("slow"))
    watched.reached("stream")
    watched.becomes("prompt", working("thinking"))
    agent.wait("first")
    agent.key("Escape")
    watched.becomes("interrupted", waiting(""))
    watched.holds(0.5)
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    agent.key("Escape")
    watched.becomes("interrupted", waiting(""))
    watched.holds(1)


def test_an_interrupted_command_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("door")
    watched.api.scripts["long"] = [stay(door), text("not said")]
    watched.api.scripts["one"] = [text("The answer is one.", hold="model")]
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(f"Bash: wc {door}"))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(f"Bash: wc {door}"))
        agent.key("Escape")
        watched.becomes("interrupted", waiting("interrupted"))
        watched.holds(1)
    agent.say(play("one"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_question_needs_you_until_it_is_answered(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["quiz"] = [question("Which colour?", "Red", "Blue"), text("You chose.", hold="reply")]
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(0.5)
    agent.key("Enter")
    watched.reached("reply")
    watched.becomes("answered", working("thinking"))
    watched.release("reply")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))


def test_an_error_is_working_while_it_tries_again_and_your_turn_at_last(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["limit"] = [text("It recovered.", status=429, times=1, pause="tried again")]
    watched.api.scripts["bad"] = [text("not said", status=400, error="INVALID_ARGUMENT", hold="model")]
    watched.api.scripts["one"] = [text("The answer is one.", hold="answer")]
    agent.say(play("limit"))
    watched.reached("tried again")
    watched.becomes("prompt", working("thinking"))
    watched.release("tried again")
    agent.wait("It recovered")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("bad"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    watched.becomes("error", waiting("error: invalid request"))
    watched.holds(1)
    agent.say(play("one"))
    watched.reached("answer")
    watched.becomes("prompt", working("thinking"))
    watched.release("answer")
    agent.wait("The answer is one")
    watched.becomes("turn ends", waiting(""))
