"""Lines as the client writes them into a transcript."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    Record = dict[str, Any]

OUTPUT = "src/part.py::test_it_works PASSED\n" * 60  # what one call says, about 2 KB
PROMPT = {"promptSource": "typed", "turnOrigin": "human", "origin": {"kind": "human"}}


def turn(session: str, calls: int, *, ended: bool = True, sidechain: bool = False, at: float | None = None) -> bytes:
    """A prompt, so many calls with their results, and the last word."""
    records = [_prompt(), *(record for number in range(calls) for record in _call(number))]
    if ended:
        records += [_assistant({"type": "text", "text": "All done."}, "end_turn"), {"type": "mode", "mode": "normal"}]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))
    return b"".join(_line(record, session, stamp, sidechain=sidechain) for record in records)


def _line(record: Record, session: str, stamp: str, *, sidechain: bool) -> bytes:
    around = {"uuid": "cb5981aa-b392-489d-a629-b7fad7349d1f", "timestamp": stamp, "userType": "external"}
    whole = {"parentUuid": None, "isSidechain": sidechain, **record, **around, "sessionId": session}
    return json.dumps(whole, separators=(",", ":")).encode() + b"\n"


def _prompt() -> Record:
    return {"type": "user", "message": {"role": "user", "content": "please do it"}, "promptId": "p1", **PROMPT}


def _call(number: int) -> Iterator[Record]:
    name = f"toolu_{number:024x}"
    given = {"command": f"npm test -- --grep part-{number}", "description": "Run the tests of one part"}
    yield _assistant({"type": "tool_use", "id": name, "name": "Bash", "input": given}, "tool_use")
    result = {"type": "tool_result", "tool_use_id": name, "content": OUTPUT, "is_error": False}
    outcome = {"stdout": OUTPUT, "stderr": "", "interrupted": False}
    yield {"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": outcome}


def _assistant(block: Record, reason: str) -> Record:
    usage = {"input_tokens": 1200, "cache_read_input_tokens": 5000, "output_tokens": 40}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": [block]}
    return {"type": "assistant", "message": {**message, "stop_reason": reason, "usage": usage}}
