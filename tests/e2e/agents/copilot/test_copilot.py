"""Copilot CLI: turns, requests and interruptions of a real session, right within 2 s and without a flicker."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from e2e.agents.clients.copilot import STAYS, interrupt, question, shell, stay
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
    watched.holds(1)
    tells(watched, title=play("one"), last_words="The answer is one.", context_tokens=GIVEN)
    counts(watched, 1)


def test_an_approved_command_is_working_and_a_rejected_one_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("proj/door")
    watched.api.scripts["ask"] = [stay(door), text("All done.", hold="reply")]
    watched.api.scripts["again"] = [shell("touch made"), text("not said")]
    agent.say(play("ask"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(STAYS))
    watched.holds(1)
    agent.answer("Enter")
    watched.becomes("approved", working(STAYS))
    with watched.command_runs(door):
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


def test_of_two_requests_the_second_needs_you_after_the_first(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["two"] = [together(shell("touch one"), shell("touch two")), text("Both done.", hold="reply")]
    agent.say(play("two"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(re.compile("^Bash: touch ")))
    first = re.search(r"│ touch (one|two)\b", agent.screen())
    assert first is not None
    other = {"one": "two", "two": "one"}[first[1]]  # it asks in any order
    agent.key("Enter")
    agent.wait(rf"│ touch {other}\b")
    watched.becomes("asks for the other", needs_approval(f"Bash: touch {other}"))
    watched.holds(1)
    agent.answer("Enter")
    watched.reached("reply")
    watched.becomes("approved", working("thinking"))
    watched.release("reply")
    agent.wait("Both done")
    watched.becomes("turn ends", waiting(""))


def test_an_interrupted_answer_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["slow"] = [text("first\n\nsecond", pause="stream")]
    watched.api.scripts["early"] = [text("not said", hold="model")]
    agent.say(play("slow"))
    watched.reached("stream")
    watched.becomes("prompt", working("thinking"))
    agent.wait("first")
    interrupt(agent)
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(1)
    agent.say(play("early"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    interrupt(agent)
    watched.becomes("interrupted", waiting("interrupted"))
    watched.holds(2)


def test_an_interrupted_command_is_your_turn(watched: WatchedAgents, agent: Agent) -> None:
    door = watched.place.door("proj/door")
    watched.api.scripts["long"] = [stay(door), text("not said")]
    agent.say(play("long"))
    watched.passes("prompt", working())
    agent.wait_for_request()
    watched.becomes("asks", needs_approval(STAYS))
    agent.answer("Enter")
    with watched.command_runs(door):
        watched.becomes("approved", working(STAYS))
        interrupt(agent)
        watched.becomes("interrupted", waiting("interrupted"))
        watched.holds(1)


def test_a_prompt_queued_in_a_turn_is_working_to_the_last_end(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["one"] = [text("The first.", hold="one")]
    watched.api.scripts["two"] = [text("The second.", hold="two")]
    agent.say(play("one"))
    watched.reached("one")
    watched.becomes("prompt", working("thinking"))
    agent.say(play("two"))
    watched.becomes("queued prompt", working("thinking"))
    watched.release("one")
    watched.reached("two")
    watched.becomes("queued prompt", working("thinking"))
    watched.holds(1)
    watched.release("two")
    agent.wait("The second")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)


def test_a_question_needs_you_until_it_is_answered(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["quiz"] = [question("Which colour?", "Red", "Blue"), text("You chose.", hold="chosen")]
    agent.say(play("quiz"))
    watched.passes("prompt", working())
    agent.wait("Which colour")
    watched.becomes("asks", needs_approval("question"))
    watched.holds(1)
    agent.key("Enter")
    watched.reached("chosen")
    watched.becomes("answered", working("thinking"))
    watched.release("chosen")
    agent.wait("You chose")
    watched.becomes("turn ends", waiting(""))


def test_an_error_is_your_turn_unless_it_is_tried_again(watched: WatchedAgents, agent: Agent) -> None:
    watched.api.scripts["limit"] = [text("It recovered.", status=429, times=1, pause="tried again")]
    watched.api.scripts["bad"] = [text("not said", status=400, error="invalid_request_error", hold="model")]
    agent.say(play("limit"))
    watched.passes("prompt", working("thinking"))
    watched.reached("tried again")
    watched.becomes("tries again", working("thinking"))
    watched.release("tried again")
    agent.wait("It recovered")
    watched.becomes("turn ends", waiting(""))
    agent.say(play("bad"))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    watched.release("model")
    agent.wait("scripted")
    watched.becomes("error", waiting("error: invalid request"))
    watched.holds(1)
