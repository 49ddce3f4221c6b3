"""How an agent ended: its exit code alone does not tell. Pure."""

from __future__ import annotations

import signal
from typing import NamedTuple

MESSAGE = 64 << 10  # of the last message as much is kept


class Result(NamedTuple):
    ok: bool
    reason: str  # completed, exit 3, signal KILL, timeout, api error 529, …
    message: str = ""  # the last words of the agent
    denials: tuple[str, ...] = ()  # tools that it was not allowed to use


def plain(code: int, output: bytes) -> Result:
    """Of a program that we know nothing of: 0 is success, and its last lines are its message."""
    text = output[-MESSAGE:].decode("utf-8", "replace").strip()
    return Result(code == 0, "completed" if code == 0 else ended_by(code), text)


def ended_by(code: int) -> str:
    """In words: the exit code, or the signal that Python gives as a negative one."""
    return f"signal {signal_name(-code)}" if code < 0 else f"exit {code}"


def exit_word(code: int) -> str:
    """As a fact keeps it: a number, or a signal's name."""
    return signal_name(-code) if code < 0 else str(code)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name.removeprefix("SIG")
    except ValueError:
        return str(number)
