"""What came of each task is told in one line, and an exit code of 0 is not taken for success where it is none."""

from __future__ import annotations

import json
import os
import signal

import pytest

from contract import facts, paths, store
from contract.facts import Mark, Stamp
from support.batches import Batch, shell, until_there
from support.patience import until

API_ERROR = '{"type": "result", "subtype": "success", "is_error": true, "api_error_status": 529}'
AGENT = 'program = "{program}"\n'


def as_client(batch: Batch, script: str) -> dict[str, str]:
    """A program with the name of the client, and an agent that is described as one."""
    (batch.folder / "bin").mkdir(exist_ok=True)
    (batch.home / "agents").mkdir(parents=True, exist_ok=True)
    program = batch.path("bin/claude")
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    (batch.home / "agents" / "writer.toml").write_text(AGENT.format(program="claude"))
    return {"PATH": f"{batch.path('bin')}:{os.environ['PATH']}"}


def test_a_result_has_all_that_is_known(batch: Batch) -> None:
    batch.write({"id": "hi", "command": "echo hello"})
    done = batch.run()
    (result,) = done.results
    assert done.code == 0
    lasted, session = result.pop("lasted"), result.pop("session")
    assert result == {
        "v": 1, "id": "hi", "ok": True, "outcome": "completed", "exit": 0, "reason": "completed", "denials": [],
        "message": "hello", "untrusted": False, "after": [],
    }  # fmt: skip
    assert lasted >= 0
    assert os.path.exists(paths.fact(str(batch.home), session, paths.MAIN))


def test_a_prompt_comes_on_standard_input_and_the_last_message_back(batch: Batch) -> None:
    said = '{"type": "result", "is_error": false, "terminal_reason": "completed", "result": "\'"$(cat)"\'", '
    said += '"permission_denials": [{"tool_name": "Bash"}]}'
    env = as_client(batch, f"printf '%s' '{said}'")
    batch.write("the first", {"prompt": "the second"})
    done = batch.run("--agent", "writer", **env)
    assert done.code == 0, done.stderr
    assert {result["message"] for result in done.results} == {"the first", "the second"}
    assert [result["denials"] for result in done.results] == [["Bash"], ["Bash"]]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("cat >/dev/null; exit 0", "interrupted"),
        (f"cat >/dev/null; echo '{API_ERROR}'", "api error 529"),
        ("cat >/dev/null; echo no such option >&2; exit 1", "exit 1"),
    ],
)  # fmt: skip
def test_an_exit_code_of_0_alone_is_no_success(batch: Batch, script: str, reason: str) -> None:
    batch.write("do it")
    done = batch.run("--agent", "writer", **as_client(batch, script))
    assert done.code == 1
    assert [(result["outcome"], result["reason"]) for result in done.results] == [("failed", reason)]


def test_a_client_that_prints_text_is_a_command_like_any_other(batch: Batch) -> None:
    batch.write("claude -p hello")
    done = batch.run(**as_client(batch, "echo 42"))
    assert (done.code, done.results[0]["message"], done.results[0]["ok"]) == (0, "42", True)


def test_a_client_that_was_asked_to_end_is_told_as_killed(batch: Batch) -> None:
    batch.write("claude -p hello")
    done = batch.run(**as_client(batch, "exit 143"))
    assert done.outcomes() == {"1": "killed"}


def test_how_a_task_ended_is_told_in_one_word(batch: Batch) -> None:
    batch.write(
        shell("exit 3", id="fails"),
        shell("kill -KILL $$", id="killed"),
        shell("kill -TERM $$", id="ended"),
        shell("kill -SEGV $$", id="crashes"),
        shell("sleep 600", id="lasts", timeout=0.1),
        shell("exit 0", id="well"),
    )
    done = batch.run("--keep-going")
    assert done.code == 1
    assert {result["id"]: (result["outcome"], result["exit"], result["reason"]) for result in done.results} == {
        "fails": ("failed", 3, "exit 3"),
        "killed": ("killed", -9, "signal KILL"),
        "ended": ("killed", -15, "signal TERM"),
        "crashes": ("failed", -signal.SIGSEGV, "signal SEGV"),
        "lasts": ("timeout", -15, "timeout"),
        "well": ("completed", 0, "completed"),
    }
    assert batch.left() == []


