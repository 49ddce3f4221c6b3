"""What cannot be noted is not started, and what runs is finished."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from agency import audit, start_agent
from agency.dispatch.journal import Journal, NotNoted
from agency.outcome import could_not
from agency.request_builder import Parent, Wish, from_command
from agency.spawn import context_here
from contract import paths, store
from support.batches import Batch, appends, shell, until_there

if TYPE_CHECKING:
    from pathlib import Path

    from agency.registration import Spawned

FULL = ("sh", "-c", 'ulimit -f 5; exec "$@"', "sh")  # no file may become longer than 2.5 KB


def test_on_a_full_disk_nothing_more_is_started_and_what_runs_is_finished(batch: Batch) -> None:
    batch.wrap = FULL
    batch.write(*(shell(appends(str(number)), id=number) for number in range(30)))
    done = batch.run("--workers", "2", "--keep-going", PYTHONDONTWRITEBYTECODE="1")  # it would be cut off, too
    outcomes = [result["outcome"] for result in done.results]
    completed = [result["id"] for result in done.results if result["outcome"] == "completed"]
    assert done.code == 1
    assert len(completed) > 1
    assert (set(outcomes), len(outcomes)) == ({"completed", "not run"}, 30)
    assert sorted(batch.lines("ran")) == sorted(completed), "what is told as not run has not run"
    assert "File too large" in done.stderr
    assert done.stderr.count("Nothing further is started") == 1
    assert batch.left() == []


def test_a_start_that_cannot_be_noted_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(tmp_path / "state")
    monkeypatch.setenv("YOURTURN_HOME", home)

    def refuse(_agent: Spawned) -> None:
        raise could_not("no room for a note")

    context = context_here(os.environ)._replace(before_it_runs=refuse)
    request = from_command(["touch", str(tmp_path / "ran")], Wish("a"), Parent(), os.environ)
    with pytest.raises(Exception, match="no room for a note"):
        start_agent.start(request, context)
    assert not (tmp_path / "ran").exists()
    assert store.names(paths.fact_dir(home), "") == store.names(paths.spawned_dir(home)) == []
    assert [entry["outcome"] for entry in audit.entries(home)] == ["started", "failed"]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_journal_has_whole_lines_or_none(tmp_path: Path) -> None:
    made = Journal.new(str(tmp_path), "a1", "x")
    full = os.open("/dev/full", os.O_RDWR)
    os.dup2(full, made._fd)
    with pytest.raises(NotNoted, match=r"a1\.jsonl: No space left on device"):
        made._note({"task": "a"})
    made.close()
    os.close(full)


def test_a_state_folder_that_vanishes_leaves_nobody_running(batch: Batch) -> None:
    batch.write(
        shell(f"echo $$ > pid-a; {until_there('go')}", id="a"),
        shell("echo $$ > pid-b; echo b", id="b", after=["a"]),
    )
    process = batch.start()
    batch.note("pid-a")
    shutil.rmtree(batch.home)
    batch.path("go").touch()
    done = batch.end(process)
    assert done.outcomes()["a"] == "completed"
    assert set(done.outcomes()) == {"a", "b"}
    assert batch.left() == []
