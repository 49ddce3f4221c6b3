"""The terminal of the person who installs: output, colours, yes-or-no questions."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, NamedTuple, TextIO

from installer.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

RED, GREEN, YELLOW = "31", "32", "33"
NARROWEST = 20
DIFF_COLOURS = {"+": GREEN, "-": RED, "@": YELLOW}


class Console(NamedTuple):
    source: TextIO
    out: TextIO
    err: TextIO
    colourful: bool
    width: int | None = None
    """Of the terminal; None if it is not a terminal: then lines are not wrapped."""

    def say(self, words: str) -> None:
        _print(words + "\n", self.out)

    def say_hanging(self, start: str, words: str, indent: int) -> None:
        """Words after a start that fills the indent; broken between words where the terminal ends."""
        room = (self.width or 0) - indent
        if room >= NARROWEST:
            words = ("\n" + " " * indent).join(_lines(words, room))
        self.say(start + words)

    def complain(self, words: str) -> None:
        _print(words + "\n", self.err)

    def paint(self, words: str, colour: str) -> str:
        return f"\x1b[{colour}m{words}\x1b[0m" if self.colourful else words

    @property
    def can_ask(self) -> bool:
        return self.source.isatty() and self.out.isatty()

    def check_can_ask(self) -> None:
        if not self.can_ask:
            trouble = "Cannot ask you without a terminal, so nothing was changed."
            raise Refusal(trouble, "Add --yes to continue without asking, or --dry-run to see what would change.")

    def agrees(self, question: str, diff: str = "") -> bool:
        """Anything but a yes, the end of the input included, is a no. With a diff, `d` shows it and asks again."""
        choices = "[y/N, d to see the diff]" if diff else "[y/N]"
        _print(f"{question} {choices} ", self.out)
        answer = self.source.readline().strip().lower()
        if diff and answer in ("d", "diff"):
            self.show_diff(diff)
            return self.agrees(question, diff)
        return answer in ("y", "yes")

    def show_diff(self, diff: str) -> None:
        for line in diff.split("\n")[:-1]:
            colour = DIFF_COLOURS.get(line[:1])
            self.say(self.paint(line, colour) if colour else line)


def standard(environ: Mapping[str, str]) -> Console:
    """Colours only on a terminal, and not if NO_COLOR is set (no-color.org)."""
    plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
    source, out, err = (stream or _nobody() for stream in (sys.stdin, sys.stdout, sys.stderr))
    width = shutil.get_terminal_size().columns if out.isatty() else None
    return Console(source, out, err, colourful=out.isatty() and not plain, width=width)


def _nobody() -> TextIO:
    """Replaces a stream that was closed before the command started."""
    return open(os.devnull, "r+", encoding="utf-8")


def _lines(words: str, width: int) -> list[str]:
    """A path that is longer than a line stays whole, so that it can be copied."""
    return textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)


def _print(words: str, stream: TextIO) -> None:
    try:
        stream.write(_printable(words, stream))
        stream.flush()
    except BrokenPipeError:
        # The reader has closed the pipe. The command goes on, and Python's flush at exit must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _printable(words: str, stream: TextIO) -> str:
    """Escape the characters that the terminal's encoding does not have, instead of raising an error."""
    encoding = stream.encoding or "utf-8"
    return words.encode(encoding, "backslashreplace").decode(encoding)
