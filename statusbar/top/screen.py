"""What `yourturn top` shows, line by line: pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from contract.status import STATES
from statusbar.cli import board_table
from statusbar.cli.pieces import Line, Piece, signed
from statusbar.model.board import Order
from statusbar.text.symbols import CALM, TROUBLE, counted, seen
from statusbar.text.width import cut, pad, width, wrap
from statusbar.top import columns as fixed
from statusbar.top import pane, request_page
from statusbar.top.state import Mode, Seen, View

if TYPE_CHECKING:
    from statusbar.model.board import Board
    from statusbar.top.request_page import Drawn

LEAST_LINES = 6  # on a smaller terminal, only rows are shown
KEYS = (
    ("↑↓", "move"), ("Enter", "open"), ("e", "explain"), ("r", "reply"), ("/", "filter"), ("s", "sort"), ("a", "all"),
    ("l", "log"), ("?", "help"), ("q", "quit"),
)  # fmt: skip
PAGE_KEYS = (("↑↓", "scroll"), ("q", "back"))
REASON_KEYS = (("Enter", "deny"), ("Esc", "back"))
TYPING_KEYS = (("Enter", "keep"), ("Esc", "clear"))
HELP = """\
↑ ↓ j k          move
Page keys g G    move far
Enter o          open: bring the agent's terminal to the front
e →              explain: the state, the rule that decided it, and the evidence
r                reply: see the whole of what the agent asks for, allow or deny it, or answer its question
/                filter: show only sessions that contain these words; Esc shows all
s                sort by urgency, project, name or age
a                include background and stale sessions
l                show the last lines of the watcher's log
Mouse            click selects, double click opens, the wheel scrolls
m                leave the mouse to the terminal, to select text with it; again: take it back
?                show this help
q                go back, or quit"""
EMPTY = "No agent is running."
NO_MATCH = "No matches. Press Esc to show all."
ENDED = "This session has ended."
DEMO = "Demo: not your agents. Press q to quit."
AFTER_DEMO = "The demo has ended: these are your own agents."
FILTERED = "(filtered)"
BESIDE = " │ "
WORD = re.compile(r" *[^ ]+")


class Screen(NamedTuple):
    lines: list[Line]
    seen: Seen


Page = Callable[[int, int], Sequence[Line]]  # what stands in so many columns and lines: the pane, or a page in full


def screen(  # noqa: PLR0913, PLR0917 - what is shown, and where
    view: View, whole: Board, page: Page, columns: int, lines: int, asked: Drawn | None = None
) -> Screen:
    """The board, or the page that was opened instead. `asked`: the request that such a page is about."""
    above: list[Line] = [_title(whole, view, columns)]
    below = [*_notices(view, whole, columns, lines), _footer(view, columns, asked)]
    if lines < LEAST_LINES:
        above, below = [], []
    room = lines - len(above) - len(below)
    if view.mode is Mode.LIST:
        drawn, seen = _list(view, whole, columns, room)
        drawn = _beside(drawn, page(pane.room(columns), room), columns, room) if pane.room(columns) else drawn
    else:
        drawn, seen = _page(view, whole, page(columns, room), columns, room)
    blanks: list[Line] = [()] * max(room - len(drawn), 0)
    return Screen([*above, *drawn, *blanks, *below][:lines], seen._replace(top=len(above) + 1, asked=asked))


def _list(view: View, whole: Board, columns: int, room: int) -> tuple[list[Line], Seen]:
    rows = whole.rows
    columns -= pane.room(columns) and pane.room(columns) + len(BESIDE)
    room = max(room - 1, 1)  # one is for the heading
    first = min(max(view.first, view.index - room + 1), view.index, max(len(rows) - room, 0))
    shown = rows[first : first + room]
    chosen = fixed.columns(columns, is_mixed=whole.is_mixed)
    drawn = [chosen.line(row) for row in shown]
    for k, row in enumerate(shown):
        if row.id == view.selected:
            drawn[k] = (Piece(pad("".join(piece.text for piece in drawn[k]), columns), "selected"),)
    heading = (Piece(pad(chosen.heading()[0].text, columns), "heading"),)
    if not rows:
        empty = EMPTY if whole.is_well else f"{whole.unknown.capitalize()}."
        drawn = [(Piece(words),) for words in wrap(NO_MATCH if view.words else empty, columns)]
    return [heading, *drawn], Seen(rows, len(rows), room, first)


def _beside(drawn: list[Line], right: Sequence[Line], columns: int, room: int) -> list[Line]:
    """The list, and the pane at its right."""
    left = columns - pane.room(columns) - len(BESIDE)
    pairs = zip_longest(drawn[:room], right[:room], range(room), fillvalue=())
    return [
        (*one, Piece(" " * (left - sum(width(piece.text) for piece in one))), Piece(BESIDE), *other)
        for one, other, _ in pairs
    ]


def _page(view: View, whole: Board, page: Sequence[Line], columns: int, room: int) -> tuple[list[Line], Seen]:
    folded = [part for line in page for part in folds(line, columns)]
    first = min(view.scroll, max(len(folded) - room, 0))
    is_read = first + room >= len(folded)
    return folded[first : first + room], Seen(whole.rows, len(folded), max(room, 1), view.first, is_read=is_read)


def folds(line: Line, columns: int) -> list[Line]:
    """A line that is too long continues below with the same indent. Blanks inside it align columns, and stay."""
    text = "".join(piece.text for piece in line)
    if width(text) <= columns:
        return [line]
    indent = min(len(text) - len(text.lstrip(" ")), columns // 2)
    room = max(columns - indent, 1)
    parts: list[str] = []
    for word in WORD.findall(text.strip()):
        if parts and width(parts[-1]) + width(word) <= room:
            parts[-1] += word
        else:
            parts.append(cut(word.lstrip(), room))
    return [(Piece(" " * indent + part, line[-1].style),) for part in parts]


def _title(whole: Board, view: View, columns: int) -> Line:
    is_old = not whole.is_well
    pieces = [Piece("yourturn demo" if view.is_demo else "yourturn", "bold")]
    pieces += [Piece("  "), *signed(TROUBLE, whole.unknown)] * is_old
    for state in STATES:
        if whole.counts[state]:
            look, words = seen(state, is_old=is_old), counted(state, whole.counts[state], is_old=is_old)
            pieces += [Piece("  "), *signed(look, words)]
    if whole.is_well and not any(whole.counts.values()):
        pieces += [Piece(f"  {CALM.symbol} {CALM.word}")]
    state = _state(view)
    spare = columns - sum(width(piece.text) for piece in pieces) - width(state)
    if spare < 0:
        return (Piece(cut(f"{'demo  ' * view.is_demo}{whole.title}  {state}", columns)),)
    return (*pieces, Piece(" " * spare), Piece(state))


def _state(view: View) -> str:
    """How the list is filtered and sorted. A filter does not change the sums: it must not hide a blocked agent."""
    if view.mode is not Mode.LIST:
        return str(view.mode.value)
    parts = [f"/{view.words} {FILTERED}"] if view.words and not view.typing else [FILTERED] * bool(view.words)
    parts += ["all"] if view.everything else []
    parts += [] if view.has_mouse else ["mouse off"]
    parts += [f"by {view.order.value}"] if view.order is not Order.URGENCY else []
    return "  ".join(parts)


def _notices(view: View, whole: Board, columns: int, lines: int) -> list[Line]:
    drawn = [line for words in whole.notices for line in board_table.notice(words, columns)]
    if view.mode is Mode.LIST:
        hints = [DEMO] * view.is_demo + [AFTER_DEMO] * view.after_demo
        drawn += [(Piece(part, "bold"),) for words in hints for part in wrap(words, columns)]
    return drawn[: max(lines // 3, 1)]


def _offered(view: View, asked: Drawn | None) -> Sequence[tuple[str, str]]:
    if view.typing:
        return TYPING_KEYS
    if view.reason is not None:
        return REASON_KEYS
    if view.mode is Mode.REQUEST:
        return (*request_page.keys(asked), *PAGE_KEYS)
    return KEYS if view.mode is Mode.LIST else PAGE_KEYS


def _footer(view: View, columns: int, asked: Drawn | None = None) -> Line:
    pieces = [Piece("/", "bold"), Piece(f"{cut(view.words, columns - 3)}_ ")] if view.typing else []
    if view.reason is not None:
        pieces = [Piece("deny: ", "bold"), Piece(f"{cut(view.reason, columns - 12)}_ ")]
    keys = _offered(view, asked)
    for key, word in _fitting(keys, columns - sum(width(piece.text) for piece in pieces)):
        pieces += [Piece(key, "bold"), Piece(f" {word}  ")]
    return tuple(pieces)


def _fitting(keys: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """The keys that fit. The last two, "quit" and "help", come first."""
    fitting = set()
    for key in (*keys[:-3:-1], *keys[:-2]):
        need = sum(map(width, key)) + len("   ")
        if need <= room:
            fitting.add(key)
            room -= need
    return [key for key in keys if key in fitting]
