"""The generateContent API of Google, which Gemini CLI speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from e2e.harness.dialects.event import Event, made_up_id, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.script import Message, Step

USAGE = {
    "promptTokenCount": 6200,
    "cachedContentTokenCount": 5000,
    "candidatesTokenCount": 25,
    "thoughtsTokenCount": 15,
    "totalTokenCount": 6240,
}
STREAMED = ":streamGenerateContent"


def is_at(path: str) -> bool:
    return path.endswith((STREAMED, ":generateContent"))


def is_streamed(path: str, _body: dict[str, Any]) -> bool:
    return path.endswith(STREAMED)


def conversation(body: dict[str, Any]) -> list[Message]:
    return [_message(told) for told in body.get("contents", [])]


def error(kind: str, words: str = "scripted") -> dict[str, Any]:
    return {"error": {"message": words, "status": kind, "code": 400}}


def message(step: Step, model: str) -> dict[str, Any]:
    return _chunk(model, [{"text": step.get("text", "")}, *_calls(step)], "STOP")


def stream(step: Step, model: str) -> Iterator[Event]:
    for word, rest_before in words_of(step.get("text", "")):
        yield Event(_chunk(model, [{"text": word}]), rest_before)
    yield Event(_chunk(model, _calls(step) or [{"text": ""}], "STOP"))


def _message(told: dict[str, Any]) -> Message:
    role = "assistant" if told.get("role") == "model" else "user"
    texts = [{"type": "text", "text": part["text"]} for part in told.get("parts", []) if "text" in part]
    return {"role": role, "content": texts}


def _chunk(model: str, parts: list[dict[str, Any]], reason: str = "") -> dict[str, Any]:
    finish = {"finishReason": reason} if reason else {}
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, **finish}
    head = {"modelVersion": model, "responseId": made_up_id("response-")}
    return {**head, "candidates": [candidate], "usageMetadata": USAGE}


def _calls(step: Step) -> list[dict[str, Any]]:
    return [
        {"functionCall": {"id": made_up_id("call-"), "name": call["name"], "args": call["input"]}}
        for call in step.get("tools", [])
    ]
