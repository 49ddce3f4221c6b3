"""The manual page, made from the parsers: `python -m tools.manpage` prints it, and the wheel brings it along."""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
import time
from datetime import UTC, date, datetime
from itertools import groupby
from typing import TYPE_CHECKING
from unittest import mock

import yourturn
from contract import typed
from contract.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ESCAPED = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
COLUMNS = 70
NAME = "see which of your coding agents need you"
ABOUT_COMMANDS = """Without a command: the board, or how to begin. TARGET is named the same everywhere: by an id or a
name or the beginning of it, SESSION/AGENT, project:NAME, client:NAME, @blocked, @waiting or @working."""
STATES = {
    "▲ needs approval": "blocked until you act: a permission, a question, a plan, a dialog",
    "● working": "the agent, or an agent it started, is at work",
    "○ waiting": "your turn",
    "✕ unknown": "no watcher is running; what is shown beside it is what the last one saw",
}
EXIT_CODES = {
    "0": "done",
    "1": "could not be done; the message says why",
    "2": "wrong usage, or no such target",
    "3": "ambiguous or refused",
    "124": "time-out",
    "130": "interrupted",
}
VARIABLES = {
    "YOURTURN_HOME": "the folder of state and settings, instead of the platform's",
    "YOURTURN_NO_WATCHER": "with 1, no command starts a watcher by itself",
    "CLAUDE_CONFIG_DIR": "the folder of Claude Code, if not ~/.claude",
    "NO_COLOR": "if it is not empty, nothing is printed in colour",
}
FILES = {
    "~/.local/state/yourturn": "state, on Linux; on macOS ~/Library/Application Support/yourturn",
    "~/.config/yourturn/config.toml": "settings, on Linux; on macOS beside the state",
}


def page(day: date) -> str:
    """Commands are named as they are called once they are installed, wherever this runs."""
    called = mock.patch.object(typed, "command", lambda words="", **_: f"{typed.NAME} {words}".rstrip())
    with called, mock.patch.dict(os.environ, {"COLUMNS": "10000"}):
        return "\n".join(_lines(yourturn.parser(), day)) + "\n"


def today(env: Mapping[str, str]) -> date:
    """Of the sources, if whoever builds them says so (reproducible-builds.org)."""
    return datetime.fromtimestamp(float(env.get("SOURCE_DATE_EPOCH") or time.time()), UTC).date()


def _lines(parser: argparse.ArgumentParser, day: date) -> Iterator[str]:
    commands = _commands(parser)
    yield f'.TH YOURTURN 1 "{day}" "yourturn {VERSION}" "User Commands"'
    yield from (".nr HY 0", ".ad l")  # a path or an option must not be taken apart
    yield from (".SH NAME", f"yourturn {_text('-')} {_text(NAME)}", ".SH SYNOPSIS", r"\fByourturn\fR \fICOMMAND\fR …")
    yield from (".SH DESCRIPTION", *_filled(str(parser.description)), "Each state has a sign:")
    yield from _listed(STATES)
    yield from (".SH COMMANDS", *_filled(ABOUT_COMMANDS))
    for title, words in yourturn.GROUPS.items():
        yield f".SS {_text(title)}"
        for word in words:
            yield from _command(commands[word])
    for title, table in (("EXIT STATUS", EXIT_CODES), ("ENVIRONMENT", VARIABLES), ("FILES", FILES)):
        yield f".SH {title}"
        yield from _listed(table)


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return next(dict(one.choices) for one in parser._actions if isinstance(one.choices, dict))  # noqa: SLF001 - its only list


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    usages = re.sub(r"\s+(?=yourturn )", "\n", parser.format_usage().removeprefix("usage: ").replace(" [-h]", ""))
    for number, usage in enumerate(usages.splitlines()):
        words = usage.split()
        yield ".TP" if number == 0 else ".TQ"
        yield rf"\fB{_text(' '.join(words[:2]))}\fR {_text(' '.join(words[2:]))}".rstrip()
    yield from list(_paragraphs(parser.description or "", ".IP"))[1:]
    below = [*_options(parser), *_paragraphs(parser.epilog or "", ".PP")]
    yield from ([".RS", *below, ".RE"] if below else [])


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way
        if action.help and action.help != argparse.SUPPRESS and "--help" not in action.option_strings:
            yield from (".TP", _invocation(action), *_filled(action.help))


def _invocation(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else "|".join(action.choices or [action.dest])
    value = "" if action.nargs == 0 else rf" \fI{_text(metavar)}\fR"
    if not action.option_strings:
        return value.lstrip()
    return ", ".join(rf"\fB{_text(option)}\fR" for option in action.option_strings) + value


def _paragraphs(words: str, begins: str) -> Iterator[str]:
    """Lines that are indented are an example, and stay as they are."""
    for (is_example, has_words), lines in groupby(words.splitlines(), lambda line: (line[:2] == "  ", bool(line))):
        if is_example:
            yield from (begins, ".EX", *map(_text, lines), ".EE")
        elif has_words:
            yield from (begins, *_filled(" ".join(lines)))


def _listed(table: dict[str, str]) -> Iterator[str]:
    for name, words in table.items():
        yield from (".TP", rf"\fB{_text(name)}\fR", *_filled(words))


def _filled(words: str) -> list[str]:
    """In lines that mandoc finds short enough."""
    return [_text(line) for line in textwrap.wrap(words, COLUMNS, break_long_words=False, break_on_hyphens=False)]


def _text(words: str) -> str:
    shown = "".join(ESCAPED.get(char, char) for char in words)
    return rf"\&{shown}" if shown.startswith(".") else shown


if __name__ == "__main__":
    sys.stdout.write(page(today(os.environ)))
