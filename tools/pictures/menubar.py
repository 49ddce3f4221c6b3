"""The menu of the menubar, drawn: the same value that macOS would be given, and marked as no screenshot."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from contract.status import Heartbeat
from statusbar.menu.build import menu
from statusbar.menu.settings_items import Switches
from statusbar.model.board import board
from statusbar.model.snapshot import Statuses
from statusbar.text.symbols import LOOKS
from statusbar.text.width import width
from tools.pictures.story import story

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.menu.model import Item, Menu

MARK = "Drawn from the same data as the other pictures; not a screenshot: macOS was not at hand."
SIZE, ROW, LINE, PAD = 15, 26, 11, 6  # of the letters, a row, a separating line, the rim of a menu
INSET, CHECK, ARROW = 16, 20, 34  # of a title from the left, more of it where there are check marks, from the right
BAR, LEFT, MARGIN, FOOT = 30, 24, 24, 44
WIDE = {0.3: "ijlftr.,:;'|! ·()", 0.88: "mwMW@▲●○✕…"}  # of a letter, as part of its height
INK, PALE, ON, BLUE, PAPER, DESK = "#1d1d1f", "#9b9ba1", "#ffffff", "#2f6fde", "#f3f3f5", "#3d5a6c"
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="Inter, DejaVu Sans, sans-serif" \
font-size="{size}">
<defs><filter id="soft"><feGaussianBlur stdDeviation="6"/></filter></defs>
{parts}
</svg>
"""


def draw(folder: str, path: str) -> None:
    source = f"{folder}/menubar.svg"
    with open(source, "w", encoding="utf-8") as file:
        file.write(svg(told(time.time())))
    subprocess.run(["rsvg-convert", "--output", path, source], check=True)


def told(now: float) -> Menu:
    sessions = story(now)
    stand = Switches(muted={one.session_id: False for one in sessions}, login=True)
    return menu(board(Statuses(sessions, Heartbeat(1, "", "", now), locked=True), now), stand)


def svg(shown: Menu) -> str:
    """With the first submenu open."""
    first = next((one for one in shown.items if one.children), None)
    main = Box(shown.items, LEFT, BAR, first)
    boxes = [main, Box(first.children, main.right - 4, main.top_of(first) - PAD, None)] if first else [main]
    wide = max(box.right for box in boxes) + MARGIN
    high = max(box.bottom for box in boxes) + FOOT
    parts = [
        _box((0, 0, wide, high), DESK),
        *_bar(shown, wide),
        *(part for box in boxes for part in box.parts()),
        _text(MARK, LEFT, high - 14, ON, more='font-size="13" font-style="italic"'),
    ]
    return FRAME.format(wide=wide, high=high, size=SIZE, parts="\n".join(parts))


class Box(NamedTuple):
    """One open menu."""

    items: Sequence[Item]
    left: int
    top: int
    opened: Item | None

    @property
    def indent(self) -> int:
        return INSET + CHECK * any(one.tick for one in self.items)

    @property
    def right(self) -> int:
        longest = max((length(one.title) for one in self.items), default=0)
        return self.left + self.indent + longest + ARROW

    @property
    def bottom(self) -> int:
        return self.top_of(None) + PAD

    def top_of(self, item: Item | None) -> int:
        """Of the last one's foot, if it is none of them."""
        top = self.top + PAD
        for one in self.items:
            if one is item:
                break
            top += LINE if one.is_separator else ROW
        return top

    def parts(self) -> Iterator[str]:
        wide, high = self.right - self.left, self.bottom - self.top
        yield _box((self.left, self.top + 5, wide, high), "#000000", 'rx="8" opacity="0.45" filter="url(#soft)"')
        yield _box((self.left, self.top, wide, high), PAPER, 'rx="8" stroke="#c4c4ca"')
        for one in self.items:
            yield from self._row(one, self.top_of(one), wide)

    def _row(self, item: Item, top: int, wide: int) -> Iterator[str]:
        if item.is_separator:
            yield _box((self.left + INSET, top + LINE // 2, wide - 2 * INSET, 1), "#d8d8dd")
            return
        is_open = item is self.opened
        ink = ON if is_open else INK if item.is_enabled else PALE
        foot = top + ROW - 8
        if is_open:
            yield _box((self.left + 5, top, wide - 10, ROW), BLUE, 'rx="5"')
        if item.tick and item.tick.is_on:
            yield _text("✓", self.left + INSET - 2, foot, ink)
        if item.children:
            corner = f"M{self.right - 18} {top + 8} l5 5 l-5 5"
            yield f'<path d="{corner}" fill="none" stroke="{ink}" stroke-width="1.8" stroke-linecap="round"/>'
        yield _text(item.title, self.left + self.indent, foot, ink)


def length(text: str) -> int:
    """About as wide as the letters are drawn, rather more than less."""
    return round(sum(_part(letter) for letter in text) * SIZE)


def _part(letter: str) -> float:
    usual = 0.7 if letter.isupper() else 0.58
    return next((part for part, letters in WIDE.items() if letter in letters), usual * width(letter))


def _bar(shown: Menu, wide: int) -> Iterator[str]:
    yield _box((0, 0, wide, BAR), "#e9e9ee")
    yield _box((LEFT, 3, length(shown.title) + 20, BAR - 6), "#c9c9d1", 'rx="5"')
    yield _text(shown.title, LEFT + 10, BAR - 10, INK)


def _box(place: tuple[int, int, int, int], fill: str, more: str = "") -> str:
    x, y, wide, high = place
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="{fill}" {more}/>'


def _text(words: str, x: int, y: int, ink: str, more: str = "") -> str:
    """Blanks at the beginning tell who belongs to whom."""
    shown = escape("".join(one for one in words if one.isprintable()))
    for look in LOOKS.values():
        shown = shown.replace(look.symbol, f'<tspan font-family="DejaVu Sans">{look.symbol}</tspan>')
    return f'<text x="{x}" y="{y}" fill="{ink}" xml:space="preserve" {more}>{shown}</text>'
