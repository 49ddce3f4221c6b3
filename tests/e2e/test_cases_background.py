"""The turn is over, but something goes on or will wake the agent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from e2e.harness.script import script, stay, text, tool
from e2e.harness.truth import waiting, working

if TYPE_CHECKING:
    from e2e.harness.watched import Watched


def test_a_background_shell_is_your_turn_until_it_wakes_the_agent_case_15(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    door = watched.home.door("door")
    call = stay(door)
    call["tools"][0]["input"]["run_in_background"] = True
    agent.say(script(call, text("it runs"), text("x", hold="woken")))
    watched.passes("prompt", working())
    agent.wait_for_status("shell")
    watched.becomes("turn ends", waiting("1 shell running"))
    with watched.command_runs(door):
        watched.holds(1)
    watched.reached("woken")
    watched.becomes("woken", working("thinking"))
    watched.holds(0.3)
    watched.release("woken")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(0.5)


def test_an_agent_that_will_wake_by_itself_says_when_case_17(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    cron = tool("CronCreate", cron="5 14 * * *", prompt="look", recurring=True)
    agent.say(script(cron, text("armed")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(re.compile(r"^wakes 14:0\d$")))
    watched.holds(0.5)
    agent.say(script(tool("ScheduleWakeup", delaySeconds=600, reason="later", prompt="/loop again"), text("armed")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(re.compile(r"^wakes \d\d:\d\d$")))
    watched.holds(0.5)
