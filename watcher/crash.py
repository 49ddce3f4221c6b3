"""The report that a crashed watcher leaves: it can be pasted anywhere, because it holds no value."""

from __future__ import annotations

import platform
import sys
import time
from contextlib import suppress

from contract import fault, paths, store
from contract.clean import clean
from contract.content import content
from contract.version import VERSION

LOG_LINES = 20
LONGEST_LINE = 300
LARGEST = 32 << 10
INTRODUCTION = (
    "yourturn's watcher crashed. This report holds no prompt, no command and no environment: paste all of it."
)


def keep(home: str, error: BaseException, now: float) -> str:
    """Where the report is; '' if it could not be written."""
    path = paths.crash(home)
    with suppress(OSError):
        store.replace(path, report(error, _log(home), now, paths.user_home(paths.environ())))
        return path
    return ""


def report(error: BaseException, log: list[str], now: float, person: str) -> bytes:
    when = time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(now))
    lines = [
        INTRODUCTION,
        f"when: {when}",
        f"yourturn: {VERSION}",
        f"python: {platform.python_implementation()} {platform.python_version()}",
        f"platform: {sys.platform} {platform.release()} {platform.machine()}",
        "trace:",
        *fault.trace(error),
        "log:",
        *log[-LOG_LINES:],
    ]
    text = "\n".join(clean_line(line).replace(person + "/", "~/") for line in lines)
    return text.encode("utf-8", "replace")[:LARGEST] + b"\n"


def clean_line(line: str) -> str:
    """As it stands, with its indent, but nothing a terminal would obey."""
    return " " * (len(line) - len(line.lstrip(" "))) + clean(line, LONGEST_LINE)


def _log(home: str) -> list[str]:
    return content(paths.watcher_log(home)).decode("utf-8", "replace").splitlines()
