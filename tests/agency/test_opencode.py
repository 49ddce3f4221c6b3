"""OpenCode as a worker: its command line, its agent, and what its end means."""

import json
from typing import Any

import pytest

from agency.clients import opencode
from agency.result import Result
from agency.rights import EVERYTHING, Rights
from agency.task import Task

ALONE = ["run", "--format", "json"]


def permission(rights: Rights) -> Any:
    told = json.loads(opencode.environment(rights, {})[opencode.CONFIGURATION])
    return told["agent"][opencode.AGENT]["permission"]


def test_a_worker_without_limits_is_what_the_person_has_configured() -> None:
    assert opencode.command(Task("S", model="p/m"), EVERYTHING) == [*ALONE, "--model", "p/m"]
    assert opencode.environment(EVERYTHING, {}) == {}


def test_one_with_limits_is_an_agent_of_its_own() -> None:
    assert opencode.command(Task("S"), Rights(("Read",))) == [*ALONE, "--agent", opencode.AGENT]


def test_its_agent_may_use_what_is_on_the_list_only_and_what_is_denied_wins() -> None:
    told = permission(Rights(("Read", "Bash(git log:*)", "Bash(make test)", "Edit"), ("Bash(git log -p:*)",)))
    assert list(told.items()) == [
        ("*", "deny"),
        ("read", "allow"),
        ("bash", {"*": "deny", "git log *": "allow", "make test": "allow", "git log -p *": "deny"}),
        ("edit", "allow"),
        ("task", "deny"),
    ]


def test_of_what_is_allowed_as_a_whole_a_part_may_be_denied() -> None:
    told = permission(Rights(("Bash",), ("Bash(rm:*)", "WebFetch")))
    assert (told["bash"], told["webfetch"]) == ({"*": "allow", "rm *": "deny"}, "deny")
    assert permission(Rights(None, ("Bash(rm:*)",))) == {"bash": {"rm *": "deny"}, "task": "deny"}


def test_the_persons_own_configuration_stays() -> None:
    theirs = json.dumps({"model": "p/m", "agent": {"mine": {"mode": "primary"}}})
    told = json.loads(opencode.environment(Rights(()), {opencode.CONFIGURATION: theirs})[opencode.CONFIGURATION])
    assert (told["model"], sorted(told["agent"])) == ("p/m", ["mine", opencode.AGENT])
    broken = opencode.environment(Rights(()), {opencode.CONFIGURATION: "{"})
    assert list(json.loads(broken[opencode.CONFIGURATION])) == ["agent"]


def test_in_a_command_line_of_the_users_own_its_command_stays_first() -> None:
    words = opencode.restricted(("run", "hello"), "S", Rights(("Read",)))
    assert words == ["run", "--agent", opencode.AGENT, "hello"]
    assert (opencode.works_alone(("run", "x")), opencode.works_alone(())) == (True, False)
    assert opencode.session_named(("run", "--session=x")) == "--session"


@pytest.mark.parametrize("rule", ["Telepathy", "Read(secret)", "Agent"])
def test_what_it_cannot_be_held_to_is_named(rule: str) -> None:
    assert opencode.unheld(Rights(("Bash(git push:*)", rule))) == rule
    assert opencode.unheld(Rights(("Read",), ("Bash", "Agent"))) == ""


@pytest.mark.parametrize(
    ("task", "key"), [(Task("S", mode="plan"), "mode"), (Task("S", turns=3), "turns"), (Task("S"), "")]
)
def test_what_it_cannot_do_is_named(task: Task, key: str) -> None:
    assert opencode.unfit(task) == key


def lines(*parts: dict[str, Any], error: Any = None) -> bytes:
    told = [{"type": "x", "part": part} for part in parts] + ([{"type": "error", "error": error}] if error else [])
    return b"".join(json.dumps(line).encode() + b"\n" for line in told)


SAID = {"type": "text", "text": "All done."}
OVER = {"type": "step-finish", "reason": "stop"}
REFUSED = {"type": "tool", "tool": "bash", "state": {"error": "The user rejected permission to use this."}}
STEP = {"type": "step-finish", "reason": "tool-calls"}
FAILED = {"name": "APIError", "data": {"statusCode": 400}}


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        (0, lines(SAID, OVER), Result(True, "completed", "All done.")),
        (0, lines(REFUSED, STEP, SAID, OVER), Result(True, "completed", "All done.", ("bash",))),
        (0, lines(REFUSED, STEP), Result(False, "denied", "", ("bash",))),
        (0, lines(SAID, STEP), Result(False, "interrupted", "All done.")),
        (1, lines(error=FAILED), Result(False, "api error 400")),
        (1, lines(error={"name": "Odd"}), Result(False, "Odd")),
        (1, lines(SAID, OVER), Result(False, "exit 1", "All done.")),
        (0, b"", Result(False, "interrupted")),
        (-9, b"", Result(False, "signal KILL")),
        (0, b"plain words\n", Result(True, "completed", "plain words")),
    ],
    ids=["success", "denied calls do not make it fail", "a call that was refused ended it", "cut off", "an API error",
         "another error", "a failure", "nothing is told", "killed", "text"],
)  # fmt: skip
def test_what_an_end_means(code: int, output: bytes, expected: Result) -> None:
    assert opencode.result(code, output) == expected
