"""The responses API of OpenAI, which Codex speaks."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from e2e.harness.dialects.event import Event, made_up_id, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.script import Message, Step

    Item = dict[str, Any]

USAGE = {
    "input_tokens": 6200,
    "input_tokens_details": {"cached_tokens": 5000},
    "output_tokens": 40,
    "output_tokens_details": {"reasoning_tokens": 15},
    "total_tokens": 6240,
}
SAID_BY_THE_MODEL = ("function_call", "custom_tool_call", "reasoning", "local_shell_call")


def is_at(path: str) -> bool:
    return path.endswith("/responses")


def is_streamed(_path: str, body: dict[str, Any]) -> bool:
    return bool(body.get("stream"))


def conversation(body: dict[str, Any]) -> list[Message]:
    """One answer of the model is several items here."""
    items = [item for item in body.get("input", []) if isinstance(item, dict)]
    found: list[Message] = []
    for is_answer, run in groupby(items, _is_of_the_model):
        found += [{"role": "assistant", "content": ""}] if is_answer else [_message(item) for item in run]
    return found


def error(kind: str, words: str = "scripted") -> dict[str, Any]:
    return {"error": {"message": words, "type": kind, "param": None, "code": None}}


def message(step: Step, model: str) -> dict[str, Any]:
    return {
        "id": made_up_id("resp_"),
        "object": "response",
        "status": "completed",
        "model": model,
        "output": [*_texts(step), *_calls(step)],
        "usage": USAGE,
    }


def stream(step: Step, model: str) -> Iterator[Event]:
    whole = message(step, model)
    yield _event("response.created", response={**whole, "status": "in_progress", "output": []})
    for index, item in enumerate(whole["output"]):
        begun = {**item, "status": "in_progress", **({"content": []} if item["type"] == "message" else {})}
        yield _event("response.output_item.added", output_index=index, item=begun)
        if item["type"] == "message":
            yield from _deltas(index, item)
        yield _event("response.output_item.done", output_index=index, item=item)
    yield _event("response.completed", response=whole)


def _event(kind: str, rest_before: bool = False, **more: Any) -> Event:
    return Event({"type": kind, **more}, rest_before, kind)


def _is_of_the_model(item: Item) -> bool:
    return item.get("role") == "assistant" or item.get("type") in SAID_BY_THE_MODEL


def _message(item: Item) -> Message:
    content = item.get("content") or ""
    blocks = [{"type": "text", "text": part.get("text", "")} for part in content if isinstance(part, dict)]
    return {"role": item.get("role", "tool"), "content": content if isinstance(content, str) else blocks}


def _texts(step: Step) -> list[Item]:
    if not step.get("text"):
        return []
    part = {"type": "output_text", "text": step["text"], "annotations": []}
    said = {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return [{"id": made_up_id("msg_"), **said}]


def _calls(step: Step) -> list[Item]:
    return [_call(call) for call in step.get("tools", [])]


def _call(call: dict[str, Any]) -> Item:
    """A name may have a namespace before a slash."""
    namespace, _, name = call["name"].rpartition("/")
    return {
        "id": made_up_id("fc_"),
        "type": "function_call",
        "status": "completed",
        "call_id": made_up_id("call_"),
        "name": name,
        **({"namespace": namespace} if namespace else {}),
        "arguments": json.dumps(call["input"]),
    }


def _deltas(index: int, item: Item) -> Iterator[Event]:
    where = {"item_id": item["id"], "output_index": index, "content_index": 0}
    empty = {"type": "output_text", "text": "", "annotations": []}
    yield _event("response.content_part.added", **where, part=empty)
    for word, rest_before in words_of(item["content"][0]["text"]):
        yield _event("response.output_text.delta", rest_before, **where, delta=word)
