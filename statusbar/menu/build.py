"""From a board to a menu, the same for the tray icon and the menu bar icon."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from contract.status import STATES
from statusbar.menu import request_items, settings_items
from statusbar.menu.model import Choice, Item, Menu, MenuAction
from statusbar.menu.settings_items import Switches
from statusbar.model import request_owner
from statusbar.model.board import first_to_go_to
from statusbar.model.rows import Action, Kind
from statusbar.text.symbols import CALM, TROUBLE, counted
from statusbar.text.width import cut, tidy, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from answers.request import Request
    from statusbar.menu.model import Key
    from statusbar.model.board import Board
    from statusbar.model.rows import Row

WIDEST = 72  # cells of one title; panels draw titles of any width, even wider than the screen
LONGEST = 400  # characters of a message
BETWEEN = " · "
NOBODY = "No agent is running"
DEMO = "Demo: not your agents"
AGENTS, OWN = "Agents", "yourturn"  # headings: some themes draw lines that nobody sees
DEFAULTS = Switches()


def menu(
    whole: Board,
    switches: Switches = DEFAULTS,
    requests: Sequence[Request] = (),
    *,
    message: str = "",
    unfolded: bool = False,
) -> Menu:
    """`message` says how the last choice went; `requests` are those that can be answered from here."""
    face = _face(whole)
    demo = (Item(("demo",), DEMO),) if switches.is_demo else ()
    rows = _sessions(whole.rows, whole.unknown, switches.muted, requests)
    below = (*_notices(whole, message), *_menu_actions(switches, unfolded=unfolded))
    items = (*demo, *_first(whole), *_sums(whole), *rows, *below)
    return Menu(whole.title, face, whole.counts.get(face, 0), _words(whole), items)


# From a board to items


def _face(whole: Board) -> str:
    if not whole.is_well:
        return "trouble"
    return next((state for state in STATES if whole.counts[state]), "calm")


def _words(whole: Board) -> str:
    is_old = not whole.is_well
    sums = [counted(state, whole.counts[state], is_old=is_old) for state in STATES if whole.counts[state]]
    return ", ".join([whole.unknown] * is_old + sums) or CALM.word


def _first(whole: Board) -> Iterator[Item]:
    """The one thing to do, if there is one.

    Its key names the session: in an open menu it must not become the way to another one.
    """
    row = first_to_go_to(whole)
    if row:
        yield Item(("first", row.session_id), _cut(row.way), Choice(Action.GO, row.session_id))
        yield Item(("line", "first"))


def _sums(whole: Board) -> Iterator[Item]:
    if whole.rows:
        yield Item(("heading", "sessions"), _cut(_words(whole)))


def _sessions(
    rows: Sequence[Row], unknown: str, muted: Mapping[str, bool], requests: Sequence[Request]
) -> Iterator[Item]:
    """A row of depth 0 is a session; the rows after it, up to the next, are its agents."""
    known = {row.session_id for row in rows}
    number = 0
    numbered: list[tuple[int, Row]] = []
    for row in rows:
        number += row.depth == 0
        numbered.append((number, row))
    for _, group in groupby(numbered, key=lambda pair: pair[0]):
        head, *agents = (row for _, row in group)
        if head.kind is Kind.FOLDED:
            yield _folded(head)
            continue
        ids = {head.session_id, *(row.session_id for row in agents)}
        asked = [request for request in requests if request_owner.owner(request, known) in ids]
        yield _session(head, agents, muted.get(head.session_id), asked)
    if not rows:
        yield Item(("nobody",), unknown.capitalize() or NOBODY)


def _session(head: Row, agents: Sequence[Row], is_muted: bool | None, asked: Sequence[Request]) -> Item:
    key = ("session", *head.id)
    name, *more = dict.fromkeys(filter(None, (head.project, head.name)))  # they are often the same
    parts = [f"{head.look.symbol} {name}", *more, head.client, head.detail or head.said]
    below = [
        Item((*key, "verdict"), _line([head.look.word, head.age, head.team])),
        *([Item((*key, "detail"), _cut(head.detail))] if head.detail else []),
        *([Item((*key, "said"), _cut(head.said))] if head.said else []),
        *request_items.items(key, asked, [head, *agents], WIDEST),
        *(_act((*key, "act", action.name), action, head) for action in head.actions),
        *([] if is_muted is None else [settings_items.mute(key, head.session_id, is_on=is_muted)]),
        *_agents(key, agents),
    ]
    return Item(key, _line([*parts, head.age]), children=tuple(below))


def _agents(session: Key, rows: Sequence[Row]) -> Iterator[Item]:
    """Below the actions: there may be many of them."""
    if rows:
        yield Item((*session, "line"))
        yield Item((*session, "heading"), AGENTS)
    yield from (_agent(session, row) for row in rows)


def _agent(session: Key, row: Row) -> Item:
    """Choosing it goes to its terminal, or where that is unknown, explains its state."""
    action = Action.GO if Action.GO in row.actions else Action.EXPLAIN
    words = _line([f"{row.look.symbol} {row.name}", row.detail or row.said or row.look.word, row.age])
    indent = "   " * (row.depth - 1)
    return Item((*session, "agent", *row.id), indent + words, Choice(action, row.session_id, row.agent))


def _act(key: Key, action: Action, row: Row) -> Item:
    return Item(key, action.value.capitalize(), Choice(action, row.session_id, row.agent))


def _folded(row: Row) -> Item:
    return Item(("folded",), _line([row.name, row.detail]), Choice(Action.UNFOLD))


def _notices(whole: Board, message: str) -> Iterator[Item]:
    """One item for each sentence: a panel would cut a long line, and the remedy comes last."""
    if whole.notices or message:
        yield Item(("line", "notices"))
    for number, words in enumerate([*whole.notices, *([tidy(message, LONGEST)] if message else [])]):
        sentences = words.replace("; ", ".\n").replace(". ", ".\n").split("\n")
        for part, sentence in enumerate(sentences):
            mark = "   " if part else f"{TROUBLE.symbol} "
            yield Item(("notice", str(number), str(part)), mark + _cut(sentence))


def _menu_actions(switches: Switches, *, unfolded: bool) -> Iterator[Item]:
    yield Item(("line", "actions"))
    yield Item(("heading", "actions"), OWN)
    yield settings_items.notifications(switches.settings, WIDEST)
    if switches.login is not None:
        yield settings_items.login(is_on=switches.login)
    for action in (MenuAction.FOLD, MenuAction.QUIT) if unfolded else (MenuAction.QUIT,):
        yield Item(("action", action.name), action.value.capitalize(), Choice(action))


def _line(parts: Sequence[str]) -> str:
    """The last part, an age, is never cut: a long name is."""
    *first, last = [part for part in parts if part]
    room = WIDEST - width(BETWEEN + last)
    if not first or room < WIDEST // 2:
        return _cut(BETWEEN.join([*first, last]))
    return f"{cut(BETWEEN.join(first), room)}{BETWEEN}{last}"


def _cut(words: str) -> str:
    return cut(words, WIDEST)
