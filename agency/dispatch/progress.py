"""How far a batch has come, on a terminal: lines for ends and what workers say, and a bar below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statusbar.cli import output
from statusbar.cli.pieces import Piece
from statusbar.text.width import cut, tidy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TextIO

    from statusbar.cli.output import Printer

BAR = 20
LONGEST = 400
CLEAR = "\r\x1b[K"
STYLES = {"completed": "green", "not run": "dim"}  # the others are failures: red


class Count(NamedTuple):
    all: int
    done: int  # failed ones, and those that will not run, too
    failed: int
    running: tuple[str, ...]


class Progress:
    """Nothing at all where nobody looks: in a pipe or a file."""

    def __init__(self, stream: TextIO, env: Mapping[str, str]) -> None:
        self._printer: Printer | None = output.printer(stream, env) if output.is_terminal(stream) else None
        self._has_bar = env.get("TERM") != "dumb"

    def clear(self) -> None:
        """Before somebody else writes to the same terminal."""
        if self._printer and self._has_bar:
            self._printer.write(CLEAR)

    def ended(self, result: Mapping[str, Any]) -> None:
        if self._printer:
            self.clear()
            words = f"{result['id']}: {result['outcome']}"
            more = "" if result["ok"] or result["reason"] == result["outcome"] else f" ({result['reason']})"
            style = STYLES.get(result["outcome"], "red")
            self._printer.draw([(Piece(cut(tidy(words + more, LONGEST), self._width()), style),)])

    @property
    def is_shown(self) -> bool:
        return self._printer is not None

    def said(self, id_: str, line: str) -> None:
        """By a worker, on its standard error: above the bar, and clean, because it may come from anywhere."""
        if self._printer:
            self.clear()
            self._printer.draw([(Piece(cut(tidy(f"{id_}: {line}", LONGEST), self._width()), "dim"),)])

    def draw(self, count: Count, waits: str = "") -> None:
        if self._printer and self._has_bar:
            self._printer.write(CLEAR + cut(tidy(bar(count, waits), LONGEST), self._width()))

    def _width(self) -> int:
        assert self._printer  # noqa: S101 - only asked where there is one
        return max(self._printer.size()[0] - 1, 1)


def bar(count: Count, waits: str = "") -> str:
    """`███████░░░░░░░░░░░░░ 3/9 done, 2 running, 1 failed: b, c`."""
    full = BAR * count.done // max(count.all, 1)
    failed = f", {count.failed} failed" if count.failed else ""
    now = ", ".join(count.running) or waits
    words = f"{count.done}/{count.all} done, {len(count.running)} running{failed}"
    return f"{'█' * full}{'░' * (BAR - full)} {words}{': ' if now else ''}{now}"
