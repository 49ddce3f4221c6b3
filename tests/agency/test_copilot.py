"""Copilot CLI as a worker: its command line, and what its end means."""

import json
from typing import Any

import pytest

from agency.clients import copilot
from agency.result import Result
from agency.rights import EVERYTHING, Rights
from agency.task import Task

ALONE = ["--output-format", "json", "--no-ask-user"]


def test_a_worker_has_a_session_of_our_choice_asks_nobody_and_has_no_prompt_in_its_arguments() -> None:
    assert copilot.command(Task("S", model="m"), EVERYTHING) == [*ALONE, "--model", "m", "--session-id", "S"]


def test_a_list_of_tools_is_passed_as_exactly_that_list_and_a_part_of_one_as_a_rule() -> None:
    words = copilot.command(Task("S"), Rights(("Read", "Bash(git log:*)", "Edit")))
    assert [word for word in words if word.startswith("--available-tools=")] == [
        f"--available-tools={name}" for name in ("view", *copilot.TOOLS["Bash"][0], "edit")
    ]
    assert [word for word in words if word.startswith("--allow-tool=")] == [
        "--allow-tool=shell(git log:*)", "--allow-tool=write",
    ]  # fmt: skip


def test_no_tool_at_all_is_a_list_too() -> None:
    words = copilot.command(Task("S"), Rights(()))
    assert "--available-tools=none" in words
    assert not any(word.startswith("--allow-tool") for word in words)


def test_what_is_denied_is_taken_away_and_denied_by_a_rule_and_of_a_part_only_the_rule() -> None:
    words = copilot.command(Task("S"), Rights(None, ("Write", "Bash(git push:*)")))
    assert [word for word in words if "tool" in word] == [
        "--deny-tool=write", "--deny-tool=shell(git push:*)", "--excluded-tools=create",
    ]  # fmt: skip


def test_in_a_command_line_of_the_users_own_nothing_of_ours_can_swallow_its_words() -> None:
    words = copilot.restricted(("-p", "hello"), "S", Rights(("Read",)))
    assert words == ["--available-tools=view", "--session-id", "S", "-p", "hello"]
    assert copilot.restricted(("--resume=x",), "S", EVERYTHING) == ["--resume=x"]


@pytest.mark.parametrize(
    ("task", "key"), [(Task("S", mode="plan"), "mode"), (Task("S", turns=3), "turns"), (Task("S"), "")]
)
def test_what_it_cannot_do_is_named(task: Task, key: str) -> None:
    assert copilot.unfit(task) == key


def lines(*told: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in told)


SAID = {"type": "assistant.message", "data": {"content": "All done."}}
END = {"type": "result", "exitCode": 0}
BEGAN = {"type": "tool.execution_start", "data": {"toolCallId": "c", "toolName": "bash"}}
REFUSED = {"type": "tool.execution_complete", "data": {"toolCallId": "c", "error": {"code": "denied"}}}
FAILED = {"type": "session.error", "data": {"statusCode": 400}}


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, lines(SAID, END), Result(True, "completed", "All done.")),
        (0, lines(BEGAN, REFUSED, SAID, END), Result(True, "completed", "All done.", ("bash",))),
        (1, lines(FAILED, END), Result(False, "api error 400")),
        (1, lines(SAID, END), Result(False, "exit 1", "All done.")),
        (0, lines(SAID), Result(False, "interrupted")),
        (-9, b"", Result(False, "signal KILL")),
        (0, b"plain words\n", Result(True, "completed", "plain words")),
        (0, b"[" * 100_000, Result(True, "completed", "[" * (64 << 10))),
    ],
    ids=["success", "denied calls do not make it fail", "an API error", "a failure", "no end is told", "killed", "text",
         "nested for ever"],
)  # fmt: skip
def test_what_its_end_means(code: int, output: bytes, expected: Result) -> None:
    assert copilot.result(code, output) == expected