def test_a_time_limit_for_all_counts_where_a_task_has_none(batch: Batch) -> None:
    batch.write(shell("sleep 600", id="short"), shell("sleep 0.3", id="long", timeout=600))
    assert batch.run("--timeout", "0.1", "--keep-going").outcomes() == {"short": "timeout", "long": "completed"}


def test_one_that_yourturn_killed_is_told_as_killed_however_it_ended(batch: Batch) -> None:
    batch.write(shell(f"{until_there('go')}", id="a"))
    process = batch.start("--name", "b")
    until(lambda: "b-a" in batch.workers(), "the worker is started")
    path = until(lambda: os.path.exists(batch.fact("b-a")) and batch.fact("b-a"), "its fact is written")
    with store.Locked(path):
        fact = facts.decode(store.read(path) or b"")
        assert fact is not None
        fact.killed = Mark(at=Stamp((1.0, 1.0)), word="terminal")
        store.replace(path, facts.encode(fact))
    batch.path("go").touch()
    (result,) = batch.end(process).results
    assert (result["ok"], result["outcome"], result["exit"]) == (False, "killed", 0)
    assert result["reason"] == "yourturn kill, asked for by terminal"


def test_one_that_fails_fails_those_that_wait_for_it(batch: Batch) -> None:
    batch.write(
        shell("exit 1", id="a"),
        shell("touch ran", id="b", after=["a"]),
        shell("touch ran", id="c", after=["b"]),
        shell("true", id="d"),
    )
    done = batch.run("--keep-going", "--workers", "1")
    assert (done.code, batch.path("ran").exists()) == (1, False)
    assert done.outcomes() == {"a": "failed", "b": "not run", "c": "not run", "d": "completed"}
    assert {done.by_id[id_]["reason"] for id_ in "bc"} == {"it waits for a, which failed"}
    assert (done.by_id["b"]["session"], done.by_id["b"]["exit"]) == (None, None)


def test_the_first_failure_stops_the_handing_out_but_nobody_who_runs(batch: Batch) -> None:
    batch.write(
        shell("touch runs; " + until_there("failed"), id="runs"),
        shell(until_there("runs") + "; exit 1", id="fails"),
        shell("touch ran", id="later"),
        shell("touch ran", id="below", after=["fails"]),
    )
    process = batch.start("--workers", "2")
    until(lambda: batch.journals() and '"ended"' in batch.journals()[0].read_text(), "one has failed")
    batch.path("failed").touch()
    done = batch.end(process)
    assert (done.code, batch.path("ran").exists()) == (1, False)
    assert done.outcomes() == {"runs": "completed", "fails": "failed", "later": "not run", "below": "not run"}
    assert done.by_id["later"]["reason"] == "stopped after the failure of fails"
    assert done.by_id["below"]["reason"] == "it waits for fails, which failed"


def test_what_is_untrusted_labels_all_that_comes_after_it(batch: Batch) -> None:
    batch.write(
        shell("true", id="reads", untrusted=True),
        shell("true", id="next", after=["reads"]),
        shell("exit 1", id="other", after=["next"]),
        shell("true", id="never", after=["other"]),
        shell("true", id="clean"),
    )
    done = batch.run("--keep-going")
    labels = {result["id"]: result["untrusted"] for result in done.results}
    assert labels == {"reads": True, "next": True, "other": True, "never": True, "clean": False}


def test_each_result_is_printed_when_its_task_ends(batch: Batch) -> None:
    batch.write(shell("true", id="first"), shell(until_there("go"), id="second"))
    process = batch.start()
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["id"] == "first"
    batch.path("go").touch()
    assert [result["id"] for result in batch.end(process).results] == ["second"]


def test_at_the_end_all_are_printed_in_the_order_of_the_file(batch: Batch) -> None:
    batch.write(
        shell("echo 1", id="z", after=["a"]),
        shell(until_there("b-ran"), id="a"),
        shell("touch b-ran; exit 1", id="b"),
    )
    done = batch.run("--at-end", "--keep-going")
    assert [(result["id"], result["message"]) for result in done.results] == [("z", "1"), ("a", ""), ("b", "")]
