"""What `yourturn top` shows, and how keys change it: pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from answers import word
from statusbar.model.board import Order
from statusbar.model.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statusbar.model.rows import Row
    from statusbar.top.request_page import Drawn

LONGEST_FILTER, LONGEST_REASON = 60, 500


class Mode(Enum):
    LIST = "list"
    EXPLAIN = "explain"
    LOG = "log"
    HELP = "help"
    REQUEST = "request"


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
    request: str = ""  # the id of the one that the page is about, once it is drawn
    answer: tuple[str, str] = ("", "")  # to the request that is drawn: allow, deny or answer, and its words
    reason: str | None = None  # why it is denied, as far as it is typed; None if no key goes there
    clicked: tuple[tuple[str, str], float] = (("", ""), 0.0)  # the row of the last click, and when
    has_mouse: bool = True  # otherwise it is the terminal's, to select text with
    over: bool = False
    is_demo: bool = False  # the agents are made up
    after_demo: bool = False  # until the next key: they were until now


class Seen(NamedTuple):
    """What was last drawn, as far as the next key needs it."""

    rows: Sequence[Row]
    length: int  # of the page in lines
    room: int  # lines on the screen
    first: int = 0
    top: int = 0  # the line of the screen on which the first row is
    asked: Drawn | None = None  # the request that is drawn
    is_read: bool = True  # whether the end of the page was on the screen


class Pointed(NamedTuple):
    """The mouse: what it did, on which line of the screen, and when in seconds."""

    what: str  # click, wheel up, wheel down
    line: int = 0
    at: float = 0.0


def settle(view: View, rows: Sequence[Row]) -> View:
    """Keep the selected row selected wherever it has moved; if it is gone, select the row in its place."""
    ids = [row.id for row in rows]
    index = ids.index(view.selected) if view.selected in ids else min(view.index, len(ids) - 1)
    return replace(view, index=max(index, 0), selected=ids[index] if ids else view.selected)


def press(view: View, key: str, seen: Seen) -> View:
    """The view after a key. A key that means nothing here changes nothing."""
    if view.typing:
        return _typed(view, key)
    if view.reason is not None:
        return _reasoned(view, key, seen)
    if view.mode is Mode.REQUEST and key in ANSWERS:
        return _answered(view, key, seen)
    if view.mode is Mode.REQUEST and key == "r":
        return _asked(view, seen)
    if key in STEPS:
        return _moved(view, STEPS[key](seen), seen)
    if view.mode is not Mode.LIST and (key in CLOSING or PAGES.get(key) is view.mode):
        return replace(view, mode=Mode.LIST)
    if key in PAGES:
        return replace(view, mode=PAGES[key], scroll=FAR if PAGES[key] is Mode.LOG else 0)
    if view.mode is Mode.LIST:
        return CHOICES[key](view, seen) if key in CHOICES else KEYS.get(key, _unchanged)(view)
    return view


def point(view: View, mouse: Pointed, seen: Seen) -> View:
    """The view after a click or a turn of the wheel."""
    if mouse.what in WHEEL:
        return _scrolled(view, WHEEL[mouse.what], seen)
    index = seen.first + mouse.line - seen.top
    is_row = view.mode is Mode.LIST and seen.top <= mouse.line < seen.top + seen.room and index < len(seen.rows)
    if not is_row:
        return replace(view, clicked=NOWHERE)
    chosen = seen.rows[index].id
    selected = replace(view, index=index, selected=chosen, typing=False, clicked=(chosen, mouse.at))
    if view.clicked[0] == chosen and mouse.at - view.clicked[1] <= DOUBLE_S:
        return _opened(replace(selected, clicked=NOWHERE), seen)
    return selected


def _scrolled(view: View, step: int, seen: Seen) -> View:
    """In the list the selection comes along only as far as it must, to stay on the screen."""
    if view.mode is not Mode.LIST:
        return _moved(view, step, seen)
    first = min(max(seen.first + step, 0), max(len(seen.rows) - seen.room, 0))
    index = min(max(view.index, first), first + seen.room - 1, len(seen.rows) - 1)
    return replace(view, first=first, index=index, selected=seen.rows[index].id) if seen.rows else view


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


def _asked(view: View, seen: Seen) -> View:
    row = _chosen(view, seen)
    return replace(view, mode=Mode.REQUEST, request="", scroll=0) if row and row.kind is not Kind.FOLDED else view


def _answered(view: View, key: str, seen: Seen) -> View:
    """Allowed is only what was on the screen, to its end."""
    asked = seen.asked
    if asked is None:
        return view
    if key == "enter":
        row = _chosen(view, seen)
        wish = row.session_id if row else asked.request.session
        return view if asked.request.host else replace(view, mode=Mode.LIST, wish=wish)
    if key == "m":
        return replace(view, reason="")
    if key == "d":
        return replace(view, mode=Mode.LIST, answer=(word.DENY, word.NO))
    if key == "a":
        may = asked.can_allow and seen.is_read
        return replace(view, mode=Mode.LIST, answer=(word.ALLOW, "")) if may else view
    option = asked.options[int(key) - 1 : int(key)]
    return replace(view, mode=Mode.LIST, answer=(word.ANSWER, option[0])) if option and seen.is_read else view


def _reasoned(view: View, key: str, seen: Seen) -> View:
    words = view.reason or ""
    if key == "escape" or seen.asked is None:
        return replace(view, reason=None)
    if key == "enter":
        return replace(view, mode=Mode.LIST, reason=None, answer=(word.DENY, words or word.NO))
    if key == "backspace":
        return replace(view, reason=words[:-1])
    is_text = len(key) == 1 and key.isprintable()
    return replace(view, reason=(words + key)[:LONGEST_REASON]) if is_text else view


def _chosen(view: View, seen: Seen) -> Row | None:
    return next((row for row in seen.rows if row.id == view.selected), None)


def _unchanged(view: View) -> View:
    return view


def _sorted(view: View) -> View:
    orders = list(Order)
    return replace(view, order=orders[(orders.index(view.order) + 1) % len(orders)])


FAR = 10**6
DOUBLE_S = 0.5  # between the two clicks of a double click
NOWHERE = (("", ""), 0.0)
WHEEL = {"wheel up": -3, "wheel down": 3}
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
CHOICES = {"enter": _opened, "o": _opened, "e": _explained, "right": _explained, "r": _asked}
ANSWERS = frozenset(("a", "d", "m", "enter", *"123456789"))
KEYS: dict[str, Callable[[View], View]] = {
    "q": lambda view: replace(view, over=True),
    "f10": lambda view: replace(view, over=True),
    "/": lambda view: replace(view, typing=True),
    "f4": lambda view: replace(view, typing=True),
    "s": _sorted,
    "f6": _sorted,
    "a": lambda view: replace(view, everything=not view.everything),
    "escape": lambda view: replace(view, words=""),
    "m": lambda view: replace(view, has_mouse=not view.has_mouse),
}
