"""The hook that waits for an answer: each way in which it ends, and what may not make it decide."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
from typing import TYPE_CHECKING

import pytest

from answers import open_requests, word
from support.asking import BASH, QUESTION, Asking, decision, line, said, send
from support.patience import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from answers.request import Request


# What it decides


def test_what_is_allowed_is_told_to_the_client_and_nothing_else(asking: Asking) -> None:
    hook = asking.hook()
    send(asking, line(asking.open()), asking.open().id)
    assert decision(hook) == {"behavior": "allow"}
    assert (asking.outcomes(), asking.left()) == (["taken"], [])


def test_a_refusal_has_the_persons_message(asking: Asking) -> None:
    hook = asking.hook()
    send(asking, line(asking.open(), deed=word.DENY, message="not “this”\nway"), asking.open().id)
    assert decision(hook) == {"behavior": "deny", "message": "not “this”\nway"}


def test_a_question_gets_its_answers_and_keeps_all_else(asking: Asking) -> None:
    hook = asking.hook(QUESTION)
    send(asking, line(asking.open(), deed=word.ANSWER, texts=("Green", "S, L")), asking.open().id)
    found = decision(hook)
    answers = {"Which colour?": "Green", "Which sizes?": "S, L"}
    assert found == {"behavior": "allow", "updatedInput": {**QUESTION["tool_input"], "answers": answers}}


def test_what_is_no_question_takes_no_answer_from_another(asking: Asking) -> None:
    """It has no number in what is shown, so the answers must not move on by it."""
    asked = [{"question": 7}, *QUESTION["tool_input"]["questions"]]
    hook = asking.hook({**QUESTION, "tool_input": {"questions": asked}})
    send(asking, line(asking.open(), deed=word.ANSWER, texts=("Green", "S")), asking.open().id)
    assert decision(hook)["updatedInput"]["answers"] == {"Which colour?": "Green", "Which sizes?": "S"}


def test_a_plan_is_given_back_as_it_is(asking: Asking) -> None:
    given = {"plan": "# Plan", "planFilePath": "/p/plan.md"}
    hook = asking.hook({"tool_name": "ExitPlanMode", "tool_input": given})
    send(asking, line(asking.open()), asking.open().id)
    assert decision(hook) == {"behavior": "allow", "updatedInput": given}


def test_never_does_a_rule_for_the_future_go_along(asking: Asking) -> None:
    suggested = [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
    hook = asking.hook({**BASH, "permission_suggestions": suggested})
    send(asking, line(asking.open()), asking.open().id)
    assert b"acceptEdits" not in (words := said(hook))
    assert json.loads(words)["hookSpecificOutput"]["decision"] == {"behavior": "allow"}


# What does not count


BAD: dict[str, Callable[[Request], bytes]] = {
    "garbage": lambda _request: b"\xff\x00{]\n",
    "an empty line": lambda _request: b"\n",
    "another request's id": lambda request: line(request, id="f" * 16),
    "a forged digest": lambda request: line(request, digest="0" * 32),
    "no digest": lambda request: line(request, digest=""),
    "an unknown deed": lambda request: line(request).replace(b'"allow"', b'"always"'),
    "an answer to what is no question": lambda request: line(request, deed=word.ANSWER, texts=("x",)),
    "nested": lambda request: line(request).replace(b'"texts":[]', b'"texts":' + b"[" * 2000 + b"]" * 2000),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_answer_to_what_was_shown_is_refused_and_the_wait_goes_on(asking: Asking, what: str) -> None:
    hook = asking.hook()
    request = asking.open()
    send(asking, BAD[what](request), request.id)
    until(asking.outcomes, "a note")
    assert [outcome.partition(":")[0] for outcome in asking.outcomes()] == ["refused"]
    assert hook.poll() is None
    send(asking, line(request), request.id)
    assert decision(hook) == {"behavior": "allow"}


def test_a_line_that_never_ends_is_forgotten(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    for _ in range(4):
        send(asking, b"x" * word.LARGEST, request.id)
    until(lambda: _is_empty(asking, request), "room in the pipe")
    send(asking, b"\n" + line(request), request.id)
    assert decision(hook) == {"behavior": "allow"}


def _is_empty(asking: Asking, request: Request) -> bool:
    """Whether the hook has read all that was written."""
    import fcntl  # noqa: PLC0415 - for this alone
    import termios  # noqa: PLC0415 - as above

    fd = open_requests.writer(asking.home, request.id)
    try:
        return fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4) == b"\0" * 4
    finally:
        os.close(fd)


def test_of_two_answers_the_first_counts(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    send(asking, line(request, deed=word.DENY, message="no") + line(request), request.id)
    assert decision(hook) == {"behavior": "deny", "message": "no"}
    assert asking.outcomes() == ["taken"]


# How it ends without a decision


def test_who_answers_at_the_terminal_ends_the_wait(asking: Asking) -> None:
    hook = asking.hook()
    asking.open()
    asking.says("busy")
    assert said(hook) == b""
    assert (asking.outcomes(), asking.left()) == (["answered elsewhere"], [])


def test_the_next_request_of_the_same_agent_ends_the_one_before(asking: Asking) -> None:
    """The registry may say nothing of the moment in between."""
    first = asking.hook()
    asking.open()
    second = asking.hook({**BASH, "tool_input": {"command": "another"}})
    assert said(first) == b""
    assert asking.open().input == {"command": "another"}
    assert second.poll() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_of_the_client_leaves_nothing(asking: Asking, number: signal.Signals) -> None:
    hook = asking.hook()
    asking.open()
    hook.send_signal(number)
    assert said(hook) == b""
    assert (asking.outcomes(), asking.left()) == (["answered elsewhere"], [])


def test_a_client_that_is_gone_ends_the_wait(asking: Asking) -> None:
    hook = asking.hook()
    asking.open()
    asking.client.kill()
    asking.client.wait()
    assert said(hook) == b""
    assert (asking.outcomes(), asking.left()) == (["client gone"], [])


def test_who_removes_the_file_takes_the_request_back(asking: Asking) -> None:
    hook = asking.hook()
    os.unlink(f"{asking.home}/open/{asking.open().id}.json")
    assert said(hook) == b""
    assert (asking.outcomes(), asking.left()) == (["released"], [])


def test_who_uninstalls_meanwhile_leaves_no_trace(asking: Asking) -> None:
    hook = asking.hook()
    asking.open()
    shutil.rmtree(asking.home)
    assert said(hook) == b""
    assert not os.path.exists(asking.home)


def test_time_runs_out(asking: Asking) -> None:
    with open(asking.home + "/config.toml", "w", encoding="utf-8") as file:
        file.write("[answers]\nagents = 0.5\n")
    hook = asking.hook({**BASH, "agent_id": "a1", "agent_type": "x"})
    assert said(hook) == b""
    assert (asking.outcomes(), asking.left()) == (["timed out"], [])


# Where it does not wait at all


def no_room() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))


def test_on_a_full_disk_there_is_no_request_and_no_decision(asking: Asking) -> None:
    assert said(asking.hook(first=no_room)) == b""
    assert asking.left() == []


def test_what_cannot_be_written_down_is_not_decided(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    os.mkdir(f"{asking.home}/answers.jsonl")
    send(asking, line(request), request.id)
    assert said(hook) == b""
    assert asking.left() == []
    with open(f"{asking.home}/hook.log", encoding="utf-8") as file:
        assert "IsADirectoryError" in file.read()


@pytest.mark.parametrize(
    ("name", "value"), [("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"), ("CLAUDE_PID", ""), ("CLAUDE_PID", "9" * 30)]
)
def test_where_nobody_could_be_asked_it_ends_at_once(asking: Asking, name: str, value: str) -> None:
    assert said(asking.hook(env={name: value})) == b""
    assert not os.path.exists(f"{asking.home}/open")


def test_a_sub_agents_request_is_not_held(asking: Asking) -> None:
    """While a hook waits, the client does not show its dialog."""
    assert said(asking.hook({**BASH, "agent_id": "a1"})) == b""
    assert not os.path.exists(f"{asking.home}/open")


@pytest.mark.parametrize("words", ["[answers]\nenabled = false\n", "[answers\n", "answers = [[[\n"])
def test_what_is_switched_off_or_cannot_be_read_is_off(asking: Asking, words: str) -> None:
    with open(asking.home + "/config.toml", "w", encoding="utf-8") as file:
        file.write(words)
    assert said(asking.hook()) == b""
    assert not os.path.exists(f"{asking.home}/open")


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b"null", b"{}", b"\xff", b'{"hook_event_name":"Stop","session_id":"s"}', b"[" * 5000],
    ids=range(7),
)
def test_what_is_no_request_is_not_held(asking: Asking, payload: bytes) -> None:
    assert said(asking.hook(payload)) == b""
    assert not os.path.exists(f"{asking.home}/open")


def test_an_input_that_is_too_large_to_be_shown_is_not_held(asking: Asking) -> None:
    assert said(asking.hook({**BASH, "tool_input": {"command": "x" * (2 << 20)}})) == b""
    assert not os.path.exists(f"{asking.home}/open")


# Who can see it, and what lies in its place


def test_the_record_holds_neither_command_nor_message(asking: Asking) -> None:
    hook = asking.hook({**BASH, "tool_input": {"command": "curl -H 'Authorization: Bearer s3cr3t-t0ken' example.org"}})
    request = asking.open()
    send(asking, line(request, deed=word.DENY, message="a private reason"), request.id)
    said(hook)
    with open(f"{asking.home}/answers.jsonl", encoding="utf-8") as file:
        words = file.read()
    assert "curl" in words
    assert "s3cr3t" not in words
    assert "private" not in words
