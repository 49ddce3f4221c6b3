"""Whoever ends a dispatcher ends its workers and what these have started: nobody is left."""

from __future__ import annotations

import os
import signal

import pytest

from support.batches import Batch, shell, until_there
from support.patience import until

FAMILY = "setsid sh -c 'echo $$ > {name}; exec sleep 600' & sleep 600"
DEAF = "trap '' TERM; touch {name}; while :; do sleep 600; done"


@pytest.mark.parametrize(
    ("number", "code", "why"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_all_workers_end_with_their_dispatcher_and_their_families_too(
    batch: Batch, number: signal.Signals, code: int, why: str
) -> None:
    batch.write(
        *(shell(FAMILY.format(name=f"pid-{name}"), id=name) for name in "ab"),
        shell("touch ran", id="later"),
        shell("touch ran", id="below", after=["a"]),
    )
    process = batch.start("--workers", "2")
    for name in ("pid-a", "pid-b"):
        batch.note(name)
    process.send_signal(number)
    done = batch.end(process)
    assert (done.code, batch.path("ran").exists()) == (code, False)
    assert done.outcomes() == {"a": "killed", "b": "killed", "later": "not run", "below": "not run"}
    assert {result["reason"] for result in done.results if result["id"] != "below"} == {why}
    assert batch.left() == []


def test_a_deaf_worker_is_ended_before_the_grace_of_a_kill_is_over(batch: Batch) -> None:
    batch.write(shell(DEAF.format(name="up"), id="deaf"))
    process = batch.start()
    batch.appears("up")
    process.terminate()
    done = batch.end(process)
    assert (done.code, done.by_id["deaf"]["exit"]) == (143, -signal.SIGKILL)
    assert batch.left() == []


def test_what_a_deaf_worker_starts_when_it_is_told_to_end_is_ended_too(batch: Batch) -> None:
    late = r"setsid sh -c 'echo \$\$ > late; exec sleep 600' > late.log 2>&1 &"
    batch.write(shell(f'trap "{late}" TERM; touch up; while :; do sleep 0.05; done', id="deaf"))
    process = batch.start()
    batch.appears("up")
    process.terminate()
    batch.note("late")
    assert batch.end(process).code == 143
    assert batch.left() == []


def test_a_second_interruption_ends_the_deaf_at_once(batch: Batch) -> None:
    batch.wrap = ("env", "PYTHONPATH=" + slow_grace(batch))
    batch.write(
        shell(DEAF.format(name="up"), id="deaf"),
        shell("trap 'touch told' TERM; touch up2; while :; do sleep 0.05; done", id="told"),
    )
    process = batch.start()
    batch.appears("up")
    batch.appears("up2")
    process.send_signal(signal.SIGINT)
    batch.appears("told")
    process.send_signal(signal.SIGINT)
    done = batch.end(process)
    assert (done.code, done.by_id["deaf"]["exit"]) == (130, -signal.SIGKILL)
    assert batch.left() == []


def slow_grace(batch: Batch) -> str:
    """So that nobody is ended because a grace is over."""
    folder = batch.folder / "slow"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import sys, os\nsys.path.insert(0, os.getcwd())\n"
        "from agency.dispatch import dispatcher\ndispatcher.GRACE_S = 3600.0\n"
    )
    return str(folder)


def test_results_that_nobody_reads_end_the_batch(batch: Batch) -> None:
    batch.write(shell(until_there("go"), id="a"), shell(FAMILY.format(name="pid-b"), id="b"))
    process = batch.start()
    batch.note("pid-b")
    assert process.stdout is not None
    process.stdout.close()
    batch.path("go").touch()
    assert process.wait() == 1
    assert batch.left() == []


def test_what_a_worker_left_behind_on_purpose_does_not_hold_up_the_batch(batch: Batch) -> None:
    """It has the output open; nobody waits for the end of that."""
    batch.write(shell("sleep 600 2>/dev/null & echo $! > pid-a; echo done", id="a"))
    done = batch.run()
    assert (done.code, done.by_id["a"]["message"]) == (0, "done")
    pid = batch.note("pid-a")
    assert len(batch.left()) == 1
    os.kill(pid, signal.SIGKILL)
    until(lambda: not batch.left(), "it is gone")


def test_workers_do_not_share_the_group_of_the_terminal(batch: Batch) -> None:
    """So Ctrl-C reaches the dispatcher alone, which ends them in good order."""
    batch.write(shell("ps -o pgid= -p $$; echo $$", id="a"))
    group, pid = batch.run().by_id["a"]["message"].split()
    assert group == pid


def test_a_dispatcher_that_was_told_to_ignore_the_end_of_its_terminal_goes_on(batch: Batch) -> None:
    batch.wrap = ("nohup",)
    batch.write(shell(f"touch up; {until_there('go')}", id="a"))
    process = batch.start()
    batch.appears("up")
    process.send_signal(signal.SIGHUP)
    batch.path("go").touch()
    assert batch.end(process).outcomes() == {"a": "completed"}
