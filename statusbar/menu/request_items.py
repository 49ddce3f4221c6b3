"""What an agent asks for, in the menu of its session: the whole of it, and how it can be answered. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers.request import QUESTION
from answers.request_text import questions, remedy, shown
from answers.same_requests import equal_to
from contract.paths import MAIN
from statusbar.menu.model import Choice, Item, MenuAction
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import cut, fold, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from answers.request import Request
    from statusbar.menu.model import Key
    from statusbar.model.rows import Row

MOST_LINES = 14  # a panel cuts longer menus off
TOO_LONG = "it is too long for a menu"
LONG = 60


def items(session: Key, requests: Sequence[Request], rows: Sequence[Row], widest: int) -> Iterator[Item]:
    """`rows`: of the session and of its agents."""
    told = {row.agent: row for row in rows}
    for request in requests:
        # What was drawn is in the key: an item never comes to mean another request while a menu is open.
        key = (*session, "request", request.id, request.digest())
        row = told.get(request.agent, rows[0])
        yield Item((*key, "line"))
        yield from _lines(key, request, row.name if request.agent == row.agent else request.agent, widest)
        yield Item((*key, "why"), cut(f"Why: {row.why}", widest))
        yield from _answers(key, request, widest)
        yield from _together(key, request, requests, widest)
    if requests:
        yield Item((*session, "request", "end"))


def _lines(key: Key, request: Request, agent: str, widest: int) -> Iterator[Item]:
    who = "Asks" if request.agent == MAIN else f"{tidy(agent, LONG)} asks"
    yield Item((*key, "tool"), cut(f"{who} for {tidy(request.tool, LONG)}:", widest))
    for number, line in enumerate(_drawn(request, widest)[:MOST_LINES]):
        yield Item((*key, "text", str(number)), f"   {line}" if line.strip() else "   ·")
    lacks = _lacks(request, widest)
    if lacks:
        yield Item((*key, "lacks"), cut(f"{TROUBLE.symbol} {lacks.capitalize()}: {remedy(request)}", widest))


def _answers(key: Key, request: Request, widest: int) -> Iterator[Item]:
    # Deny comes first: whoever opens the menu with the keyboard stands on the first that can be chosen.
    yield Item((*key, "deny"), "Deny", _choice(MenuAction.DENY, request))
    if not _lacks(request, widest):
        if request.kind != QUESTION:
            yield Item((*key, "allow"), "Allow", _choice(MenuAction.ALLOW, request))
        for number, label in enumerate(_options(request), 1):
            words = cut(f"Answer: {tidy(label, LONG)}", widest)
            yield Item((*key, "answer", str(number)), words, _choice(MenuAction.ANSWER, request, number))


def _together(key: Key, request: Request, requests: Sequence[Request], widest: int) -> Iterator[Item]:
    """Below the last of those that are byte for byte the same: each of them was drawn before it."""
    same = equal_to(request, requests)
    if len(same) > 1 and [one for one in requests if one in same][-1] is request and not _lacks(request, widest):
        others = tuple((one.id, one.digest()) for one in same[1:])
        ids = tuple(sorted(id_ for id_, _ in others))  # another item where others are meant
        choice = _choice(MenuAction.ALLOW, request)._replace(others=others)
        yield Item((*key, "together", *ids), f"Allow all {len(same)} equal requests", choice)


def _options(request: Request) -> Sequence[str]:
    """Of one question, of which one is chosen: others need words, and a terminal."""
    asked = questions(request) if request.kind == QUESTION else ()
    return asked[0].labels if len(asked) == 1 and not asked[0].several else ()


def _choice(action: MenuAction, request: Request, option: int = 0) -> Choice:
    return Choice(action, request.session, request=request.id, digest=request.digest(), option=option)


def _drawn(request: Request, widest: int) -> list[str]:
    return [part for line in shown(request).lines for part in fold(line, widest - 3)]


def _lacks(request: Request, widest: int) -> str:
    """Why not all of it is in the menu; '' if it is."""
    return shown(request).lacks or (TOO_LONG if len(_drawn(request, widest)) > MOST_LINES else "")
