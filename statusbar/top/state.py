"""What `yourturn top` shows, and how keys change it: pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from statusbar.model.board import Order
from statusbar.model.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statusbar.model.rows import Row

LONGEST_FILTER = 60


class Mode(Enum):
    LIST = "list"
    EXPLAIN = "explain"
    LOG = "log"
    HELP = "help"


@dataclass(frozen=True)
class View:
    mode: Mode = Mode.LIST
    selected: tuple[str, str] = ("", "")
    index: int = 0  # where the selected row was, in case it disappears
    first: int = 0  # the uppermost row on the screen
    scroll: int = 0  # of a page that is longer than the screen
    words: str = ""  # the filter
    typing: bool = False  # whether keys go into the filter
    order: Order = Order.URGENCY
    everything: bool = False  # include background and stale sessions
    wish: str = ""  # the session whose terminal is to be opened
    over: bool = False
    is_demo: bool = False  # the agents are made up
    after_demo: bool = False  # until the next key: they were until now


class Seen(NamedTuple):
    """What was last drawn, as far as the next key needs it."""

    rows: Sequence[Row]
    length: int  # of the page in lines
    room: int  # lines on the screen
    first: int = 0


def settle(view: View, rows: Sequence[Row]) -> View:
    """Keep the selected row selected wherever it has moved; if it is gone, select the row in its place."""
    ids = [row.id for row in rows]
    index = ids.index(view.selected) if view.selected in ids else min(view.index, len(ids) - 1)
    return replace(view, index=max(index, 0), selected=ids[index] if ids else view.selected)


def press(view: View, key: str, seen: Seen) -> View:
    """The view after a key. A key that means nothing here changes nothing."""
    if view.typing:
        return _typed(view, key)
    if key in STEPS:
        return _moved(view, STEPS[key](seen), seen)
    if view.mode is not Mode.LIST and (key in CLOSING or PAGES.get(key) is view.mode):
        return replace(view, mode=Mode.LIST)
    if key in PAGES:
        return replace(view, mode=PAGES[key], scroll=FAR if PAGES[key] is Mode.LOG else 0)
    if view.mode is Mode.LIST:
        return CHOICES[key](view, seen) if key in CHOICES else KEYS.get(key, _unchanged)(view)
    return view


def _typed(view: View, key: str) -> View:
    if key == "escape":
        return replace(view, typing=False, words="")
    if key in ("enter", "up", "down"):
        return replace(view, typing=False)
    if key == "backspace":
        return replace(view, words=view.words[:-1], typing=bool(view.words))
    is_text = len(key) == 1 and key.isprintable()
    return replace(view, words=(view.words + key)[:LONGEST_FILTER]) if is_text else view


def _moved(view: View, step: int, seen: Seen) -> View:
    if view.mode is not Mode.LIST:
        furthest = max(seen.length - seen.room, 0)
        scroll = max(min(view.scroll, furthest) + step, 0)
        # At the end of a page, stay at the end when the page grows.
        return replace(view, scroll=scroll if scroll < furthest else FAR)
    index = min(max(view.index + step, 0), len(seen.rows) - 1)
    return replace(view, index=index, selected=seen.rows[index].id) if seen.rows else view


def _opened(view: View, seen: Seen) -> View:
    row = _chosen(view, seen)
    if row and row.kind is Kind.FOLDED:
        return replace(view, everything=True)
    return replace(view, wish=row.session_id) if row else view


def _explained(view: View, seen: Seen) -> View:
    row = _chosen(view, seen)
    return replace(view, mode=Mode.EXPLAIN, scroll=0) if row and row.kind is not Kind.FOLDED else view


def _chosen(view: View, seen: Seen) -> Row | None:
    return next((row for row in seen.rows if row.id == view.selected), None)


def _unchanged(view: View) -> View:
    return view


def _sorted(view: View) -> View:
    orders = list(Order)
    return replace(view, order=orders[(orders.index(view.order) + 1) % len(orders)])


FAR = 10**6
STEPS: dict[str, Callable[[Seen], int]] = {
    "up": lambda _: -1,
    "k": lambda _: -1,
    "down": lambda _: 1,
    "j": lambda _: 1,
    "page up": lambda seen: -seen.room,
    "page down": lambda seen: seen.room,
    " ": lambda seen: seen.room,
    "home": lambda _: -FAR,
    "g": lambda _: -FAR,
    "end": lambda _: FAR,
    "G": lambda _: FAR,
}
PAGES = {"l": Mode.LOG, "?": Mode.HELP, "h": Mode.HELP, "f1": Mode.HELP}
CLOSING = {"q", "escape", "left", "enter"}
CHOICES = {"enter": _opened, "o": _opened, "e": _explained, "right": _explained}
KEYS: dict[str, Callable[[View], View]] = {
    "q": lambda view: replace(view, over=True),
    "f10": lambda view: replace(view, over=True),
    "/": lambda view: replace(view, typing=True),
    "f4": lambda view: replace(view, typing=True),
    "s": _sorted,
    "f6": _sorted,
    "a": lambda view: replace(view, everything=not view.everything),
    "escape": lambda view: replace(view, words=""),
}
