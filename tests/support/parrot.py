"""A client that does not exist: three events, its own names for everything. It proves what adding a client takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recorder.change import Change

if TYPE_CHECKING:
    from collections.abc import Mapping


def process(env: Mapping[str, str]) -> tuple[str, str, bool]:
    return env.get("PARROT_PROCESS", ""), "cage", False


def plugin(_env: Mapping[str, str]) -> str:
    return ""


def notice(words: str, _env: Mapping[str, str]) -> dict[str, Any]:
    return {"squawk": words}


def translate(payload: dict[str, Any]) -> tuple[Change, ...]:
    kind = payload.get("kind")
    common = {"event": kind, "session": payload.get("thread"), "cwd": payload.get("perch")}
    if kind == "hello":
        return (Change("session started", **common, source="startup"),)
    if kind == "ask":  # one event tells of a call and of the request for it
        call = {"tool": "beak", "given": payload.get("nut"), "about": payload.get("nut")}
        return Change("call began", **common, **call, call=payload.get("number")), Change("asked", **common, **call)
    if kind == "silence":
        return (Change("turn ended", **common),)
    if kind == "squawk":
        return ()
    raise ValueError("the parrot has no such word")
