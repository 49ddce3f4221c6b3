"""What real sessions of other clients told and wrote: `tests/replay/<client>/<situation>/hooks.jsonl`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recorder.clients import CLIENTS
from support.project import TESTS

if TYPE_CHECKING:
    from pathlib import Path

HOME = "/home/dev"  # of whoever was recorded
GONE = "gone"


def steps(recording: Path, home: str = HOME) -> list[dict[str, Any]]:
    """What a hook was told, or a line that the client wrote to a file; and the light after it."""
    return [json.loads(line.replace(HOME, home)) for line in (recording / "hooks.jsonl").read_text().splitlines()]


def named(recording: Path) -> str:
    return f"{recording.parent.name}-{recording.name}"


def _is_timed(recording: Path) -> bool:
    """Whether it also tells when everything happened."""
    return "at" in steps(recording)[0]


RECORDINGS = [
    path.parent for name in sorted(CLIENTS) for path in sorted((TESTS / "replay" / name).glob("*/hooks.jsonl"))
]
TIMED = [path for path in RECORDINGS if _is_timed(path)]
UNTIMED = [path for path in RECORDINGS if path not in TIMED]
