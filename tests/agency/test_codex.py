"""Codex as a worker: its command line, its sandbox, and what its end means."""

import json
from typing import Any

import pytest

from agency.clients import codex
from agency.result import Result
from agency.rights import EVERYTHING, Rights
from agency.task import Task
from support.spawning import Bureau

NEVER_ASKS = ["-c", "approval_policy=never"]


def test_a_worker_asks_nobody_and_may_write_in_its_folder_only() -> None:
    words = codex.command(Task("S", model="m"), EVERYTHING)
    assert words == ["exec", "--json", "--model", "m", *NEVER_ASKS, "--sandbox", "workspace-write", "-"]


@pytest.mark.parametrize(
    ("mode", "rights", "sandbox"),
    [
        ("", EVERYTHING, "workspace-write"),
        ("read-only", EVERYTHING, "read-only"),
        ("danger-full-access", Rights(("Bash", "Write")), "danger-full-access"),
        ("danger-full-access", Rights(("Bash",)), "read-only"),
        ("", Rights(None, ("Edit", "Write")), "read-only"),
    ],
)
def test_who_may_not_write_has_a_sandbox_that_can_only_be_read(mode: str, rights: Rights, sandbox: str) -> None:
    words = codex.command(Task("S", mode=mode), rights)
    assert words[words.index("--sandbox") + 1] == sandbox


def test_tools_that_are_not_on_the_list_are_switched_off() -> None:
    off = [word for words in codex.REMOVED.values() for word in words]
    assert codex.command(Task("S"), Rights(()))[-len(off) - 1 : -1] == off
    words = codex.command(Task("S"), Rights(None, ("Agent",)))
    assert words[-3:] == ["--disable", "multi_agent", "-"]


def test_a_command_line_of_the_users_own_is_held_to_its_rights_too() -> None:
    words = codex.restricted(("exec", "hello"), "S", Rights(("Bash", "WebSearch", "Agent")))
    assert words == [*NEVER_ASKS, "--sandbox", "read-only", "exec", "hello"]
    assert codex.restricted(("exec", "hello"), "S", EVERYTHING) == ["exec", "hello"]
    assert (codex.works_alone(("-m", "x", "exec")), codex.works_alone(())) == (True, False)
    assert codex.session_named(("exec", "resume")) == "resume"


def test_one_that_a_person_types_into_is_started_as_any_program_is(bureau: Bureau) -> None:
    """Its sessions are those of a process that many terminals share."""
    program = bureau.folder / "codex"
    program.write_text(f"#!/bin/sh\nread line < {bureau.door('codex')}\n")
    program.chmod(0o755)
    kept = [bureau.fact(bureau.spawn(*words).session) for words in (("--", str(program)), ("--", str(program), "exec"))]
    assert [fact.client_name for fact in kept if fact] == ["command", "codex"]


@pytest.mark.parametrize("rule", ["Telepathy", "Bash(git push:*)", "Read(secret)"])
def test_what_it_cannot_be_held_to_is_named(rule: str) -> None:
    assert codex.unheld(Rights(None, ("Bash", rule))) == codex.unheld(Rights((rule,))) == rule
    assert codex.unheld(Rights(("Read",), ("Bash",))) == ""


def test_what_it_cannot_do_is_named() -> None:
    assert (codex.unfit(Task("S", mode="read-only")), codex.unfit(Task("S", turns=3))) == ("", "turns")


def lines(*told: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in told)


BEGAN = {"type": "thread.started", "thread_id": "t"}
SAID = {"type": "item.completed", "item": {"type": "agent_message", "text": "All done."}}
OVER = {"type": "turn.completed"}
FAILED = {"type": "turn.failed", "error": {"message": "nope"}}


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, lines(BEGAN, SAID, OVER), Result(True, "completed", "All done.")),
        (1, lines(BEGAN, FAILED), Result(False, "api error")),
        (1, lines(BEGAN, SAID, OVER), Result(False, "exit 1", "All done.")),
        (0, lines(BEGAN, SAID), Result(False, "interrupted", "All done.")),
        (0, b"", Result(False, "interrupted")),
        (-9, b"", Result(False, "signal KILL")),
        (0, b"plain words\n", Result(True, "completed", "plain words")),
    ],
    ids=["success", "an API error", "a failure", "cut off", "nothing is told", "killed", "text"],
)
def test_what_an_end_means(code: int, output: bytes, expected: Result) -> None:
    assert codex.result(code, output) == expected
