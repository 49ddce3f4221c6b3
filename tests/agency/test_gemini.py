"""Gemini CLI as a worker: its command line, its policy, and what its end means."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agency.clients import gemini
from agency.result import Result
from agency.rights import EVERYTHING, Rights
from agency.task import Task
from support.spawning import Bureau

ALONE = ["--output-format=stream-json", "--approval-mode=default"]


def test_a_worker_has_a_session_of_our_choice_an_explicit_mode_and_no_prompt_in_its_arguments() -> None:
    assert gemini.command(Task("S", model="m"), EVERYTHING) == [*ALONE, "--model=m", "--session-id=S"]
    assert "--approval-mode=plan" in gemini.command(Task("S", mode="plan"), EVERYTHING)
    assert (gemini.unfit(Task("S")), gemini.unfit(Task("S", turns=3))) == ("", "turns")


def rules(rights: Rights) -> list[tuple[str, str, str, int]]:
    found = tomllib.loads(gemini.policy(rights)).get("rule", [])
    return [(rule["toolName"], rule.get("commandPrefix", ""), rule["decision"], rule["priority"]) for rule in found]


def test_its_policy_allows_what_is_on_the_list_and_denies_all_else_and_what_is_denied_wins() -> None:
    assert rules(Rights(("Write", "Bash(git log:*)"), ("Bash(git log -p:*)",))) == [
        ("*", "", "deny", 900),
        ("write_file", "", "allow", 950),
        ("run_shell_command", "git log", "allow", 950),
        ("run_shell_command", "git log -p", "deny", 990),
    ]
    assert rules(Rights(None, ("Glob",))) == [("glob", "", "deny", 990)]
    assert gemini.policy(EVERYTHING) == ""


def test_a_command_with_quotes_stays_one_text() -> None:
    assert rules(Rights(None, ('Bash(echo "x\\y" ü:*)',)))[0][1] == 'echo "x\\y" ü'


@pytest.mark.parametrize("rule", ["Telepathy", "Read(secret)", "Bash(make test)"])
def test_what_it_cannot_be_held_to_is_named(rule: str) -> None:
    assert gemini.unheld(Rights(None, ("Bash(git push:*)", rule))) == gemini.unheld(Rights((rule,))) == rule
    assert gemini.unheld(Rights(("Read",), ("Bash",))) == ""


def test_in_a_command_line_of_the_users_own_a_session_is_named_once() -> None:
    assert gemini.restricted(("-p", "hello"), "S", EVERYTHING) == ["--session-id=S", "-p", "hello"]
    assert gemini.restricted(("--resume", "x"), "S", EVERYTHING) == ["--resume", "x"]
    assert (gemini.works_alone(("-p", "x")), gemini.works_alone(())) == (True, False)


def test_its_policy_is_a_private_file_that_it_is_told_of(bureau: Bureau) -> None:
    program = bureau.folder / "gemini"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" >&2\n')
    program.chmod(0o755)
    bureau.describe("reader", f'program = "{program}"\nallow = ["Read"]')
    done = bureau.run("spawn", "--wait", "--agent", "reader", "prompt")
    (told,) = [word for word in done.stderr.splitlines() if word.startswith("--policy=")]
    path = Path(told.removeprefix("--policy="))
    assert path.read_text() == gemini.policy(Rights(("Read",)))
    assert (path.parent, oct(path.stat().st_mode & 0o777)) == (bureau.home / "policies", "0o600")


def test_a_limit_that_it_cannot_be_held_to_is_refused(bureau: Bureau) -> None:
    program = bureau.folder / "gemini"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    bureau.describe("reader", f'program = "{program}"\nallow = ["Telepathy"]')
    listed = bureau.run("agents")
    assert (listed.returncode, "cannot be held to Telepathy" in listed.stdout) == (1, True)
    done = bureau.run("spawn", "--agent", "reader", "--name", "first", "prompt")
    assert (done.returncode, "cannot be held to Telepathy" in done.stderr) == (3, True)
    assert bureau.audit() == [("spawn", "refused", "first")]


def lines(*told: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in told)


def said(words: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": words, "delta": True}


CALL = {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "c"}
REFUSED = {"type": "tool_result", "tool_id": "c", "status": "error", "error": {"type": "policy_violation"}}
END = {"type": "result", "status": "success"}
ERROR = {"type": "result", "status": "error", "error": {"message": '[API Error: {"error":{"code":400}}]'}}


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, lines(said("All "), said("done."), END), Result(True, "completed", "All done.")),
        (0, lines(said("I try."), CALL, REFUSED, said("No."), END),
         Result(True, "completed", "No.", ("run_shell_command",))),
        (144, lines(ERROR), Result(False, "api error 400")),
        (1, lines({"type": "result", "status": "error", "error": {"message": "odd"}}), Result(False, "odd")),
        (1, lines(said("x"), {"type": "result", "status": "error"}), Result(False, "exit 1", "x")),
        (0, lines(said("x")), Result(False, "interrupted")),
        (-9, b"", Result(False, "signal KILL")),
        (0, b"plain words\n", Result(True, "completed", "plain words")),
    ],
    ids=["success", "denied calls do not make it fail", "an API error", "another error", "a failure", "no end is told",
         "killed", "text"],
)  # fmt: skip
def test_what_an_end_means(code: int, output: bytes, expected: Result) -> None:
    assert gemini.result(code, output) == expected
