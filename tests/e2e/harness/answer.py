"""What the Messages API says for one step: a message, or the events of its stream."""

from __future__ import annotations

import json
import re
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.script import Step

USAGE = {
    "input_tokens": 1200,
    "output_tokens": 40,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 5000,
}


class Event(NamedTuple):
    """One server-sent event, and whether the stream may rest before it."""

    data: dict[str, Any]
    rest_before: bool = False


def error(kind: str, words: str = "scripted") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": words}}


def message(step: Step, model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
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
    yield Event({"type": "message_start", "message": whole | {"content": [], "stop_reason": None}})
    for index, block in enumerate(whole["content"]):
        yield from _block(index, block)
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield Event({"type": "message_delta", "delta": end, "usage": whole["usage"]})
    yield Event({"type": "message_stop"})


def _usage(step: Step) -> dict[str, int]:
    return {**USAGE, "input_tokens": step.get("tokens", USAGE["input_tokens"])}


def _blocks(step: Step) -> list[dict[str, Any]]:
    words = [{"type": "text", "text": step["text"]}] if step.get("text") else []
    return words + [
        {
            "type": "tool_use",
            "id": f"toolu_{uuid.uuid4().hex[:24]}",
            "name": call["name"],
            "input": call["input"],
        }
        for call in step.get("tools", [])
    ]


def _block(index: int, block: dict[str, Any]) -> Iterator[Event]:
    empty: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
    yield Event({"type": "content_block_start", "index": index, "content_block": block | empty})
    for number, delta in enumerate(_deltas(block)):
        yield Event({"type": "content_block_delta", "index": index, "delta": delta}, rest_before=number > 0)
    yield Event({"type": "content_block_stop", "index": index})


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == "tool_use":
        yield {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        return
    for words in re.findall(r"\S*\s*", block["text"]):
        if words:
            yield {"type": "text_delta", "text": words}
