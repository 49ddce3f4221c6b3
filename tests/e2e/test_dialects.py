"""The wire formats: each finds the same place in the same conversation, and says a step in its own way."""

from __future__ import annotations

import json
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from e2e.harness.api import Api
from e2e.harness.patience import PATIENCE_S
from e2e.harness.script import bash, play, text

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = [bash("ls"), text("All done.")]
FUNCTION = {"type": "function", "function": {"name": "Bash"}}
# The first request of a turn, and the one after its first call has had a result.
CHAT = (
    [{"role": "system", "content": "play nothing"}, {"role": "user", "content": play("one")}],
    [{"role": "assistant", "content": None, "tool_calls": []}, {"role": "tool", "content": "a file"}],
)
RESPONSES = (
    [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": play("one")}]}],
    [{"type": "reasoning"}, {"type": "function_call", "name": "Bash"}, {"type": "function_call_output", "output": "x"}],
)
GEMINI = (
    [{"role": "user", "parts": [{"text": play("one")}]}],
    [{"role": "model", "parts": [{"functionCall": {}}]}, {"role": "user", "parts": [{"functionResponse": {}}]}],
)
REQUESTS: dict[str, tuple[str, tuple[list[Any], list[Any]], list[Any]]] = {
    "/v1/chat/completions": ("messages", CHAT, [FUNCTION]),
    "/v1/responses": ("input", RESPONSES, [FUNCTION]),
    "/v1beta/models/scripted:streamGenerateContent?alt=sse": ("contents", GEMINI, [{"functionDeclarations": []}]),
}


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as api:
        api.scripts["one"] = STEPS
        yield api


def ask(api: Api, path: str, body: dict[str, Any]) -> str:
    raw = json.dumps({"model": "scripted", "stream": True, **body}).encode()
    with urllib.request.urlopen(api.url + path, raw, timeout=PATIENCE_S) as response:  # noqa: S310 - loopback
        answer: str = response.read().decode()
    return answer


@pytest.mark.parametrize("path", REQUESTS)
def test_a_turn_calls_and_then_says_what_its_script_has(path: str, api: Api) -> None:
    key, (first, then), tools = REQUESTS[path]
    called = ask(api, path, {key: first, "tools": tools})
    assert ("Bash" in called, "ls" in called) == (True, True)
    said = ask(api, path, {key: [*first, *then], "tools": tools})
    assert [word in said for word in ("All ", "done.", "Bash")] == [True, True, False]
    assert [asked.place for asked in api.asked] == [0, 1]


@pytest.mark.parametrize("path", REQUESTS)
def test_what_is_no_turn_gets_a_harmless_word(path: str, api: Api) -> None:
    key, (first, _), tools = REQUESTS[path]
    assert "Bash" not in ask(api, path, {key: first})
    api.is_aside = lambda _body: True
    assert "Bash" not in ask(api, path, {key: first, "tools": tools})


@pytest.mark.parametrize("path", REQUESTS)
def test_every_event_of_a_stream_is_json(path: str, api: Api) -> None:
    key, (first, _), tools = REQUESTS[path]
    lines = [line.removeprefix("data: ") for line in ask(api, path, {key: first, "tools": tools}).splitlines()]
    events = [line for line in lines if line and not line.startswith("event: ") and line != "[DONE]"]
    assert events
    assert all(isinstance(json.loads(event), dict) for event in events)
