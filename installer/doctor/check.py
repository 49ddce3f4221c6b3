"""The result of one check of doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract import typed
from installer.console import GREEN, RED, YELLOW

if TYPE_CHECKING:
    from installer.doctor.probes import Seen

OK, SKIP, WARN, FAIL = "ok", "skip", "warn", "FAIL"
COLOURS = {OK: GREEN, SKIP: YELLOW, WARN: YELLOW, FAIL: RED}
UNITS = ((86400, "d"), (3600, "h"), (60, "m"))


class Check(NamedTuple):
    """What was seen, and what to do if something is wrong."""

    name: str
    verdict: str
    seen: str
    remedy: str | None = None


def to_install(seen: Seen) -> str:
    """The remedy of most checks. First comes what would make `yourturn install` fail."""
    install = f"`{typed.command('install')}`"
    if seen.settings_trouble:
        return f"Fix {seen.place.settings}, then run {install}."
    if not seen.settings_writable:
        return f"Make {seen.place.settings} writable, then run {install}."
    if seen.home_trouble:
        return f"Fix the state folder, then run {install}."
    return f"Run {install}."


def age(seconds: float) -> str:
    for size, letter in UNITS:
        if seconds >= size:
            return f"{seconds // size:.0f} {letter}"
    return f"{max(seconds, 0) // 1:.0f} s"
