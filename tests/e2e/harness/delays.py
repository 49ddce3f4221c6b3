"""How long after the truth each verdict came, over the whole run: told at its end, the median and the worst.

Tests run in several processes, so each adds lines to one file, and the process that reports reads it.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import tempfile
import uuid
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
    test: str = ""


def note(delay: Delay) -> None:
    """With the name of the test, so that somebody can look into the worst one."""
    delay = delay._replace(test=os.environ.get("PYTEST_CURRENT_TEST", "").rpartition("::")[2].partition(" ")[0])
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
    found: dict[tuple[bool, str, str], list[Delay]] = defaultdict(list)
    for delay in delays:
        found[False, delay.kind, delay.sources].append(delay)
        found[True, "(all)", delay.sources].append(delay)
    for (_, kind, sources), group in sorted(found.items()):
        median, worst = statistics.median(d.seconds for d in group), max(group, key=lambda d: d.seconds)
        numbers = f"{len(group):3} times, median {median:.3f}, worst {worst.seconds:.3f}"
        yield f"{kind:18} {sources:17} {numbers} in {worst.test}"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        os.environ[PLACE] = f"{tempfile.gettempdir()}/yourturn-delays-{uuid.uuid4().hex}.jsonl"


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.environ.pop(PLACE))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    delays = noted()
    if delays:
        terminalreporter.write_sep("=", "seconds from the truth to the verdict")
        for line in lines(delays):
            terminalreporter.write_line(line)
