"""A file of tasks is understood as a whole, or nothing of it is started."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agency.dispatch import graph, reading
from agency.outcome import NotDone
from support.batches import Batch, shell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agency.dispatch.job import Job


def read(text: str, agent: str = "") -> Sequence[Job]:
    jobs = reading.jobs("tasks", text.encode(), agent)
    graph.check("tasks", jobs)
    return jobs


def test_a_line_is_a_command_and_its_number_is_its_id() -> None:
    jobs = read("# first\n\necho 'one two'  three\r\n  true\n")
    assert [(job.id, job.line, job.command) for job in jobs] == [
        ("3", 3, ("echo", "one two", "three")),
        ("4", 4, ("true",)),
    ]


def test_with_an_agent_a_line_is_a_prompt() -> None:
    (job,) = read("say it's fine\n", "writer")
    assert (job.prompt, job.agent, job.command) == ("say it's fine", "writer", ())


def test_an_object_says_what_it_wants_itself() -> None:
    text = '{"id": 7, "prompt": "x", "agent": "own", "cwd": "d", "timeout": 3, "untrusted": true}\n'
    (job, command) = read(text + '{"command": ["a", "b c"], "after": [7, "7"]}', "writer")
    assert (job.id, job.agent, job.cwd, job.timeout_s, job.untrusted) == ("7", "own", "d", 3.0, True)
    assert (command.command, command.agent, command.after) == (("a", "b c"), "", ("7",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('true\n{"command": "x"', "tasks:2: broken JSON"),
        ('{"command": "x"} x', "tasks:1: broken JSON"),
        ("{" * 9 + '"a":', "tasks:1: broken JSON"),
        ('{"command": "x", "cmd": 1}', "tasks:1: unknown key 'cmd'. Known: id, prompt, command"),
        ('{"command": 3}', "tasks:1: command must be a text or a list of texts"),
        ('{"command": []}', "tasks:1: command must be"),
        ('{"command": "x", "timeout": "3"}', "tasks:1: timeout must be a number of seconds"),
        ('{"command": "x", "timeout": NaN}', "tasks:1: timeout must be a number of seconds"),
        ('{"command": "x", "timeout": true}', "tasks:1: timeout must be a number of seconds"),
        ('{"command": "x", "after": "a"}', "tasks:1: after must be a list of ids"),
        ('{"command": "x", "untrusted": 1}', "tasks:1: untrusted must be true or false"),
        ('{"command": "x", "id": null}', "tasks:1: id must be a text or a whole number"),
        ('{"command": "x", "id": "a/b"}', "tasks:1: an id is a word or phrase"),
        ('{"id": "a"}', "tasks:1: a task has either a prompt or a command"),
        ('{"prompt": "x", "command": "x"}', "tasks:1: a task has either a prompt or a command"),
        ('{"prompt": "x"}', "tasks:1: whose prompt is it?"),
        ('{"command": "x", "agent": "a"}', "tasks:1: an agent gets a prompt, not a command"),
        ('{"command": ""}', "tasks:1: command must be"),
        ('{"command": [""]}', "tasks:1: there is nothing to do in it"),
        ('{"command": ["a\\u0000"]}', "tasks:1: it has a character that no program can be given"),
        ('{"command": ["a\\ud800"]}', "tasks:1: it has a character that no program can be given"),
        ("true\necho 'open", "tasks:2: no closing quotation"),
        ('{"command": "x", "id": "a"}\n\n{"command": "y", "id": "a"}', "tasks:3: the id 'a' is also that of line 1"),
        ('true\n{"command": "x", "after": ["9"]}', "tasks:2: no task '9', for which '2' would wait"),
        ('{"command": "x", "id": "a", "after": ["a"]}', "tasks:1: these wait for each other: a → a"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, says: str) -> None:
    with pytest.raises(NotDone) as error:
        read(text)
    assert (str(error.value)[: len(says)], error.value.outcome.code) == (says, 2)


def test_a_circle_is_named_and_so_is_what_it_is_made_of() -> None:
    tasks = [("in", ["a"]), ("a", ["b"]), ("b", ["c"]), ("c", ["a"]), ("free", [])]
    lines = [json.dumps({"id": id_, "command": "true", "after": after}) for id_, after in tasks]
    with pytest.raises(NotDone, match="tasks:2: these wait for each other: a → b → c → a"):
        read("\n".join(lines))


def test_a_chain_may_be_longer_than_pythons_stack() -> None:
    lines = [json.dumps({"id": n, "command": "true", "after": [n + 1] if n < 5000 else []}) for n in range(5001)]
    assert len(read("\n".join(lines))) == 5001


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    with pytest.raises(NotDone, match="tasks:2: it is not UTF-8"):
        reading.jobs("tasks", b"true\n\xff\n")


@pytest.mark.parametrize(
    ("task", "says", "code"),
    [
        ({"command": "x", "after": ["gone"]}, "no task 'gone'", 2),
        ({"command": ["no-such-program"]}, "no program 'no-such-program' on PATH", 2),
        ({"command": ["./no-such-program"]}, "no program './no-such-program'", 2),
        ({"prompt": "x", "agent": "nobody"}, "no agent 'nobody'", 2),
        ({"command": "true", "cwd": "nowhere"}, "no folder ", 2),
        ({"command": ["claude", "--resume", "x"]}, "--resume: the agent gets a session of its own", 2),
    ],
)
def test_nothing_is_started_if_one_task_cannot_be(batch: Batch, task: dict[str, Any], says: str, code: int) -> None:
    program = batch.path("claude")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    batch.write(shell("touch ran"), task)
    done = batch.run(PATH=f"{batch.folder}:/usr/bin:/bin")
    assert (done.code, done.results) == (code, [])
    assert f"{batch.tasks}:2: {says}" in done.stderr
    assert (batch.workers(), batch.journals(), batch.path("ran").exists()) == ({}, [], False)


def test_a_program_may_be_in_the_folder_of_its_task(batch: Batch) -> None:
    (batch.folder / "below").mkdir()
    program = batch.path("below/own")
    program.write_text("#!/bin/sh\npwd\n")
    program.chmod(0o755)
    batch.write({"command": "./own", "cwd": "below"})
    done = batch.run()
    assert [result["message"] for result in done.results] == [str(batch.path("below"))]


def test_tasks_come_on_standard_input(batch: Batch) -> None:
    done = batch.run("-", given="echo one\nnot-there\n")
    assert (done.code, "stdin:2: no program 'not-there' on PATH" in done.stderr) == (2, True)
    done = batch.run("-", given="echo one\necho two\n")
    assert (done.code, sorted(result["message"] for result in done.results)) == (0, ["one", "two"])


def test_no_tasks_are_no_failure(batch: Batch) -> None:
    batch.write("# nothing")
    done = batch.run()
    assert (done.code, done.results, done.stderr) == (0, [], f"yourturn: no tasks in {batch.tasks}\n")


def test_a_file_that_is_not_there_is_named(batch: Batch) -> None:
    done = batch.run()
    assert (done.code, done.stderr) == (2, f"yourturn: {batch.tasks}: No such file or directory\n")
