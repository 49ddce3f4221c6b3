"""A dispatcher is on the board with its workers below it, from their first moment to their end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from agency import audit, registration
from agency.registration import Spawned
from contract import facts, paths, store
from processes.identity import start_of
from support.batches import Batch, shell, until_there
from support.patience import until
from support.watching import Scene
from watcher.loop import Watch

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

ASKS = "echo $YOURTURN_AGENT $YOURTURN_PARENT $AGENT_MODE"


def running(batch: Batch, *words: str) -> subprocess.Popen[str]:
    batch.write(shell(f"touch up-a; {until_there('go')}", id="a"), shell(f"touch up-b; {until_there('go')}", id="b"))
    process = batch.start("--name", "nightly", *words)
    batch.appears("up-a")
    batch.appears("up-b")
    return process


def over(batch: Batch, process: subprocess.Popen[str]) -> int:
    batch.path("go").touch()
    return batch.end(process).code


def test_the_dispatcher_is_registered_and_its_workers_name_it(batch: Batch) -> None:
    process = running(batch)
    known = {agent.name: agent for agent in registration.living(str(batch.home))}
    row = known["nightly"]
    assert (row.kind, row.pid, row.start) == ("copilot", process.pid, start_of(process.pid))
    workers = [known["nightly-a"], known["nightly-b"]]
    assert [(one.kind, one.parent, one.depth) for one in workers] == [("worker", row.session, 2)] * 2
    assert batch.journals()[0].stem == row.session
    assert over(batch, process) == 0
    assert registration.living(str(batch.home)) == []
    assert store.names(paths.spawned_dir(str(batch.home))) == []


def test_the_watcher_shows_the_workers_below_their_dispatcher(batch: Batch, tmp_path: Path) -> None:
    process = running(batch)
    watch = Watch(str(batch.home), {"HOME": str(tmp_path)})
    watch.look_at_all()
    statuses = Scene(tmp_path).statuses()
    row = statuses[batch.journals()[0].stem]
    assert sorted(agent.name or "" for agent in row.agents if agent.name) == ["nightly-a", "nightly-b"]
    assert over(batch, process) == 0


def test_each_worker_knows_itself_and_its_dispatcher(batch: Batch) -> None:
    batch.write(shell(ASKS, id="a"))
    done = batch.run()
    own, parent, mode = done.by_id["a"]["message"].split()
    started = next(entry for entry in audit.entries(str(batch.home)) if entry["verb"] == "dispatch")
    assert (own, parent, mode) == (done.by_id["a"]["session"], started["target"]["session"], "1")


def test_every_start_and_end_is_in_the_audit(batch: Batch) -> None:
    batch.write(shell("true", id="a"), shell("exit 1", id="b"))
    batch.run("--name", "n", "--workers", "1")
    told = [(one["verb"], one["target"]["name"], one["outcome"]) for one in audit.entries(str(batch.home))]
    assert told == [
        ("dispatch", "n", "started"),
        ("spawn", "n-a", "started"), ("end", "n-a", "completed"),
        ("spawn", "n-b", "started"), ("end", "n-b", "failed"),
        ("end", "n", "failed"),
    ]  # fmt: skip


def test_the_end_of_the_dispatcher_is_told_to_the_watcher(batch: Batch) -> None:
    batch.write("true")
    batch.run("--name", "n")
    session = next(one["target"]["session"] for one in audit.entries(str(batch.home)))
    fact = facts.decode(store.read(paths.fact(str(batch.home), session, paths.MAIN)) or b"")
    assert fact is not None
    assert fact.exit is not None
    assert fact.exit.word == "0"


def test_a_name_that_runs_is_refused(batch: Batch) -> None:
    process = running(batch)
    done = batch.run("--name", "nightly")
    assert (done.code, done.results) == (3, [])
    assert "nightly is running already" in done.stderr
    assert len(batch.journals()) == 1
    assert over(batch, process) == 0


def test_without_room_a_task_waits_until_another_has_ended(batch: Batch) -> None:
    """The dispatcher itself takes no room: with one place, one worker runs."""
    (batch.home).mkdir()
    (batch.home / "config.toml").write_text("[spawn]\nagents_at_once = 1\n")
    script = "ls in 2>/dev/null && touch two; touch in; sleep 0.05; rm in"
    batch.write(*(shell(script) for _ in range(4)))
    done = batch.run("--workers", "3")
    assert (done.code, len(done.results), batch.path("two").exists()) == (0, 4, False)
    assert done.stderr.count("waiting for room: 1 agents run already") >= 1
    refusals = [one for one in audit.entries(str(batch.home)) if one["outcome"] == "refused"]
    assert refusals == [], "nobody was refused: it only had to wait"


def test_what_is_refused_is_not_run_and_says_why(batch: Batch) -> None:
    (batch.home).mkdir()
    (batch.home / "config.toml").write_text(f'[spawn]\nno_spawn_in = ["{batch.folder}/closed"]\n')
    (batch.folder / "closed").mkdir()
    batch.write(shell("touch ran", id="a", cwd="closed"), shell("true", id="b", after=["a"]), shell("true", id="c"))
    done = batch.run("--keep-going")
    assert done.outcomes() == {"a": "not run", "b": "not run", "c": "completed"}
    assert "which spawn.no_spawn_in forbids" in done.by_id["a"]["reason"]
    assert (done.code, len(batch.journals())) == (1, 1), "it may be run when the rule is gone"


@pytest.mark.parametrize(("option", "says"), [("--allow", "its parent may not use Bash"), ("--deny", "")])
def test_workers_may_do_what_their_dispatcher_may(batch: Batch, option: str, says: str) -> None:
    """Here its parent is an agent that may not use Bash."""
    me: dict[str, Any] = {"pid": os.getpid(), "start": start_of(os.getpid()) or ""}
    parent = Spawned(
        name="parent", session="s1", kind="agent", parent="", depth=1, program="x", cwd="/", at=0.0, deny=["Bash"],
        keeper=me["pid"], keeper_start=me["start"], **me,
    )  # fmt: skip
    store.private_folder(paths.spawned_dir(str(batch.home)))
    store.replace(paths.spawned(str(batch.home), "parent"), registration._encoded(parent))
    batch.write(shell("echo $YOURTURN_DENY", id="a"))
    done = batch.run(option, "Bash" if says else "Write", YOURTURN_AGENT="s1")
    if says:
        assert (done.code, says in done.stderr, done.results) == (3, True, [])
    else:
        assert done.by_id["a"]["message"] == "Bash,Write"


def test_what_a_killed_dispatcher_left_registered_is_in_nobodys_way(batch: Batch) -> None:
    process = running(batch)
    process.kill()
    process.wait()
    batch.path("go").touch()
    until(lambda: not batch.left(), "the workers have ended")
    batch.write("true")
    assert batch.run("--name", "nightly").code == 0
    assert store.names(paths.spawned_dir(str(batch.home))) == []


def test_the_users_hook_is_asked_once_for_a_task_however_long_that_waits_for_room(batch: Batch) -> None:
    asked = batch.folder / "asked"
    hook = batch.home / "hooks" / "before-spawn"
    hook.parent.mkdir(parents=True)
    hook.write_text(f'#!/bin/sh\necho asked >> "{asked}"\n')
    hook.chmod(0o755)
    (batch.home / "config.toml").write_text("[spawn]\nagents_at_once = 1\n")
    batch.write(*(shell("sleep 0.05") for _ in range(4)))
    assert batch.run("--workers", "4").code == 0
    assert asked.read_text().split() == ["asked"] * 4
