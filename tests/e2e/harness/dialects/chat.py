"""The chat completions of OpenAI, which Qwen Code, OpenCode and Copilot speak."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from e2e.harness.dialects.event import Event, made_up_id, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.script import Message, Step

USAGE = {
    "prompt_tokens": 6200,
    "prompt_tokens_details": {"cached_tokens": 5000},
    "completion_tokens": 40,
    "completion_tokens_details": {"reasoning_tokens": 15},
    "total_tokens": 6240,
}


def is_at(path: str) -> bool:
    return path.endswith("/chat/completions")


def is_streamed(_path: str, body: dict[str, Any]) -> bool:
    return bool(body.get("stream"))


def conversation(body: dict[str, Any]) -> list[Message]:
    return [{**told, "content": told.get("content") or ""} for told in body.get("messages", [])]


def error(kind: str, words: str = "scripted") -> dict[str, Any]:
    return {"error": {"message": words, "type": kind, "param": None, "code": None}}


def message(step: Step, model: str) -> dict[str, Any]:
    calls = {"tool_calls": _calls(step)} if step.get("tools") else {}
    said = {"role": "assistant", "content": step.get("text"), **calls}
    choice = {"index": 0, "finish_reason": _reason(step), "message": said}
    return {**_head(model, "chat.completion"), "choices": [choice], "usage": USAGE}


def stream(step: Step, model: str) -> Iterator[Event]:
    head = _head(model, "chat.completion.chunk")
    yield _chunk(head, {"role": "assistant", "content": ""})
    for word, rest_before in words_of(step.get("text", "")):
        yield _chunk(head, {"content": word})._replace(rest_before=rest_before)
    if step.get("tools"):
        yield _chunk(head, {"tool_calls": _calls(step)})
    yield _chunk(head, {}, _reason(step))
    yield Event({**head, "choices": [], "usage": USAGE})
    yield Event("[DONE]")


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": made_up_id("chatcmpl-"), "object": kind, "created": int(time.time()), "model": model}


def _chunk(head: dict[str, Any], delta: dict[str, Any], reason: str | None = None) -> Event:
    return Event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})


def _reason(step: Step) -> str:
    return "tool_calls" if step.get("tools") else "stop"


def _calls(step: Step) -> list[dict[str, Any]]:
    return [
        {
            "index": index,
            "id": made_up_id("call_"),
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["input"])},
        }
        for index, call in enumerate(step.get("tools", []))
    ]
