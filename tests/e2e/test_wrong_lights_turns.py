"""A turn that takes a way of its own: rejected before, compacted or not, sent to the background, stopped as a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.status import WORKING
from e2e.harness.chosen import needs_client
from e2e.harness.compaction import compacts, is_compacting, talked_to
from e2e.harness.script import bash, script, stay, text
from e2e.harness.truth import ONLY, needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Subject, Watched

TOO_LONG = "prompt is too long: 1500000 tokens > 1000000 maximum"

# With job control of its own; `fg` when Enter is pressed.
SHELL = ("bash", "-c", 'set -m; "$@"; while [ "$(jobs -s)" ]; do read -r _; fg; done', "shell")


def test_the_turn_after_a_rejection_does_not_speak_of_the_rejected_call(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(bash("touch made"), text("not said")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch made")
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.answer("Escape")
    watched.becomes("rejected", waiting("interrupted"))
    agent.say(script(text("first\n\nsecond", pause="reply")))
    watched.reached("reply")
    watched.becomes("prompt", working("thinking"))
    watched.holds(1)
    watched.release("reply")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_refused_compaction_is_waiting(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say("/compact")
    agent.wait("Not enough messages")
    watched.become("refused", {ONLY: (waiting(""),)}, via=WORKING)
    watched.holds(1.5)


def test_a_cancelled_compaction_is_waiting(watched: Watched) -> None:
    agent = compacts(watched, text("a summary"))
    agent.key("Escape")
    agent.wait_for_status("idle")
    watched.becomes("cancelled", waiting())
    watched.holds(1.5)


def test_a_failed_compaction_is_waiting(watched: Watched) -> None:
    agent = compacts(watched, text("x", status=400, error="invalid_request_error"))
    watched.release("compact")
    agent.wait_for_status("idle")
    watched.becomes("failed", waiting())
    watched.holds(1.5)


@needs_client("2.1.325", "it compacts only when the API refuses a prompt, or by hand")
def test_a_compaction_in_mid_turn_is_working_before_and_after(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    compacts_in_mid_turn(watched, agent, script({**bash("echo one"), "tokens": 1_500_000}))


def test_a_compaction_after_a_prompt_that_is_too_long_is_working_before_and_after(watched: Watched) -> None:
    agent = talked_to(watched, "bypassPermissions")
    refused = text("goes on", status=400, error="invalid_request_error", message=TOO_LONG, times=1)
    compacts_in_mid_turn(watched, agent, script(bash("echo one"), refused))


def compacts_in_mid_turn(watched: Watched, agent: Subject, prompt: str) -> None:
    watched.api.summary = text("a summary", hold="compact")
    agent.say(prompt)
    watched.passes("prompt", working())
    is_compacting(watched)
    watched.release("compact")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_a_command_that_is_sent_to_the_background_is_your_turn(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    agent.say(script(stay(door), text("it runs on", hold="on"), text("x", hold="woken")))
    with watched.command_runs(door):
        watched.becomes("prompt", working(f"Bash: wc {door}"))
        agent.wait("ctrl.b")
        agent.key("C-b")
        agent.key("C-b")  # below tmux the client wants it twice
        watched.reached("on")
        watched.becomes("sent away", working("thinking"))
        watched.holds(0.5)
        watched.release("on")
        agent.wait_for_status("shell")
        watched.becomes("turn ends", waiting("1 shell running"))
        watched.holds(1)
    watched.reached("woken")
    watched.becomes("woken", working("thinking"))
    watched.release("woken")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def test_an_agent_that_is_stopped_as_a_job_is_waiting_until_it_is_continued(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions", under=SHELL)
    watched.becomes("start", waiting(""))
    agent.say(script(text("first\n\nsecond", pause="reply")))
    watched.reached("reply")
    agent.wait_for_words("first")
    watched.becomes("prompt", working("thinking"))
    agent.key("C-z")
    agent.wait("has been suspended")
    watched.becomes("stopped", waiting("stopped"))
    watched.holds(1.5)
    agent.key("Enter")
    agent.wait_for_words("first")
    watched.becomes("continued", working("thinking"))
    watched.holds(0.5)
    watched.release("reply")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
