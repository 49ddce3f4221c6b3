"""Teammates: in the lead's own process, or each in a pane and a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.status import WORKING
from e2e.harness.patience import until
from e2e.harness.script import bash, script, send, spawn, text
from e2e.harness.truth import mate, needs_approval, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Subject, Watched


def test_a_teammate_in_the_leads_process_asks_works_and_goes_idle_cases_26_and_28(watched: Watched) -> None:
    lead = start(watched, "in-process")
    job = spawn("job", bash("touch made"), text("mia done", hold="mia"), name="mia")
    lead.say(script(job, text("lead stops"), text("lead heard", hold="lead")))
    watched.passes("prompt", working())
    lead.wait_for_dialog("touch made")
    watched.becomes("teammate asks", working("1 teammate"), mate(needs_approval("Bash: touch made")))
    watched.holds(0.5)
    lead.answer("Enter")
    watched.reached("mia")
    watched.becomes("approved", working("1 teammate"), mate(working("thinking")))
    watched.holds(0.5)
    watched.release("mia")
    watched.reached("lead")
    watched.becomes("woken", working("thinking"), mate(waiting("idle")))
    watched.release("lead")
    lead.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""), mate(waiting("idle")))
    watched.holds(0.7)
    lead.say(script(send("mia", text("mia again", hold="again")), text("lead stops"), text("lead heard")))
    watched.passes("prompt", working(), mate(waiting("idle")))
    watched.reached("again")
    lead.wait_for_words("lead stops")
    watched.becomes("teammate works", working("1 teammate"), mate(working("thinking")))
    watched.holds(0.5)


def test_teammates_in_panes_are_one_team_under_their_lead_cases_25_26_and_28(watched: Watched) -> None:
    lead = start(watched, "tmux")
    job = spawn("job", bash("touch made"), text("mia done", hold="mia"), name="mia")
    lead.say(script(job, text("lead stops"), text("lead heard", hold="lead")))
    watched.passes("prompt", working())
    lead.wait_for_status("waiting")
    watched.becomes("teammate asks", working("1 teammate"), mate(needs_approval("Bash: touch made")))
    watched.holds(1)
    lead.answer("Enter")
    watched.reached("mia")
    watched.becomes("approved", working("1 teammate"), mate(working("thinking")))
    watched.holds(0.5)
    watched.release("mia")
    watched.reached("lead")
    watched.becomes("woken", working("thinking"), mate(waiting("idle")))
    watched.holds(0.5)
    watched.release("lead")
    lead.wait_for_words("lead heard")  # the registry says busy as long as there are teammates in panes
    watched.becomes("turn ends", waiting(""), mate(waiting("idle")))
    watched.holds(1)


def test_a_lead_that_is_cleared_keeps_its_teammates_cases_25_and_33(watched: Watched) -> None:
    lead = start(watched, "tmux")
    lead.say(script(spawn("job", text("mia done", hold="mia"), name="mia"), text("lead stops")))
    watched.passes("prompt", working())
    watched.reached("mia")
    lead.wait_for_words("lead stops")
    watched.becomes("main stops", working("1 teammate"), mate(working("thinking")))
    watched.holds(0.5)
    before = lead.session_id
    lead.say("/clear")
    until(lambda: lead.session_id != before, 10)
    watched.moments.sees()
    watched.become("cleared", {lead.session_id: (working("1 teammate"), mate(working("thinking")))}, via=WORKING)
    watched.holds(2)


def start(watched: Watched, mode: str) -> Subject:
    watched.settings(teammateMode=mode)
    lead = watched.client(env={"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"})
    watched.becomes("start", waiting(""))
    return lead
