"""How long after the truth each verdict came, over the whole run: told at its end, the median and the worst.

Tests run in several processes, so each adds lines to one file, and the process that reports reads it.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import tempfile
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pytest

PLACE = "YOURTURN_TEST_DELAYS"  # the file, for the processes that test


class Delay(NamedTuple):
    kind: str  # of change
    sources: str  # the evidence that was there
    seconds: float


def note(delay: Delay) -> None:
    with open(os.environ[PLACE], "a", encoding="utf-8") as file:
        file.write(json.dumps(delay) + "\n")


def noted() -> list[Delay]:
    try:
        with open(os.environ[PLACE], encoding="utf-8") as file:
            return [Delay(*json.loads(line)) for line in file]
    except FileNotFoundError:
        return []


def lines(delays: Iterable[Delay]) -> Iterator[str]:
    """One for each kind of change, and one for all of them."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for kind, sources, seconds in delays:
        found[kind][sources].append(seconds)
        found["(all)"][sources].append(seconds)
    for kind in sorted(found, key=lambda kind: (kind == "(all)", kind)):
        yield f"{kind:24}" + "".join(_cell(sources, found[kind][sources]) for sources in sorted(found["(all)"]))


def _cell(sources: str, seconds: list[float]) -> str:
    if not seconds:
        return " " * 59
    return f"{sources:>19}: median {statistics.median(seconds):.3f} worst {max(seconds):.3f} of {len(seconds):<4d}"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        os.environ[PLACE] = tempfile.mkdtemp(prefix="yourturn-delays-") + "/delays.jsonl"


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.path.dirname(os.environ.pop(PLACE)), ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    delays = noted()
    if delays:
        terminalreporter.write_sep("=", "seconds from the truth to the verdict")
        for line in lines(delays):
            terminalreporter.write_line(line)
