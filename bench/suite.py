"""All benchmarks, one after the other, and what each of them found."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

from bench.figure import Figure, Missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.dose import Dose
    from bench.progress import Progress

PARTS = {
    "hook": "one hook against a bare Python, a plain recorder, bash + jq and node",
    "clients": "one hook of each client against that of Claude Code",
    "together": "1, 8 and 64 hooks at once against as many bare Pythons",
    "turn": "a turn of the real client without hooks, with `true`, and with ours",
    "watcher": "the watcher of 1 to 1,000 agents, at rest and busy: CPU, memory",
    "host": "the watcher beside a host of 10 sessions at rest, which it has to ask, and without one",
    "ticks": "one look of the watcher among 1 to 1,000 agents",
    "sight": "the first look at a transcript of 1 MB to 1 GB",
    "delay": "from an event to the status file",
    "screen": "from a status file to the terminal view in tmux, and its cost",
    "tray": "from a status file to a panel on a real bus, and the tray's cost",
    "web": "the page in Chromium: first paint, and from a status file to the pixels; the cost of its server",
    "line": "from a status file to the line of `yourturn line --follow`",
    "words": "`yourturn status --json` against `claude agents --json`",
    "verbs": "`ps` of 1,000 agents against `claude agents --json`; `dispatch` against xargs; the end of `wait`",
    "usage": "counting the tokens of a transcript of 1 MB to 1 GB, again, and with news, against a plain recount",
    "answers": "a hook that waits for an answer; a command after a click against one after a key in its terminal",
    "fleet": "10 to 1,000 machines at one mosquitto: from a change to the board; the same polled over ssh",
    "lineage": "a look at one family of processes against the whole table",
}


class Found(NamedTuple):
    figures: list[Figure]
    missing: list[Missing]
    broken: list[str]

    @property
    def failed(self) -> bool:
        return bool(self.broken) or any(one.missed for one in self.figures)


def run(names: Sequence[str], dose: Dose, progress: Progress, found: Found) -> None:
    """Into `found`, so that what is there counts whatever comes after it."""
    for name in names:
        progress.begins(name, PARTS[name])
        try:
            for one in _measure(name, dose):
                (found.figures if isinstance(one, Figure) else found.missing).append(one)  # type: ignore[arg-type]
        except (Exception, SystemExit) as error:
            found.broken.append(f"{name}: {type(error).__name__}: {error}")
    progress.ends()


def _measure(name: str, dose: Dose) -> Iterator[Figure | Missing]:
    yield from importlib.import_module(f"bench.{name}").figures(dose)
