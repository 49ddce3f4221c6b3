"""How long everything takes: the one table of delays, each with where its number comes from."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32


class Bound(NamedTuple):
    """In seconds; `typical` is taken where a program asks for even delays."""

    low: float
    typical: float
    high: float
    source: str


BOUNDS = {
    "hook starts": Bound(0.02, 0.05, 0.12, "recorded: PreToolUse to PermissionRequest 0.09 to 0.2 s, two hooks apart"),
    "hook writes": Bound(0.002, 0.005, 0.03, "bench: the hook's own work, with a lock to wait for"),
    "hook ends": Bound(0.005, 0.01, 0.05, "recorded: hookInfos durationMs 31 to 72 for the whole hook"),
    "async hook starts": Bound(0.02, 0.06, 0.4, "recorded: PostToolUse before and after PostToolBatch, up to 0.2 s"),
    "line": Bound(0.0, 0.02, 0.15, "recorded: lines follow their timestamps by some milliseconds"),
    "late line": Bound(0.1, 0.5, 1.0, "published captures: transcripts lag up to a second"),
    "registry": Bound(0.0, 0.02, 0.15, "recorded: 52 ms before the hook of a request, 96 ms after the key"),
    "first word": Bound(0.05, 0.2, 0.4, "recorded: prompt to the first tool call 0.2 to 0.7 s"),
    "command starts": Bound(0.03, 0.08, 0.2, "recorded: approval to PostToolUse minus duration_ms"),
    "result": Bound(0.01, 0.03, 0.1, "recorded: end of a command to its result line"),
    "answer": Bound(0.3, 1.0, 3.0, "recorded: keys that come sooner than 0.3 s after the dialog are dropped"),
    "hook answers": Bound(0.1, 0.2, 0.3, "recorded: dialog gone 0.1 to 0.3 s after the hook allowed"),
    "news": Bound(0.01, 0.05, 0.6, "recorded: SubagentStop to UserPromptSubmit 0.12 to 0.15 s; idle to lead 0.6 s"),
    "teammate comes": Bound(0.3, 0.6, 2.0, "recorded: spawn to SessionStart of its pane 0.7 s"),
    "compaction": Bound(0.05, 0.1, 0.3, "recorded: each step of a compaction about 0.1 s"),
    "session": Bound(0.1, 0.2, 0.4, "recorded: SessionEnd(clear) to SessionStart 0.2 s"),
    "late hook": Bound(0.3, 0.6, 1.0, "a machine under load: Python starts late"),
}


class Delays:
    """Draws each delay by its name and what it is for, so that leaving a step out leaves the others as they were."""

    def __init__(self, seed: int, *, even: bool) -> None:
        self._seed, self._even = seed, even

    def draw(self, name: str, what: str) -> float:
        bound = BOUNDS[name]
        if self._even:
            return bound.typical
        # Squared: most delays are short, as real ones are.
        share = chance(self._seed, name, what) ** 2
        return round(bound.low + (bound.high - bound.low) * share, 4)


def chance(seed: int, *what: str) -> float:
    """Between 0 and 1, the same for the same words."""
    return crc32("|".join((str(seed), *what)).encode()) / 2**32
