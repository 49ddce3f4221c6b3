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
    "hook starts": Bound(
        0.015, 0.05, 0.2, "measured: key to the hook's stamp 25 to 250 ms, PreToolUse to its own request 30"
    ),
    "hook writes": Bound(0.002, 0.005, 0.03, "measured: the hook's own work, with a lock to wait for"),
    "hook ends": Bound(0.005, 0.01, 0.05, "recorded: hookInfos durationMs 31 to 72 for the whole hook"),
    "async hook starts": Bound(0.015, 0.05, 0.3, "measured: end of a command to PostToolUse 6 to 300 ms"),
    "line": Bound(0.01, 0.1, 0.3, "measured: lines are written in batches 60 to 290 ms after their own stamps"),
    "late line": Bound(0.3, 0.6, 1.0, "measured under load: up to 800 ms"),
    "registry changes": Bound(
        0.02, 0.06, 0.16, "measured: its own stamp 35 to 160 ms after a key or the end of a hook"
    ),
    "registry is written": Bound(0.003, 0.02, 0.29, "measured: 3 to 290 ms after its own stamp, usually 10 to 40"),
    "registry begins": Bound(0.1, 0.15, 0.7, "measured: from no status to idle"),
    "first word": Bound(0.03, 0.1, 0.4, "recorded: prompt to the first tool call 0.2 to 0.7 s, hooks included"),
    "command starts": Bound(0.015, 0.05, 0.15, "measured: 15 to 65 ms after the key, 50 to 150 after a hook"),
    "auto mode decides": Bound(
        0.1, 0.5, 2.0, "not measured: its check runs on the server of the API; a request for a few words takes as long"
    ),
    "server asks": Bound(
        0.02,
        0.1,
        0.4,
        "measured: PreToolUse to Elicitation 44 to 415 ms, hooks included; the server asks at once",
    ),
    "result": Bound(0.003, 0.02, 0.1, "measured: end of a command to its result line's own stamp"),
    "answer": Bound(0.3, 1.0, 3.0, "measured: keys that come sooner than 0.3 s after the dialog are dropped"),
    "hook answers": Bound(0.06, 0.1, 0.3, "measured: dialog gone 35 to 100 ms after the allowing hook, once 394"),
    "news": Bound(0.02, 0.06, 0.25, "measured: SubagentStop to UserPromptSubmit 100 to 230 ms, hooks included"),
    "message": Bound(0.8, 0.9, 1.2, "measured: TeammateIdle to the lead's turn 0.9 s"),
    "pane opens": Bound(0.15, 0.3, 1.4, "measured: PreToolUse of such a call to its PostToolUse 0.28 to 1.5 s"),
    "pane begins": Bound(0.3, 0.7, 1.5, "measured: that PostToolUse to the teammate's SessionStart 0.4 to 1.6 s"),
    "mate reads": Bound(0.15, 0.3, 0.85, "measured: SessionStart to the first line's own stamp 0.2 to 0.85 s"),
    "request travels": Bound(
        0.3, 0.45, 2.1, "measured: PreToolUse to the lead's Notification 0.42 and 0.61 s, once 2.1 on a busy machine"
    ),
    "answer travels": Bound(0.2, 0.5, 1.2, "measured: key in the lead to the teammate's result 0.44 to 1.25 s"),
    "compaction": Bound(0.02, 0.04, 0.1, "measured: the steps of a compaction follow each other by 26 to 80 ms"),
    "local command": Bound(0.002, 0.02, 0.3, "measured: busy for some milliseconds, on a busy machine for 0.3 s"),
    "goal is judged": Bound(0.05, 0.3, 1.0, "measured: Stop to the line that sends it back 0.1 to 0.4 s, API at once"),
    "moved": Bound(0.25, 0.3, 0.35, "measured: Ctrl-B to PostToolUse 270 to 350 ms"),
    "session": Bound(0.1, 0.2, 0.4, "recorded: SessionEnd(clear) to SessionStart 0.2 s"),
    "gemini line": Bound(
        0.01, 0.05, 0.15, "recorded with Gemini CLI: the line of a rejection within 0.15 s of the key"
    ),
    "rollout line": Bound(0.003, 0.02, 0.05, "recorded with Codex: flushed within 50 ms"),
    "thread tells": Bound(0.0, 0.01, 0.03, "recorded with Codex's daemon: a status within 30 ms of the hook"),
    "events line": Bound(0.02, 0.1, 0.3, "recorded with Copilot CLI: 0.05 to 0.3 s after their own stamps"),
    "open sessions": Bound(0.03, 0.1, 0.3, "recorded with Copilot CLI: within 0.3 s of what it tells"),
    "rejection": Bound(0.15, 0.22, 0.3, "recorded with OpenCode: permission.replied to session.idle 0.21 and 0.28 s"),
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
