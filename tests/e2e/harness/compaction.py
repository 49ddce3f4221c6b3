"""A client that compacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from e2e.harness.script import script, text
from e2e.harness.truth import waiting, working

if TYPE_CHECKING:
    from e2e.harness.script import Step
    from e2e.harness.watched import Subject, Watched

TURNS = 4  # an old client refuses to compact less


def compacts(watched: Watched, summary: Step) -> Subject:
    """A client that is compacting because it was told to; the summary waits at "compact"."""
    agent = talked_to(watched)
    watched.api.summary = {**summary, "hold": "compact"}
    agent.say("/compact")
    is_compacting(watched)
    return agent


def talked_to(watched: Watched, mode: str = "default") -> Subject:
    """A client that has had turns enough to compact."""
    agent = watched.client(mode=mode)
    watched.becomes("start", waiting(""))
    for number in range(TURNS):
        agent.say(script(text("x", hold=f"turn {number}")))  # one that is over at once may pass unseen
        watched.reached(f"turn {number}")
        watched.passes("prompt", working())
        watched.release(f"turn {number}")
        agent.wait_for_status("idle")
        watched.becomes("turn ends", waiting(""))
    return agent


def is_compacting(watched: Watched) -> None:
    watched.reached("compact")
    watched.becomes("compacting", working("compacting"))
    watched.holds(0.5)
