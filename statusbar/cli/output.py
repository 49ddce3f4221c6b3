"""The stream that words go to: a terminal with colours, or anything else."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple, TextIO

from statusbar.text.symbols import in_ascii

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statusbar.cli.table import Line

SGR = {"red": "1;31", "green": "32", "blue": "36", "yellow": "33", "grey": "2", "dim": "2", "bold": "1"}
WIDTH, HEIGHT = 80, 24
BEGIN_ANEW = "\x1b[H\x1b[2J\x1b[3J"


class Closed(Exception):  # noqa: N818 - it is no fault of ours
    """There is nothing to write on."""


class Paper(NamedTuple):
    stream: TextIO
    is_terminal: bool
    colourful: bool

    def size(self) -> tuple[int, int]:
        """The columns and lines there are; a pipe takes any number."""
        if not self.is_terminal:
            return sys.maxsize, sys.maxsize
        try:
            found = os.get_terminal_size(self.stream.fileno())
        except OSError:
            return WIDTH, HEIGHT
        return found.columns or WIDTH, found.lines or HEIGHT

    def draw(self, lines: Iterable[Line]) -> None:
        self.write("".join(self._painted(line) + "\n" for line in lines))

    def write(self, words: str) -> None:
        """What the stream's encoding cannot say is said in ASCII."""
        try:
            words.encode(self.stream.encoding or "utf-8")
        except UnicodeEncodeError:
            words = in_ascii(words)
        self.stream.write(words)
        self.stream.flush()

    def _painted(self, line: Line) -> str:
        if not self.colourful:
            return "".join(piece.text for piece in line).rstrip()
        return "".join(f"\x1b[{SGR[style]}m{text}\x1b[0m" if style else text for text, style in line)


def paper(stream: TextIO | None, environ: Mapping[str, str]) -> Paper:
    """Colour only for a terminal, and not for one that asked for none (no-color.org). Raises Closed."""
    if stream is None:
        raise Closed("the standard output is closed")
    plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
    return Paper(stream, is_terminal(stream), colourful=is_terminal(stream) and not plain)


def is_terminal(*streams: TextIO | None) -> bool:
    """Whether all of them are. One that was closed before we began is None."""
    return all(stream is not None and stream.isatty() for stream in streams)
