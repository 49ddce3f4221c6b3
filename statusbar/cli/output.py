"""The stream that commands print to: a terminal with colours, or anything else."""

from __future__ import annotations

import os
import sys

from contract.named_tuple import NamedTuple
from statusbar.text.symbols import in_ascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TextIO

    from statusbar.cli.pieces import Line

SGR = {
    "red": "1;31", "green": "32", "blue": "36", "yellow": "33", "grey": "2", "bold": "1",
    "heading": "4", "dim": "2",
}  # fmt: skip
WIDTH, HEIGHT = 80, 24
BEGIN_ANEW = "\x1b[H\x1b[2J\x1b[3J"


class Closed(Exception):  # noqa: N818 - an expected outcome
    """The standard output was closed before the command started."""


class Printer(NamedTuple):
    stream: TextIO
    is_terminal: bool
    colourful: bool

    def size(self) -> tuple[int, int]:
        """The columns and lines there are; a pipe takes any number."""
        if not self.is_terminal:
            return sys.maxsize, sys.maxsize
        try:
            size = os.get_terminal_size(self.stream.fileno())
        except OSError:
            return WIDTH, HEIGHT
        return size.columns or WIDTH, size.lines or HEIGHT

    def draw(self, lines: Iterable[Line]) -> None:
        self.write(self.painted(lines))

    def painted(self, lines: Iterable[Line]) -> str:
        return "".join(self._painted(line) + "\n" for line in lines)

    def write(self, words: str) -> None:
        """In ASCII, if the stream's encoding does not have all the characters."""
        self.stream.write(words if self._has(words) else in_ascii(words))
        self.stream.flush()

    def _has(self, words: str) -> bool:
        """Whether its encoding does."""
        try:
            return words.isascii() or bool(words.encode(self.stream.encoding or "utf-8"))
        except UnicodeEncodeError:
            return False

    def _painted(self, line: Line) -> str:
        if not self.colourful:
            return "".join(piece.text for piece in line).rstrip()
        return "".join(f"\x1b[{SGR[style]}m{text}\x1b[0m" if style else text for text, style in line)


def printer(stream: TextIO | None, environ: Mapping[str, str]) -> Printer:
    """Colours only on a terminal, or if FORCE_COLOR is set; not if NO_COLOR is (no-color.org). Raises Closed."""
    if stream is None:
        raise Closed("the standard output is closed")
    plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
    wanted = is_terminal(stream) or bool(environ.get("FORCE_COLOR"))
    return Printer(stream, is_terminal(stream), colourful=wanted and not plain)


def is_terminal(*streams: TextIO | None) -> bool:
    """Whether all of them are. A stream that was closed before the command started is None."""
    return all(stream is not None and stream.isatty() for stream in streams)
