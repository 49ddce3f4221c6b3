"""answers.jsonl: each answer that reached a hook, and each that it refused. No command, and no message, is in it."""

from __future__ import annotations

from answers.word import Word
from contract import paths, store, wire
from contract.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from answers.request import Request

VERSION = 1
LIMIT = 1 << 20  # one predecessor is kept
TAKEN, REFUSED, ELSEWHERE, TIMED_OUT, RELEASED, GONE = (
    "taken", "refused", "answered elsewhere", "timed out", "released", "client gone",
)  # fmt: skip
ENDS = (TAKEN, ELSEWHERE, TIMED_OUT, RELEASED, GONE)  # after which no other answer counts
NOBODY = Word()


def note(home: str, request: Request, now: float, outcome: str, answer: Word = NOBODY) -> None:
    """Raises OSError if it cannot be written."""
    raw = {
        "v": VERSION, "at": round(now, 3), "id": request.id, "tag": answer.tag, "session": request.session,
        "agent": request.agent, "tool": clean(request.tool, 80), "target": request.target, "digest": request.digest(),
        "deed": answer.deed, "by": clean(answer.by, 80), "outcome": clean(outcome, 200),
    }  # fmt: skip
    path = paths.answers(home)
    with store.Locked(path):
        store.append(path, wire.encode(raw) + b"\n", limit=LIMIT)


def entries(home: str, about: str = "") -> Iterator[dict[str, Any]]:
    """The oldest first; what cannot be read is passed over. `about`: only lines that hold this word are read."""
    for path in (paths.answers(home) + ".1", paths.answers(home)):
        try:
            data = store.read(path) or b""
        except OSError:
            continue
        for line in data.splitlines():
            if about.encode() not in line:
                continue
            try:
                found = wire.decode(line)
            except ValueError:
                continue
            if isinstance(found, dict):
                yield found


def outcome(home: str, id_: str, tag: str) -> str:
    """What became of this answer to this request; '' as long as nothing is noted."""
    for entry in reversed(list(entries(home, id_))):
        if entry.get("id") == id_ and entry.get("tag") == tag:
            return str(entry.get("outcome"))
        if entry.get("id") == id_ and entry.get("outcome") in ENDS:
            return ELSEWHERE
    return ""
