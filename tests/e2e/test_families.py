"""The life of a family with the real client: who waits for whom, and what is written down of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from contract.observed import SESSION, WATCHING
from e2e.harness.script import bash, script, spawn, text, together
from e2e.harness.truth import needs_approval, sub, waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched


def observations(watched: Watched) -> list[dict[str, Any]]:
    """Of agents; there is also how each session stands, and who watched."""
    done = watched.run("log", "--json")
    assert done.returncode == 0, done.stderr
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    return [one for one in seen if one["kind"] not in (SESSION, WATCHING)]


def test_main_is_suspended_on_both_and_resumes_when_the_last_has_joined(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    asking, other = spawn("asks", bash("touch made"), text("x", hold="asked")), spawn("works", text("x", hold="other"))
    agent.say(script(together(asking, other), text("main stops")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch made")
    rows = (sub(needs_approval("Bash: touch made")), sub(working("thinking")))
    watched.becomes("sub-agent asks", working("2 sub-agents"), *rows)
    watched.holds(0.5)
    tree = watched.run("tree").stdout
    assert "main  agent, paused, working: 2 sub-agents  (waits for its agents)" in tree
    assert "sub-agent, paused, needs approval: Bash: “touch made”  (waits for approval)" in tree
    agent.answer("Enter")
    watched.becomes("approved", working("2 sub-agents"), sub(working("thinking")), sub(working("thinking")))
    watched.release("asked")
    watched.release("other")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    seen = observations(watched)
    assert [one["at"] for one in seen] == sorted(one["at"] for one in seen)
    ended = [one["agent"] for one in seen if (one["kind"], one.get("to")) == ("agent_process_changed", "joined")]
    assert len(set(ended)) == len(ended) == 2
    joins = [one["waits_for"] for one in seen if one["agent"] == "main" and one.get("reason") == "sub_agent_join"]
    assert sorted(joins[0]) == sorted(ended), "suspended on both"
    asked = [k for k, one in enumerate(seen) if one.get("to") == "needs_approval"]
    went_on = [k for k, one in enumerate(seen) if one["kind"] == "resumed" and one["agent"] in ended]
    assert asked[0] < went_on[0], "first it asks, then it goes on"
    assert (seen[-1]["kind"], seen[-1]["agent"], seen[-1]["to"]) == ("status_changed", "main", "waiting")
