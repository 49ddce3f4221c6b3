"""Sessions begin, change their name, end, and come back."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import pairwise
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from e2e.harness.compaction import compacts
from e2e.harness.patience import until
from e2e.harness.script import bash, script, stay, text
from e2e.harness.truth import needs_approval, waiting, working
from e2e.harness.watched import ALL, BLIND, BLINK_S

if TYPE_CHECKING:
    from e2e.harness.api import Api
    from e2e.harness.watched import Watched


def test_compacting_is_working_and_its_inner_agent_is_no_row_cases_22_and_31(watched: Watched) -> None:
    agent = compacts(watched, text("a summary"))
    watched.holds(1)
    watched.release("compact")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))
    watched.holds(1)


def test_clear_leaves_one_session_with_a_new_name_case_33(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("x")))
    watched.passes("prompt", working())
    agent.wait_for_status("idle")
    before = agent.session_id
    watched.become("turn ends", {before: (waiting(""),)})
    agent.say("/clear")
    until(lambda: agent.session_id != before, 10)
    watched.moments.sees()
    watched.become("cleared", {agent.session_id: (waiting(""),)}, via=WORKING)
    watched.holds(2)
    for name in (ALL, BLIND):
        twice = [after.at - both.at for both, after in pairwise(watched.seen(name)) if len(both.everything) > 1]
        assert sum(twice) < BLINK_S, watched.story()


def test_a_killed_session_is_gone_and_waits_when_it_is_resumed_cases_34_and_37(watched: Watched) -> None:
    agent = watched.client(mode="bypassPermissions")
    door = watched.home.door("door")
    watched.becomes("start", waiting(""))
    agent.say(script(stay(door), text("not said")))
    with watched.command_runs(door):
        watched.becomes("prompt", working(f"Bash: wc {door}"))
        session = agent.session_id
        agent.kill9()
        watched.ends("killed")
        watched.holds(1)
    agent.close()
    again = watched.client("--continue")
    until(lambda: again.session_id == session, 10)
    watched.moments.sees()
    # The new process begins with an id of its own before it takes up the old one.
    watched.become("resumed", {session: (waiting(),)}, via=WAITING)
    watched.holds(1)


def test_an_interrupted_agent_that_leaves_does_not_work_once_more_case_02(watched: Watched) -> None:
    """The registry alone tells of an interruption before any output, and a client that leaves goes from there first."""
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(text("not said", hold="model")))
    watched.reached("model")
    watched.becomes("prompt", working("thinking"))
    agent.key("Escape")
    agent.wait_for_status("idle")
    watched.becomes("escape", waiting(""), blind=(working("thinking"),))
    agent.key("C-c")  # the prompt is in the input box again
    agent.key("C-c")
    agent.key("C-c")
    watched.ends("left")


def test_a_closed_terminal_takes_its_session_with_it_case_37(watched: Watched) -> None:
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(bash("touch made"), text("not said")))
    watched.passes("prompt", working())
    agent.wait_for_dialog("touch made")
    watched.becomes("asks", needs_approval("Bash: touch made"))
    agent.hang_up()
    watched.ends("closed")
    watched.holds(2)


def test_a_session_outlives_the_shell_that_ran_its_hook_case_38(watched: Watched) -> None:
    with open(f"{watched.home.config}/settings.json", encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    assert all("args" not in hook for group in hooks["SessionStart"] for hook in group["hooks"]), "no shell runs it"
    agent = watched.client()
    watched.becomes("start", waiting(""))
    watched.holds(3.2)  # two polls
    for name in (ALL, BLIND):
        assert [one.pid for one in watched.seen(name)[-1].everything] == [agent.pid]


def test_two_sessions_in_one_folder_are_two_rows_case_48(watched: Watched) -> None:
    one = watched.client()
    watched.becomes("start", waiting(""))
    os.mkdir(f"{watched.home.path}/tmp2")
    two = watched.client(env={"TMUX_TMPDIR": f"{watched.home.path}/tmp2"})
    first, second = one.session_id, two.session_id
    watched.become("start", {first: (waiting(""),), second: (waiting(""),)})
    two.say(script(text("x", hold="two")))
    watched.become("prompt", {first: (waiting(""),), second: (working("thinking"),)})
    one.say(script({**bash("touch made"), "hold": "one"}, text("not said")))
    watched.become("prompt", {first: (working("thinking"),), second: (working("thinking"),)})
    watched.release("one")
    one.wait_for_dialog("touch made")
    watched.become("asks", {first: (needs_approval("Bash: touch made"),), second: (working("thinking"),)})
    watched.holds(1)
    two.kill9()
    watched.become("killed", {first: (needs_approval("Bash: touch made"),)})
    watched.holds(0.5)


def test_a_session_older_than_the_installation_is_found_case_50(bare: Watched) -> None:
    agent = bare.client()
    session = agent.session_id
    bare.become("start", {session: (waiting(""),)}, blind={})
    agent.say(script(text("x", hold="without hooks")))
    bare.reached("without hooks")
    bare.become("prompt", {session: (working(),)}, blind={})
    bare.holds(0.5)
    bare.release("without hooks")
    agent.wait_for_status("idle")
    bare.become("turn ends", {session: (waiting(""),)}, blind={})
    bare.install()
    bare.holds(3)  # the client reads its settings again, when they have been at rest for a while
    agent.say(script({**bash("touch made"), "hold": "with hooks"}, text("not said")))
    bare.become("prompt", {session: (working("thinking"),)})
    bare.release("with hooks")
    agent.wait_for_dialog("touch made")
    bare.become("asks", {session: (needs_approval("Bash: touch made"),)})
    bare.holds(0.5)
    agent.answer("Escape")
    bare.become("rejected", {session: (waiting("interrupted"),)})
    bare.holds(0.5)


def test_a_call_that_cannot_prompt_never_needs_approval_case_23(watched: Watched, api: Api) -> None:
    calls = script(bash("touch made"), text("it was denied", hold="denied"))
    argv = [watched.program, "--print", calls]
    env = watched.home.environment(api.url, watched.hook_env)
    with subprocess.Popen(argv, env=env, cwd=watched.home.project, stdout=subprocess.PIPE, text=True) as printing:
        watched.reached("denied")
        until(lambda: all(WORKING in _statuses(watched, name) for name in (ALL, BLIND)), 2)
        watched.ends("not shown")
        watched.release("denied")
        assert printing.communicate()[0].strip() == "it was denied"
    assert not any(NEEDS_APPROVAL in _statuses(watched, name) for name in (ALL, BLIND)), watched.story()


def _statuses(watched: Watched, name: str) -> set[str]:
    """All that were published, of hidden sessions too."""
    return {one.status for sample in watched.seen(name) for one in sample.everything}
