"""Claude Code as a worker: its command line, and what its end means."""

import json
from typing import Any

import pytest

from agency.clients import claude
from agency.request import Request
from agency.result import Result
from agency.rights import EVERYTHING, Rights
from agency.task import Task


def test_a_worker_has_a_session_of_our_choice_an_explicit_mode_and_no_prompt_in_its_arguments() -> None:
    assert claude.command(Task("S"), EVERYTHING) == [
        "-p", "--output-format", "json", "--permission-mode", "default", "--session-id", "S",
    ]  # fmt: skip


def test_a_list_of_tools_is_passed_as_exactly_that_list() -> None:
    words = claude.command(Task("S"), Rights(("Read", "Bash(git log:*)")))
    assert words[words.index("--permission-mode") + 1] == "dontAsk"
    assert words[words.index("--tools") + 1] == "Read,Bash"
    assert words[words.index("--allowedTools") + 1] == "Read,Bash(git log:*)"


def test_no_tool_at_all_is_a_list_too() -> None:
    words = claude.command(Task("S"), Rights(()))
    assert words[words.index("--tools") + 1] == ""
    assert "--allowedTools" not in words


def test_what_is_denied_is_removed_and_denied_by_a_rule() -> None:
    words = claude.command(Task("S"), Rights(None, ("Bash",)))
    assert words[words.index("--disallowedTools") + 1] == "Bash"
    assert json.loads(words[words.index("--settings") + 1]) == {"permissions": {"deny": ["Bash"]}}


def test_in_a_command_line_of_the_users_own_nothing_of_ours_can_swallow_its_words() -> None:
    words = claude.restricted(("-p", "hello"), "S", Rights(("Read",)))
    assert words[-4:] == ["--session-id", "S", "-p", "hello"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("-p", "--resume", "x"), "--resume"),
        (("--session-id=x",), "--session-id"),
        (("-c",), "-c"),
        (("-p", "--", "--resume"), ""),
        (("-p", "hi"), ""),
    ],
    ids=["resumed", "its own id", "the last one", "behind the options", "none"],
)
def test_whether_a_command_line_names_its_session(arguments: tuple[str, ...], named: str) -> None:
    assert claude.session_named(arguments) == named


def said(**more: Any) -> bytes:
    return json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "done", **more}).encode()


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, said(terminal_reason="completed"), Result(True, "completed", "done")),
        (0, b"", Result(False, "interrupted")),
        (1, said(is_error=True, api_error_status=529), Result(False, "api error 529", "done")),
        (1, said(is_error=True, subtype="error_max_turns", result=None), Result(False, "error_max_turns")),
        (143, b"", Result(False, "exit 143")),
        (-9, b"", Result(False, "signal KILL")),
        (1, b"error: unknown option", Result(False, "exit 1")),
        (0, said(permission_denials=[{"tool_name": "Bash"}, 7, {}]), Result(True, "completed", "done", ("Bash",))),
        (0, b'{"type":"system"}\n' + said(), Result(True, "completed", "done")),
        (0, b"[" * 100_000, Result(False, "interrupted")),
    ],
    ids=[
        "success", "interrupted: 0 and nothing", "an API error calls itself success", "too many turns", "terminated",
        "killed", "a wrong option", "denied calls do not make it fail", "a stream of objects", "nested for ever",
    ],
)  # fmt: skip
def test_what_an_end_means(code: int, output: bytes, expected: Result) -> None:
    assert claude.result(code, output) == expected


@pytest.mark.parametrize(
    ("program", "arguments", "expected"),
    [("claude", ("-p",), True), ("claude", (), False), ("claude", ("--", "-p"), False), ("command", (), True)],
    ids=["prints", "a person types", "behind the options", "a plain program"],
)
def test_whether_it_begins_by_itself(program: str, arguments: tuple[str, ...], expected: bool) -> None:
    assert Request("x", "S", (program,), arguments, "/", client=program).has_task is expected
