"""Agents that ask over their stream: what is open, what counts as an answer, and what becomes of it."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from answers import give, open_requests, record, word
from answers.request import KEEPER
from answers.word import Word
from support.hosted import BASH, Hosted
from support.patience import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from answers.request import Request


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Hosted]:
    with Hosted(tmp_path) as made:
        yield made


def gives(hosted: Hosted, request: Request, deed: str, **more: Any) -> str:
    return give.give(str(hosted.home), request, Word(deed=deed, by="test", **more)).words


def answered(hosted: Hosted, number: int = 1) -> list[dict[str, Any]]:
    until(lambda: len(hosted.answers()) == number, lambda: f"{number} answers: {hosted.told()}")
    return hosted.answers()


# What it asks, and what it is told


def test_the_prompt_comes_as_a_message_and_its_input_stays_open(hosted: Hosted) -> None:
    hosted.begin()
    (first,) = hosted.told()
    assert (first["type"], first["message"]) == ("user", {"role": "user", "content": "begin"})
    words = hosted.arguments()
    assert "begin" not in words
    assert words[words.index("--permission-prompt-tool") + 1] == "stdio"
    assert words[words.index("--permission-mode") + 1] == "default"


def test_what_is_allowed_is_told_with_its_id_and_the_input_as_it_came(hosted: Hosted) -> None:
    agent = hosted.begin()
    given = {"command": "echo ä \u2028", "n": 1.5, "deep": [{"x": None}]}
    hosted.asks("r-7", input=given)
    (request,) = hosted.open_requests()
    assert (request.session, request.agent, request.host, request.input) == (agent.session, "main", KEEPER, given)
    assert (request.client_pid, request.pid, request.cwd) == (agent.pid, agent.keeper, agent.cwd)
    assert gives(hosted, request, word.ALLOW) == "allowed"
    allowed = {"behavior": "allow", "updatedInput": given}
    assert answered(hosted) == [{"subtype": "success", "response": allowed, "request_id": "r-7"}]
    assert (hosted.outcomes(), hosted.left()) == (["taken"], [])


def test_a_refusal_has_the_persons_message_and_no_input(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks()
    (request,) = hosted.open_requests()
    assert gives(hosted, request, word.DENY, message="not this way") == "denied"
    assert answered(hosted)[0]["response"] == {"behavior": "deny", "message": "not this way"}


def test_never_does_a_rule_for_the_future_go_along(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks(permission_suggestions=[{"type": "setMode", "mode": "acceptEdits", "destination": "session"}])
    assert gives(hosted, hosted.open_requests()[0], word.ALLOW) == "allowed"
    assert answered(hosted)[0]["response"] == {"behavior": "allow", "updatedInput": BASH["input"]}


def test_several_are_open_at_once_and_each_answer_is_for_its_own(hosted: Hosted) -> None:
    hosted.begin()
    for number in range(3):
        hosted.asks(f"r{number}", input={"command": f"touch {number}"}, agent_id=f"a{number}")
    by_agent = {one.agent: one for one in hosted.open_requests(3)}
    assert gives(hosted, by_agent["a1"], word.ALLOW) == "allowed"
    assert gives(hosted, by_agent["a0"], word.DENY) == "denied"
    assert [(one["request_id"], one["response"]["behavior"]) for one in answered(hosted, 2)] == [
        ("r1", "allow"), ("r0", "deny"),
    ]  # fmt: skip
    assert [one.agent for one in open_requests.requests(str(hosted.home))] == ["a2"]


def test_of_a_sub_agent_the_folder_is_not_told_so_none_is_shown(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks(agent_id="a1")
    assert hosted.open_requests()[0].cwd == ""


# What does not count


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"digest": "0" * 32}, "what was shown is not what is asked"),
        ({"id": "f" * 16}, "of another request"),
        ({"deed": word.ANSWER, "texts": ("x",)}, "no answer to this"),
        ({"deed": word.RELEASE}, "no terminal shows it"),
    ],
    ids=["a forged digest", "another id", "another kind", "a release"],
)
def test_what_is_no_answer_to_what_was_shown_is_refused_and_it_stays_open(
    hosted: Hosted, more: dict[str, Any], why: str
) -> None:
    hosted.begin()
    hosted.asks()
    (request,) = hosted.open_requests()
    answer = Word(id=request.id, tag="0" * 16, digest=request.digest(), deed=word.ALLOW, by="test")
    answer.__dict__.update(more)
    fd = open_requests.writer(str(hosted.home), request.id)
    os.write(fd, b"garbage\n" + word.encode(answer))
    os.close(fd)
    until(lambda: hosted.outcomes() == ["refused: not an answer", f"refused: {why}"], lambda: str(hosted.outcomes()))
    assert hosted.answers() == []
    assert gives(hosted, request, word.ALLOW) == "allowed"


def test_who_goes_to_its_terminal_takes_nothing_back(hosted: Hosted) -> None:
    """It has none: the request of a sub-agent would be answered by nobody."""
    agent = hosted.begin()
    hosted.asks(agent_id="a1")
    (request,) = hosted.open_requests()
    give.release(str(hosted.home), agent.session)
    assert gives(hosted, request, word.ALLOW) == "allowed"
    assert hosted.outcomes() == ["taken"]


# What goes wrong


def test_who_removes_the_file_does_not_answer_it_is_asked_again(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks()
    (first,) = hosted.open_requests()
    os.unlink(hosted.home / "open" / f"{first.id}.json")
    until(
        lambda: [one.id for one in open_requests.requests(str(hosted.home))] not in ([], [first.id]), "another request"
    )
    (second,) = hosted.open_requests()
    assert second.digest() == first.digest()
    assert hosted.answers() == []
    assert gives(hosted, second, word.ALLOW) == "allowed"


def test_where_no_request_can_be_written_it_is_opened_as_soon_as_one_can(hosted: Hosted) -> None:
    hosted.begin()
    os.rmdir(hosted.home / "open")
    (hosted.home / "open").write_text("in the way")
    hosted.asks()
    hosted.asks("r2", agent_id="a1")
    (hosted.home / "open").unlink()
    assert {one.agent for one in hosted.open_requests(2)} == {"main", "a1"}
    assert hosted.answers() == []


def test_what_cannot_be_written_down_is_not_decided(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(give, "TAKES_S", 0.5)
    hosted.begin()
    hosted.asks()
    (request,) = hosted.open_requests()
    os.mkdir(hosted.home / "answers.jsonl")
    assert gives(hosted, request, word.ALLOW) == give.DEAF
    assert hosted.answers() == []
    os.rmdir(hosted.home / "answers.jsonl")
    assert gives(hosted, request, word.DENY) == "denied"
    assert [one["response"]["behavior"] for one in answered(hosted)] == ["deny"]


def test_what_the_client_takes_back_is_closed(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks()
    (request,) = hosted.open_requests()
    hosted.says({"type": "control_cancel_request", "request_id": "r1"})
    hosted.open_requests(0)
    assert gives(hosted, request, word.ALLOW) == give.GONE
    until(lambda: hosted.outcomes() == ["answered elsewhere"], lambda: str(hosted.outcomes()))
    assert (hosted.answers(), hosted.left()) == ([], [])


def test_what_is_asked_anew_under_the_same_id_leaves_nothing_of_the_first(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks()
    (first,) = hosted.open_requests()
    hosted.asks(input={"command": "another"})
    until(
        lambda: [one.input for one in open_requests.requests(str(hosted.home))] == [{"command": "another"}],
        "the second",
    )
    assert gives(hosted, first, word.ALLOW) == give.GONE
    assert len(hosted.left()) == 2


def test_that_another_was_quicker_than_an_answer_is_noted(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks()
    assert gives(hosted, hosted.open_requests()[0], word.ALLOW) == "allowed"
    hosted.says({"type": "control_cancel_request", "request_id": "r1"})
    until(lambda: hosted.outcomes() == ["taken", "answered elsewhere"], lambda: str(hosted.outcomes()))
    first, second = record.entries(str(hosted.home))
    assert first["tag"] == second["tag"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_of_a_client_that_is_gone_nothing_stays_open(hosted: Hosted, number: signal.Signals) -> None:
    agent = hosted.begin()
    hosted.asks()
    hosted.asks("r2", agent_id="a1")
    hosted.open_requests(2)
    os.kill(agent.pid, number)
    hosted.until_gone("asker")
    assert (hosted.left(), hosted.outcomes()) == ([], ["client gone", "client gone"])


def test_who_ends_its_keeper_ends_it_and_nothing_stays_open(hosted: Hosted) -> None:
    agent = hosted.begin()
    hosted.asks()
    hosted.open_requests()
    os.kill(agent.keeper, signal.SIGTERM)
    hosted.until_gone("asker")
    assert (hosted.left(), hosted.outcomes()) == ([], ["client gone"])


def test_of_a_killed_keeper_nothing_is_shown_and_nothing_stays(hosted: Hosted) -> None:
    agent = hosted.begin()
    hosted.asks()
    (request,) = hosted.open_requests()
    os.kill(agent.keeper, signal.SIGKILL)
    hosted.open_requests(0)
    assert hosted.left() == []
    assert gives(hosted, request, word.ALLOW) == give.GONE


UNFIT: dict[str, dict[str, Any]] = {
    "no input": {"input": None},
    "no tool": {"tool_name": ""},
    "an input that is no object": {"input": ["x"]},
    "nested deeply": {"input": {"x": json.loads("[" * 200 + "]" * 200)}},
    "too large to be shown": {"input": {"command": "x" * (9 << 20)}},
}


@pytest.mark.parametrize("what", UNFIT)
def test_what_cannot_be_shown_is_told_to_be_so_and_not_denied(hosted: Hosted, what: str) -> None:
    hosted.begin()
    hosted.asks("r1", **UNFIT[what])
    (said,) = answered(hosted)
    assert (said["subtype"], said["request_id"], "nobody could be asked" in said["error"]) == ("error", "r1", True)
    assert hosted.left() == []


def test_what_is_nested_too_deeply_to_be_read_is_answered_by_its_id(hosted: Hosted) -> None:
    hosted.begin()
    nested = b"[" * 50000 + b"]" * 50000
    hosted.says(b'{"type":"control_request","request_id":"r1","request":{"input":' + nested + b"}}\n")
    assert [(one["subtype"], one["request_id"]) for one in answered(hosted)] == [("error", "r1")]


def test_what_we_cannot_do_for_it_is_told_to_be_so(hosted: Hosted) -> None:
    hosted.begin()
    hosted.says({"type": "control_request", "request_id": "r9", "request": {"subtype": "mcp_message"}})
    assert [(one["subtype"], one["request_id"]) for one in answered(hosted)] == [("error", "r9")]


def test_a_line_too_long_to_be_read_is_answered_by_its_id_and_the_next_counts(hosted: Hosted) -> None:
    hosted.begin()
    hosted.asks("r1", input={"command": "x" * (17 << 20)})
    hosted.asks("r2")
    assert hosted.open_requests()[0].input == BASH["input"]
    assert [(one["subtype"], one["request_id"]) for one in answered(hosted)] == [("error", "r1")]


def test_garbage_on_its_stream_changes_nothing(hosted: Hosted) -> None:
    hosted.begin()
    hosted.says(b"\xff\x00{]\n", b"[]\n", b"7\n", b"[" * 5000 + b"\n", b'{"type":["x"]}\n', b'{"type":"system"}\n')
    hosted.says({"type": "control_request", "request_id": 7, "request": {}}, {"type": "control_cancel_request"})
    hosted.says({"type": "system", "subtype": "background_tasks_changed", "tasks": [7, {"task_id": None}]})
    hosted.asks()
    assert gives(hosted, hosted.open_requests()[0], word.ALLOW) == "allowed"
    assert len(answered(hosted)) == 1


# How it ends


def test_at_its_end_its_result_is_what_was_printed(hosted: Hosted) -> None:
    hosted.describe("asker", f'program = "{hosted.folder / "claude"}"\nasks = true\n')
    output = hosted.folder / "output"
    agent = hosted.begin("--output", str(output))
    last = {"type": "result", "subtype": "success", "is_error": False, "result": "the answer is 42"}
    hosted.says({"type": "assistant", "message": {}}, {**last, "result": "not yet"}, last)
    hosted.says({"type": "system", "subtype": "session_state_changed", "state": "idle"})
    hosted.falls_silent()
    hosted.until_gone("asker")
    assert json.loads(output.read_text()) == last
    assert ("end", "completed", "asker") in hosted.audit()
    assert agent.session


def test_who_may_not_answer_starts_none(hosted: Hosted) -> None:
    hosted.config("[answers]\nenabled = false\n")
    done = hosted.run("spawn", "--agent", "asker", "begin")
    assert (done.returncode, "config answers.enabled on" in done.stderr) == (3, True)


@pytest.mark.parametrize("words", [["--ask", "--", "true"], ["--ask", "--agent", "cat", "x"], ["--agent", "asks", "x"]])
def test_who_cannot_ask_is_told_so(hosted: Hosted, words: list[str]) -> None:
    hosted.describe("cat", 'program = "cat"\n')
    hosted.describe("asks", 'program = "cat"\nasks = true\n')
    done = hosted.run("spawn", *words)
    assert (done.returncode, "ask" in done.stderr) == (2, True)


def test_workers_of_a_batch_ask_too(hosted: Hosted) -> None:
    (hosted.folder / "tasks").write_text('{"id": "one", "agent": "asker", "prompt": "begin"}\n')
    batch = hosted.start("dispatch", str(hosted.folder / "tasks"))
    hosted.speaks()
    hosted.asks()
    assert gives(hosted, hosted.open_requests()[0], word.ALLOW) == "allowed"
    answered(hosted)
    hosted.says({"type": "result", "subtype": "success", "is_error": False, "result": "the answer is 42"})
    hosted.falls_silent()
    printed, _ = batch.communicate()
    assert (batch.returncode, json.loads(printed.splitlines()[0])["message"]) == (0, "the answer is 42")
