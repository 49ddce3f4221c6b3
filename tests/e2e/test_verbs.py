"""The verbs with the real client: what is ended is ended, with all that ran below it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psutil

from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import script, stay, text
from e2e.harness.truth import waiting, working
from processes.identity import Identity, compare, start_of

if TYPE_CHECKING:
    from e2e.harness.subject import Subject
    from e2e.harness.watched import Watched

Process = tuple[int, str]


def family(agent: Subject) -> set[Process]:
    """The client and all below it, by pid and start."""
    below = psutil.Process(agent.pid).children(recursive=True)
    return {(pid, start) for pid in (agent.pid, *(one.pid for one in below)) if (start := start_of(pid))}


def alive(processes: set[Process]) -> set[Process]:
    return {one for one in processes if compare(*one) is Identity.SAME}


def running(watched: Watched, door: str) -> Subject:
    """A client with a command that runs."""
    agent = watched.client(mode="bypassPermissions")
    watched.becomes("start", waiting(""))
    agent.say(script(stay(door), text("not said")))
    return agent


def test_a_session_that_is_killed_with_its_tree_leaves_nothing(watched: Watched) -> None:
    door = watched.home.door("door")
    agent = running(watched, door)
    with watched.command_runs(door):
        watched.becomes("prompt", working(f"Bash: wc {door}"))
        session, members = agent.session_id, family(agent)
        assert len(members) > 1, "no command runs"
        watched.moments.acts()
        done = watched.run("kill", session, "--tree", "--yes", "--json")
        watched.moments.sees()
        told = json.loads(done.stdout)
        assert (done.returncode, told["outcome"], told["pid"], told["left"]) == (0, "ended", agent.pid, []), done.stderr
        assert alive(members) == set()
        watched.ends("killed")
        watched.holds(1)
    seen = [json.loads(line) for line in watched.run("log", "--json", "--session", session).stdout.splitlines()]
    assert [one["to"] for one in seen if one["kind"] == "agent_process_changed"][-1:] == ["killed"]
    asked = [json.loads(line) for line in watched.run("log", "--audit", "--json").stdout.splitlines()]
    assert [(one["verb"], one["outcome"]) for one in asked] == [("kill", "begun"), ("end", "ended")]
    again = watched.run("kill", session)
    assert (again.returncode, again.stdout) == (0, f"{session[:8]}: already gone\n"), again.stderr


def test_a_command_that_outlives_its_client_is_told_of_and_can_be_ended(watched: Watched) -> None:
    door = watched.home.door("door")
    agent = running(watched, door)
    with watched.command_runs(door):
        watched.becomes("prompt", working(f"Bash: wc {door}"))
        session, members = agent.session_id, family(agent)
        watched.moments.acts()
        done = watched.run("kill", session, "--signal", "KILL", "--yes", "--json")
        watched.moments.sees()
        left = {(one["pid"], one["start"]) for one in json.loads(done.stdout)["left"]}
        assert any(one["command"].startswith("wc ") for one in json.loads(done.stdout)["left"])
        assert (agent.pid in dict(left), bool(left & alive(members))) == (False, True)
        watched.ends("killed")
        done = watched.run("kill", session, "--tree", "--yes")
        assert done.returncode == 0, done.stderr
        until(lambda: alive(members) == set(), PATIENCE_S)
