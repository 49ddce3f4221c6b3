"""From a board to a menu, the same for tray and menubar."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from contract.status import STATES
from statusbar.menu import settings_items
from statusbar.menu.model import Choice, Deed, Item, Menu
from statusbar.menu.settings_items import Switches
from statusbar.model.rows import Action, Kind
from statusbar.text.symbols import CALM, TROUBLE, counted
from statusbar.text.width import cut, tidy, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from statusbar.menu.model import Key
    from statusbar.model.board import Board
    from statusbar.model.rows import Row

WIDEST = 72  # cells of one title; panels draw what they get, as wide as the screen and wider
LONGEST = 400  # of an answer
BETWEEN = " · "
NOBODY = "No agent is running"
PLAYED = "A story is played: these are not your agents"
AS_THEY_COME = Switches()


def menu(whole: Board, stand: Switches = AS_THEY_COME, *, said: str = "", unfolded: bool = False) -> Menu:
    """`said` is an answer to what was chosen last."""
    face = _face(whole)
    played = (Item(("play",), PLAYED),) if stand.is_play else ()
    rows = _sessions(whole.rows, whole.unknown, stand.muted)
    items = (*played, *rows, *_notices(whole, said), *_deeds(stand, unfolded=unfolded))
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


def _sessions(rows: Sequence[Row], unknown: str, muted: Mapping[str, bool]) -> Iterator[Item]:
    """A row without depth begins a family; those below it are its agents."""
    number = 0
    families: list[tuple[int, Row]] = []
    for row in rows:
        number += row.depth == 0
        families.append((number, row))
    for _, family in groupby(families, key=lambda pair: pair[0]):
        head, *agents = (row for _, row in family)
        yield _folded(head) if head.kind is Kind.FOLDED else _session(head, agents, muted.get(head.session_id))
    if not rows:
        yield Item(("nobody",), unknown.capitalize() or NOBODY)


def _session(head: Row, agents: Sequence[Row], is_muted: bool | None) -> Item:
    key = ("session", *head.id)
    name, *more = dict.fromkeys(filter(None, (head.project, head.name)))  # many a session is called as its project
    parts = [f"{head.look.symbol} {name}", *more, head.detail]
    below = [
        Item((*key, "verdict"), _line([head.look.word, head.age, head.team])),
        *([Item((*key, "detail"), _cut(head.detail))] if head.detail else []),
        *(_agent(key, row) for row in agents),
        Item((*key, "line")),
        *(_act((*key, "act", one.name), one, head) for one in head.actions),
        *([] if is_muted is None else [settings_items.mute(key, head.session_id, is_on=is_muted)]),
    ]
    return Item(key, _line([*parts, head.age]), children=tuple(below))


def _agent(session: Key, row: Row) -> Item:
    """Chosen, it leads to where it runs, or at least to the reasons for what it is shown as."""
    deed = Action.GO if Action.GO in row.actions else Action.EXPLAIN
    words = _line([f"{row.look.symbol} {row.name}", row.detail or row.look.word, row.age])
    indent = "   " * (row.depth - 1)
    return Item((*session, "agent", *row.id), indent + words, Choice(deed, row.session_id, row.agent))


def _act(key: Key, action: Action, row: Row) -> Item:
    return Item(key, action.value.capitalize(), Choice(action, row.session_id, row.agent))


def _folded(row: Row) -> Item:
    return Item(("folded",), _line([row.name, row.detail]), Choice(Action.UNFOLD))


def _notices(whole: Board, said: str) -> Iterator[Item]:
    """Each in lines that a panel can show whole: the remedy stands at the end."""
    if whole.notices or said:
        yield Item(("line", "notices"))
    for number, words in enumerate([*whole.notices, *([tidy(said, LONGEST)] if said else [])]):
        sentences = words.replace("; ", ".\n").replace(". ", ".\n").split("\n")
        for part, sentence in enumerate(sentences):
            mark = "   " if part else f"{TROUBLE.symbol} "
            yield Item(("notice", str(number), str(part)), mark + _cut(sentence))


def _deeds(stand: Switches, *, unfolded: bool) -> Iterator[Item]:
    yield Item(("line", "deeds"))
    yield settings_items.notifications(stand.settings, WIDEST)
    if stand.login is not None:
        yield settings_items.login(is_on=stand.login)
    for deed in (Deed.FOLD, Deed.QUIT) if unfolded else (Deed.QUIT,):
        yield Item(("deed", deed.name), deed.value.capitalize(), Choice(deed))


def _line(parts: Sequence[str]) -> str:
    """The last part stays, whatever must be cut: an age is never the victim of a long name."""
    *first, last = [part for part in parts if part]
    room = WIDEST - width(BETWEEN + last)
    if not first or room < WIDEST // 2:
        return _cut(BETWEEN.join([*first, last]))
    return f"{cut(BETWEEN.join(first), room)}{BETWEEN}{last}"


def _cut(words: str) -> str:
    return cut(words, WIDEST)
