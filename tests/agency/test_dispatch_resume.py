"""A dispatcher that was killed can be resumed: what has run is not run again, what was running is found or lost."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import time
from typing import TYPE_CHECKING

import pytest

from agency.dispatch import journal
from agency.dispatch.journal import Journal
from agency.outcome import NotDone
from support.batches import Batch, appends, shell, until_there
from support.patience import until

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

ROUNDS = int(os.environ.get("YOURTURN_ROUNDS", "3"))  # `make races` has more
UNTOLD = "sesame-4711"


def killed_while_running(batch: Batch, *words: str) -> str:
    """`done` has run, `runs` runs until `go` is there, the others have not begun; the id to resume."""
    batch.write(
        shell(f"echo {UNTOLD}; {appends('done')}", id="done"),
        shell(f"{appends('runs')}; echo $$ > pid-runs; {until_there('go')}", id="runs", after=["done"]),
        shell(appends("next"), id="next"),
        shell(appends("below"), id="below", after=["runs"]),
        shell(appends("after-done"), id="after-done", after=["done"]),
    )
    process = batch.start("--workers", "1", *words)
    batch.note("pid-runs")
    return kill(batch, process)


def kill(batch: Batch, process: subprocess.Popen[str]) -> str:
    process.kill()
    process.wait()
    (path,) = batch.journals()
    return path.stem[:8]


def test_what_has_run_is_told_again_and_what_has_not_is_run(batch: Batch) -> None:
    id_ = killed_while_running(batch)
    batch.path("go").touch()
    until(lambda: not batch.left(), "the worker ends by itself")
    done = batch.run("--resume", id_)
    assert done.outcomes() == {
        "done": "completed", "runs": "lost", "next": "completed", "below": "not run", "after-done": "completed",
    }  # fmt: skip
    assert sorted(batch.lines("ran")) == ["after-done", "done", "next", "runs"]
    told = done.by_id["done"]
    assert (told["ok"], told["exit"], told["message"], told["resumed"]) == (True, 0, "", True)
    assert "how it ended is not known" in done.by_id["runs"]["reason"]
    assert done.by_id["below"]["reason"] == "it waits for runs, which failed"
    assert (done.code, batch.journals(), batch.left()) == (1, [], [])


def test_a_worker_that_still_runs_is_waited_for(batch: Batch) -> None:
    id_ = killed_while_running(batch)
    process = batch.start("--resume", id_, "--workers", "1")
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    assert (first["id"], first["resumed"]) == ("done", True)
    assert len(batch.lines("ran")) == 2, "the one place is taken by the worker that was found"
    batch.path("go").touch()
    done = batch.end(process)
    assert [result["id"] for result in done.results] == ["runs", "below", "next", "after-done"]
    assert done.by_id["runs"]["outcome"] == "lost"
    assert (sorted(batch.lines("ran")), batch.left()) == (["after-done", "done", "next", "runs"], [])


def test_a_worker_that_was_found_is_ended_when_its_time_is_over(batch: Batch) -> None:
    batch.write(shell("echo $$ > pid-a; sleep 600", id="a", timeout=3600))
    process = batch.start()
    batch.note("pid-a")
    id_ = kill(batch, process)
    batch.write(shell("echo $$ > pid-a; sleep 600", id="a", timeout=0.1))
    done = batch.run("--resume", id_)
    assert (done.outcomes(), batch.left()) == ({"a": "timeout"}, [])


def test_a_worker_that_was_found_is_ended_at_an_interruption(batch: Batch) -> None:
    id_ = killed_while_running(batch)
    process = batch.start("--resume", id_)
    until(lambda: len(batch.lines("ran")) == 4, "the others have run")
    process.send_signal(signal.SIGINT)
    done = batch.end(process)
    assert (done.code, done.outcomes()["runs"], done.by_id["runs"]["reason"]) == (130, "killed", "interrupted")
    assert batch.left() == []


def test_after_an_interruption_the_rest_can_be_run(batch: Batch) -> None:
    batch.write(shell(f"touch up; {until_there('go')}", id="a"), shell(appends("b"), id="b"))
    process = batch.start("--workers", "1")
    batch.appears("up")
    process.send_signal(signal.SIGINT)
    done = batch.end(process)
    (path,) = batch.journals()
    assert f"yourturn dispatch {batch.tasks} --resume {path.stem[:8]}" in done.stderr
    again = batch.run("--resume", path.stem[:8])
    assert again.outcomes() == {"a": "killed", "b": "completed"}
    assert (again.code, batch.lines("ran"), batch.journals()) == (1, ["b"], [])


@pytest.mark.parametrize("change", ["another", "gone"])
def test_a_task_that_has_run_must_still_be_the_same(batch: Batch, change: str) -> None:
    id_ = killed_while_running(batch)
    lines = batch.tasks.read_text().splitlines()
    lines[0] = json.dumps(shell("touch other", id="done" if change == "another" else "new"))
    if change == "gone":
        lines = [line.replace('"done"', '"new"') for line in lines]
    batch.tasks.write_text("\n".join(lines))
    done = batch.run("--resume", id_)
    assert (done.code, done.results) == (3, [])
    assert "the task 'done' has run already" in done.stderr
    assert not batch.path("other").exists()
    assert len(batch.journals()) == 1


def test_tasks_that_have_not_run_may_be_changed(batch: Batch) -> None:
    id_ = killed_while_running(batch)
    lines = batch.tasks.read_text().splitlines()
    lines[2] = json.dumps(shell(appends("other"), id="next"))
    batch.tasks.write_text("\n".join([*lines, json.dumps(shell(appends("more"), id="more"))]))
    batch.path("go").touch()
    assert batch.run("--resume", id_).outcomes()["more"] == "completed"
    assert {"other", "more"} <= set(batch.lines("ran"))


def test_a_dispatcher_that_lives_is_not_resumed(batch: Batch) -> None:
    batch.write(shell(f"touch up; {until_there('go')}", id="a"))
    process = batch.start()
    batch.appears("up")
    (path,) = batch.journals()
    done = batch.run("--resume", path.stem[:8])
    assert (done.code, "still runs" in done.stderr) == (3, True)
    batch.path("go").touch()
    assert batch.end(process).code == 0


def test_of_two_that_resume_one_wins(batch: Batch) -> None:
    id_ = killed_while_running(batch)
    both = [batch.start("--resume", id_) for _ in range(2)]
    until(lambda: any(process.poll() is not None for process in both), "one gives up")
    batch.path("go").touch()
    ended = sorted((batch.end(process) for process in both), key=lambda done: done.code)
    assert [done.code for done in ended] == [1, 3]
    assert len(ended[0].results) == 5
    assert ended[1].results == []
    assert sorted(batch.lines("ran")) == ["after-done", "done", "next", "runs"]


def test_a_journal_that_was_removed_while_another_waited_for_it_is_none(batch: Batch, tmp_path: Path) -> None:
    home = str(tmp_path / "state")
    made = Journal.new(home, "a1", "x")
    fd = os.open(made.path, os.O_RDWR)
    made.remove()
    os.close(fd)
    Journal.new(home, "b2", "x").close()
    with pytest.raises(NotDone, match="no dispatch 'a1'"):
        Journal.again(home, "a1")
    assert Journal.again(home, "b").earlier.session == "b2"


def test_what_is_not_there_or_not_clear_is_said(batch: Batch) -> None:
    batch.write("true")
    assert (batch.run("--resume", "f00").code, batch.run("--resume", "x", "--name", "y").code) == (2, 2)
    for session in ("f00-1", "f00-2"):
        Journal.new(str(batch.home), session, "x").close()
    done = batch.run("--resume", "f00")
    assert (done.code, "f00-1\n  f00-2" in done.stderr) == (3, True)


def test_no_prompt_and_no_command_is_in_a_journal_and_nobody_else_reads_it(batch: Batch) -> None:
    killed_while_running(batch)
    (path,) = batch.journals()
    assert UNTOLD not in path.read_text()
    assert "echo" not in path.read_text()
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)


def test_the_journal_of_a_batch_that_is_over_is_removed(batch: Batch) -> None:
    batch.write("true", shell("exit 1", id="a"), shell("true", id="b", after=["a"]))
    assert batch.run("--keep-going").code == 1
    assert batch.journals() == []


def test_journals_that_nobody_came_back_to_go_after_a_week_but_not_that_of_a_living_one(tmp_path: Path) -> None:
    home, week = str(tmp_path / "state"), 7 * 86400
    old, young, living = (Journal.new(home, name, "x") for name in ("old", "young", "living"))
    for one, age in ((old, week + 60), (young, week - 60), (living, week + 60)):
        os.utime(one.path, (time.time() - age,) * 2)
    old.close()
    young.close()
    journal.sweep(home, time.time())
    assert [os.path.exists(one.path) for one in (old, young, living)] == [False, True, True]
    living.close()


def test_a_line_that_was_cut_off_did_not_happen_and_spoils_no_other(tmp_path: Path) -> None:
    home = str(tmp_path / "state")
    made = Journal.new(home, "a1", "x")
    made.close()
    with open(made.path, "ab") as file:
        file.write(b'{"task": "a", "dig')
    again = Journal.again(home, "a1")
    result = dict.fromkeys(("ok", "outcome", "exit", "reason", "lasted", "denials", "session"))
    again.note_end({**result, "id": "b", "outcome": "failed"})
    again.close()
    before = Journal.again(home, "a1").earlier
    assert (before.begun, before.ended["b"]["outcome"]) == ({}, "failed")
    with open(made.path, "rb") as file:
        halves = [line for line in file if not line.endswith(b"}\n")]
    assert halves == [b'{"task": "a", "dig\n']


def test_a_worker_of_another_machine_or_of_before_its_last_start_is_lost(batch: Batch) -> None:
    id_ = killed_while_running(batch)
    (path,) = batch.journals()
    first, _, rest = path.read_text().partition("\n")
    path.write_text(json.dumps({**json.loads(first), "place": ["elsewhere", "boot", "pids"]}) + "\n" + rest)
    done = batch.run("--resume", id_)
    assert "cannot be told from here" in done.by_id["runs"]["reason"]
    assert len(batch.left()) == 1, "nobody touched what may be a stranger"


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_dispatcher_is_killed_at_any_moment_and_nothing_runs_twice(batch: Batch, seed: int) -> None:
    """Each task says that it begins and that it ends."""
    chance, size = random.Random(seed), 24  # noqa: S311 - a dose of chance, the same each time
    waits = {n: sorted({chance.randrange(n) for _ in range(chance.randrange(3))}) for n in range(1, size)}
    batch.write(
        *(
            shell(f"{appends(f'{n}')}; sleep 0.0{chance.randrange(6)}", id=n, after=waits.get(n, []))
            for n in range(size)
        )
    )
    process, told = batch.start("--workers", "4", "--keep-going"), dict[str, str]()
    reached = chance.randrange(1, size)
    until(lambda: len(batch.lines("ran")) >= reached or process.poll() is not None, "some have begun")
    id_ = kill(batch, process)
    assert process.stdout is not None
    told = {result["id"]: result["outcome"] for line in process.stdout if (result := json.loads(line))}
    done = batch.run("--workers", "4", "--keep-going", "--resume", id_)
    ran, outcomes = batch.lines("ran"), done.outcomes()
    assert sorted(outcomes, key=int) == [str(n) for n in range(size)]
    assert len(ran) == len(set(ran)), "nothing runs twice"
    assert {id_ for id_, outcome in outcomes.items() if outcome == "completed"} <= set(ran)
    assert not {id_ for id_, outcome in outcomes.items() if outcome == "not run"} & set(ran)
    assert set(outcomes.values()) <= {"completed", "lost", "not run"}
    assert all(outcomes[id_] == outcome for id_, outcome in told.items()), "what was told stays true"
    for n, after in waits.items():
        if outcomes[str(n)] == "not run":
            assert any(outcomes[str(one)] != "completed" for one in after)
    assert (batch.left(), batch.journals()) == ([], [])
