"""`yourturn kill` of a worker or of its dispatcher, as anybody would use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.batches import Batch, shell
from support.command import yourturn
from watcher.loop import Watch

if TYPE_CHECKING:
    import subprocess

STAYS = "echo $$ > pid-{name}; {trap}sleep 600 & wait; exit 0"


def kill(batch: Batch, *words: str) -> subprocess.CompletedProcess[str]:
    """By name: a watcher has looked."""
    Watch(str(batch.home), {"HOME": str(batch.folder)}).look_at_all()
    return yourturn(batch.home, "kill", *words, "--yes")


@pytest.mark.parametrize("trap", ["", "trap 'kill $!; exit 0' TERM; "], ids=["by its signal", "with exit code 0"])
def test_a_worker_that_was_killed_is_told_as_killed(batch: Batch, trap: str) -> None:
    batch.write(shell(STAYS.format(name="a", trap=trap), id="a"), shell("touch ran", id="b", after=["a"]))
    process = batch.start("--name", "nightly")
    batch.note("pid-a")
    killed = kill(batch, "nightly-a", "--tree")
    assert killed.returncode == 0, killed.stderr
    done = batch.end(process)
    assert (done.code, done.outcomes()) == (1, {"a": "killed", "b": "not run"})
    assert done.by_id["a"]["reason"] == "yourturn kill, asked for by script"
    assert batch.left() == []


def test_the_end_of_the_row_is_the_end_of_its_workers(batch: Batch) -> None:
    batch.write(*(shell(STAYS.format(name=name, trap=""), id=name) for name in "ab"), shell("touch ran", id="c"))
    process = batch.start("--name", "nightly", "--workers", "2")
    for name in "ab":
        batch.note(f"pid-{name}")
    killed = kill(batch, "nightly")
    assert killed.returncode == 0, killed.stderr
    done = batch.end(process)
    assert (done.code, done.outcomes()) == (143, {"a": "killed", "b": "killed", "c": "not run"})
    assert batch.left() == []
