"""What every command of the front ends is declared with: its module, its help, and options that several have."""

from __future__ import annotations

import argparse
import sys

from contract import run_command
from contract.named_tuple import NamedTuple
from statusbar.cli import output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no other name

JSON = "print JSON, for scripts"
ALL = "include background and stale sessions"
TARGET = (
    "an id or a name, or the beginning of it, SESSION/AGENT, project:NAME, client:NAME, @blocked, @waiting or @working"
)


class Command(NamedTuple):
    """One command. Its module is imported when it runs: no command must wait for the others."""

    module: str
    summary: str  # '' for one that no help lists
    description: str
    add_options: Callable[[argparse.ArgumentParser], object] = lambda _parser: None


def declare(commands: Mapping[str, Command], subparsers: Subparsers, word: str = "") -> None:
    """All of them; with a word that names one of them, only that."""
    for name, command in commands.items():
        if word in ("", name):
            _add(subparsers, name, command)


def _add(subparsers: Subparsers, name: str, command: Command) -> None:
    listed: dict[str, Any] = {"help": command.summary} if command.summary else {}
    parser = subparsers.add_parser(name, description=command.description, **listed)
    command.add_options(parser)
    parser.set_defaults(func=lambda args: carefully(command.module, args))


def seconds(word: str) -> float:
    found = number(word)
    if found is not None and 0 <= found < float("inf"):
        return found
    raise argparse.ArgumentTypeError(f"{word!r} is not a number of seconds")


def number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def carefully(module: str, args: argparse.Namespace) -> int:
    """Run the command of this module."""
    return quietly(lambda: run_command.carefully(module, args)) or 0


def quietly(run: Callable[[], int | None]) -> int | None:
    try:
        return run_command.quietly(run)
    except output.Closed as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return 1
