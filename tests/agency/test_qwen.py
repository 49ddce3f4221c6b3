"""Qwen Code as a worker: its command line, and what its end means."""

import json
from typing import Any

import pytest

from agency.clients import qwen
from agency.result import Result
from agency.rights import EVERYTHING, Rights
from agency.task import Task

ALONE = ["--output-format=json", "--approval-mode=default"]


def test_a_worker_has_a_session_of_our_choice_an_explicit_mode_and_no_prompt_in_its_arguments() -> None:
    task = Task("S", model="m", instructions="Be brief.", turns=3)
    assert qwen.command(task, EVERYTHING) == [
        *ALONE, "--model=m", "--append-system-prompt=Be brief.", "--max-session-turns=3", "--session-id=S",
    ]  # fmt: skip
    assert "--approval-mode=plan" in qwen.command(Task("S", mode="plan"), EVERYTHING)


def test_a_list_of_tools_is_passed_as_exactly_that_list_and_a_part_of_one_as_a_rule() -> None:
    words = qwen.command(Task("S"), Rights(("WebFetch", "Bash(git log:*)")))
    assert [word for word in words if word.startswith("--core-tools=")] == [
        "--core-tools=web_fetch", "--core-tools=run_shell_command", "--core-tools=monitor",
    ]  # fmt: skip
    assert [word for word in words if word.startswith("--allowed-tools=")] == [
        "--allowed-tools=web_fetch",
        "--allowed-tools=run_shell_command(git log:*)",
        "--allowed-tools=monitor(git log:*)",
    ]


def test_what_stays_beside_such_a_list_is_taken_away_by_name() -> None:
    words = qwen.command(Task("S"), Rights(("Agent",)))
    assert "--exclude-tools=skill" in words
    assert "--exclude-tools=agent" not in words
    assert qwen.NO_SERVERS in words


def test_no_tool_at_all_is_a_list_too() -> None:
    words = qwen.command(Task("S"), Rights(()))
    assert "--core-tools=none" in words
    assert not any(word.startswith("--allowed-tools") for word in words)


def test_what_is_denied_is_taken_away_and_of_a_part_only_that() -> None:
    words = qwen.command(Task("S"), Rights(None, ("Skill", "Bash(git push:*)")))
    assert [word for word in words if "tools" in word] == [
        "--exclude-tools=skill", "--exclude-tools=run_shell_command(git push:*)", "--exclude-tools=monitor(git push:*)",
    ]  # fmt: skip


def test_in_a_command_line_of_the_users_own_nothing_of_ours_can_swallow_its_words() -> None:
    words = qwen.restricted(("-p", "hello"), "S", Rights(None, ("Skill",)))
    assert words == ["--exclude-tools=skill", "--session-id=S", "-p", "hello"]
    assert qwen.restricted(("--resume=x",), "S", EVERYTHING) == ["--resume=x"]
    assert (qwen.works_alone(("-p", "x")), qwen.works_alone(())) == (True, False)


@pytest.mark.parametrize("rule", ["Telepathy", "Read(secret)"])
def test_what_it_cannot_be_held_to_is_named(rule: str) -> None:
    assert qwen.unheld(Rights(None, ("Bash(git push:*)", rule))) == qwen.unheld(Rights((rule,))) == rule
    assert qwen.unheld(Rights(("Read",), ("Bash",))) == ""


def end(**more: Any) -> bytes:
    said = {"type": "result", "is_error": False, "result": "All done.", "usage": {"output_tokens": 4}, **more}
    return json.dumps([{"type": "system"}, said]).encode()


REFUSED = [{"tool_name": "run_shell_command", "tool_use_id": "c"}, 7]
ERROR = "[API Error: 400 nope]"


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, end(), Result(True, "completed", "All done.")),
        (0, end(permission_denials=REFUSED), Result(True, "completed", "All done.", ("run_shell_command",))),
        (0, end(result=ERROR, usage={"output_tokens": 0}), Result(False, "api error 400", ERROR)),
        (0, end(result=ERROR), Result(True, "completed", ERROR)),
        (1, end(is_error=True), Result(False, "exit 1", "All done.")),
        (53, b"", Result(False, "too many turns")),
        (0, b"", Result(False, "interrupted")),
        (-9, b"", Result(False, "signal KILL")),
        (0, b"plain words\n", Result(True, "completed", "plain words")),
    ],
    ids=["success", "denied calls do not make it fail", "an API error", "words that look like one", "a failure",
         "too many turns", "no end is told", "killed", "text"],
)  # fmt: skip
def test_what_an_end_means(code: int, output: bytes, expected: Result) -> None:
    assert qwen.result(code, output) == expected
