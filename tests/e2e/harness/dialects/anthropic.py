"""The Messages API of Anthropic, which Claude Code speaks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from e2e.harness.dialects.event import Event, made_up_id, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.script import Message, Step

USAGE = {
    "input_tokens": 1200,
    "output_tokens": 40,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 5000,
}


def is_at(path: str) -> bool:
    return path.endswith("/v1/messages")


def is_streamed(_path: str, body: dict[str, Any]) -> bool:
    return bool(body.get("stream"))


def conversation(body: dict[str, Any]) -> list[Message]:
    return list(body.get("messages", []))


def error(kind: str, words: str = "scripted") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": words}}


def message(step: Step, model: str) -> dict[str, Any]:
    return {
        "id": made_up_id("msg_"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _blocks(step),
        "stop_reason": "tool_use" if step.get("tools") else "end_turn",
        "stop_sequence": None,
        "usage": _usage(step),
    }


def stream(step: Step, model: str) -> Iterator[Event]:
    whole = message(step, model)
    yield _event({"type": "message_start", "message": whole | {"content": [], "stop_reason": None}})
    for index, block in enumerate(whole["content"]):
        yield from _block(index, block)
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": end, "usage": whole["usage"]})
    yield _event({"type": "message_stop"})


def _event(data: dict[str, Any], rest_before: bool = False) -> Event:
    return Event(data, rest_before, data["type"])


def _usage(step: Step) -> dict[str, int]:
    return {**USAGE, "input_tokens": step.get("tokens", USAGE["input_tokens"])}


def _blocks(step: Step) -> list[dict[str, Any]]:
    words = [{"type": "text", "text": step["text"]}] if step.get("text") else []
    return words + [
        {"type": "tool_use", "id": made_up_id("toolu_"), "name": call["name"], "input": call["input"]}
        for call in step.get("tools", [])
    ]


def _block(index: int, block: dict[str, Any]) -> Iterator[Event]:
    empty: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
    yield _event({"type": "content_block_start", "index": index, "content_block": block | empty})
    for delta, rest_before in _deltas(block):
        yield _event({"type": "content_block_delta", "index": index, "delta": delta}, rest_before)
    yield _event({"type": "content_block_stop", "index": index})


def _deltas(block: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    if block["type"] == "tool_use":
        yield {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}, False
        return
    for word, rest_before in words_of(block["text"]):
        yield {"type": "text_delta", "text": word}, rest_before
