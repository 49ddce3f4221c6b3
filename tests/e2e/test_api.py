"""The scripted API without a client: what a conversation gets for an answer."""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from e2e.harness.api import Api
from e2e.harness.patience import PATIENCE_S
from e2e.harness.script import bash, place, script, spawn, text, together

TOOLS = [{"name": "Bash"}]


def user(*texts: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": words} for words in texts]}


def assistant(words: str) -> dict[str, Any]:
    return {"role": "assistant", "content": words}


def post(api: Api, **body: Any) -> Any:
    raw = json.dumps({"model": "m", **body}).encode()
    with urllib.request.urlopen(f"{api.url}/v1/messages?beta=true", raw, timeout=PATIENCE_S) as response:  # noqa: S310
        answer = response.read().decode()
    return answer if body.get("stream") else json.loads(answer)


def test_each_answer_moves_the_script_one_step_on() -> None:
    steps = [text("one"), text("two")]
    told = [user(script(*steps)), assistant("one"), {"role": "user", "content": "<task-notification>"}]
    assert place(told[:1]) == (steps, 0)
    assert place(told) == (steps, 1)


def test_a_new_script_starts_anew() -> None:
    told = [user(script(text("old"))), assistant("old"), user(script(text("new")))]
    assert place(told) == ([text("new")], 0)


def test_a_script_that_an_old_client_passes_on_as_the_systems_word_counts() -> None:
    queued = {"role": "system", "content": "The user sent a new message: " + script(text("queued")) + " Do it."}
    assert place([user(script(text("first"))), assistant("first"), queued]) == ([text("queued")], 0)


def test_the_last_script_of_a_message_counts() -> None:
    assert place([user(script(text("of the person")), "your task: " + script(text("own")))]) == ([text("own")], 0)


def test_a_script_within_a_script_is_not_taken_for_it() -> None:
    outer = [spawn("job", text("inner")), text("outer")]
    assert place([user(script(*outer))]) == (outer, 0)


def test_a_conversation_without_a_script_is_at_no_place() -> None:
    assert place([user("hello"), user("SCRIPT: of a play")]) == ([], 0)


def test_calls_together_keep_their_order() -> None:
    calls = together(bash("one"), bash("two", run_in_background=True))["tools"]
    assert [call["input"]["command"] for call in calls] == ["one", "two"]


def test_a_message_carries_text_and_calls(api: Api) -> None:
    answer = post(api, tools=TOOLS, messages=[user(script({**bash("ls"), "text": "look"}))])
    assert answer["stop_reason"] == "tool_use"
    assert [block["type"] for block in answer["content"]] == ["text", "tool_use"]
    assert answer["content"][1]["input"]["command"] == "ls"


def test_a_stream_adds_up_to_the_message(api: Api) -> None:
    told = post(api, stream=True, tools=TOOLS, messages=[user(script(text("one two\n\nthree")))])
    data = [json.loads(line[6:]) for line in told.splitlines() if line.startswith("data: ")]
    assert "".join(event["delta"].get("text", "") for event in data if "delta" in event) == "one two\n\nthree"
    assert (data[0]["type"], data[-1]["type"]) == ("message_start", "message_stop")


def test_a_call_without_tools_is_nobodys_turn(api: Api) -> None:
    answer = post(api, messages=[user("Make a title for: " + script(text("secret")))])
    assert answer["content"] == [{"type": "text", "text": "done"}]


def test_a_goal_is_met_unless_the_test_says_otherwise(api: Api) -> None:
    form = {"format": {"schema": {"properties": {"ok": {"type": "boolean"}}}}}
    api.judgements = [False]
    answers = [post(api, tools=[], output_config=form, messages=[user("met?")]) for _ in range(2)]
    assert [json.loads(answer["content"][0]["text"])["ok"] for answer in answers] == [False, True]


def test_a_compaction_gets_a_summary_whatever_the_script_says(api: Api) -> None:
    api.summary = text("in short")
    told = [user(script(text("one"))), user("Your task is to create a detailed summary of the conversation")]
    assert post(api, tools=TOOLS, messages=told)["content"][0]["text"] == "in short"
    assert post(api, tools=TOOLS, messages=told[:1])["content"][0]["text"] == "one"


def test_a_title_is_no_turn_of_an_agent(api: Api) -> None:
    post(api, messages=[user("a title for this: " + script(text("one")))])
    post(api, tools=TOOLS, messages=[user(script(text("one")))])
    assert [asked.step for asked in api.turns] == [text("one")]


def test_the_end_of_the_script_is_harmless(api: Api) -> None:
    answer = post(api, tools=TOOLS, messages=[user(script()), assistant("x")])
    assert answer["content"] == [{"type": "text", "text": "done"}]


def test_an_error_stays_unless_it_is_counted(api: Api) -> None:
    ask = {"tools": TOOLS, "messages": [user(script(text("x", status=529, error="overloaded_error")))]}
    for _ in range(3):
        with pytest.raises(urllib.error.HTTPError, match="529") as caught:
            post(api, **ask)
        with caught.value as response:
            assert json.load(response)["error"]["type"] == "overloaded_error"


def test_a_held_answer_waits_while_others_pass(api: Api) -> None:
    with ThreadPoolExecutor() as pool:
        held = pool.submit(post, api, tools=TOOLS, messages=[user(script(text("held", hold="here")))])
        api.reached("here")
        assert post(api, tools=TOOLS, messages=[user(script(text("free")))])["content"][0]["text"] == "free"
        assert not held.done()
        api.release("here")
        assert held.result(10)["content"][0]["text"] == "held"


def test_the_end_of_the_api_opens_every_gate() -> None:
    with Api() as api:
        gate = api.gate("before")
    assert gate.opened.is_set()
    assert api.gate("after").opened.is_set()


def test_a_broken_request_breaks_the_test() -> None:
    api = Api()
    with pytest.raises(ExceptionGroup, match="broke") as caught, api:
        post_raw(api, b"no json")
    assert caught.group_contains(json.JSONDecodeError)


def post_raw(api: Api, raw: bytes) -> None:
    with contextlib.suppress(OSError):
        urllib.request.urlopen(f"{api.url}/v1/messages", raw, timeout=PATIENCE_S)  # noqa: S310
