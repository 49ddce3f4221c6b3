"""A request in `yourturn top`: the whole of it, why the light is on, and which keys answer it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from answers.request import QUESTION
from answers.request_text import questions, remedy, shown
from statusbar.cli.pieces import Line, Piece
from statusbar.cli.requests import asker
from statusbar.model import request_owner
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from answers.request import Request
    from statusbar.model.rows import Row
    from statusbar.model.snapshot import Statuses

NONE = "Nothing that this agent asks for can be answered from here."
OVER = "This request is over: it was answered, or its agent has ended. r shows what is asked for now, q goes back."
LONG = 400


class Drawn(NamedTuple):
    """What was drawn of a request, as far as the next key needs it."""

    request: Request
    can_allow: bool
    options: tuple[str, ...] = ()  # of its only question, if one of them is to be chosen


def of_row(row: Row | None, requests: Sequence[Request], known: Container[str] = ()) -> Request | None:
    """The oldest request of the row's agent; on the row of a session, of any of its agents. `known`: all sessions."""
    asked = [one for one in requests if row and request_owner.owner(one, known) == row.session_id]
    return next((one for one in asked if row and row.agent in ("", one.agent)), None)


def drawn(request: Request) -> Drawn:
    asked = questions(request) if request.kind == QUESTION else ()
    is_whole = shown(request).is_whole
    options = asked[0].labels if is_whole and len(asked) == 1 and not asked[0].several else ()
    return Drawn(request, can_allow=is_whole and request.kind != QUESTION, options=options)


def lines(request: Request, statuses: Statuses, columns: int) -> list[Line]:
    seen, why = shown(request), request_owner.why_it_asks(request, statuses)
    head: list[Line] = [(Piece(asker(request, statuses), "bold"), Piece(f"  asks for {tidy(request.tool, LONG)}"))]
    head += [*([(Piece(f"in {tidy(request.cwd, LONG)}"),)] if request.cwd else []), ()]
    body: list[Line] = [(Piece(part),) for line in seen.lines for part in fold(line, max(columns, 1))]
    if seen.lacks:
        body += [(), (Piece(TROUBLE.symbol, TROUBLE.colour), Piece(f" {seen.lacks}: {remedy(request)}"))]
    return [*head, *body, (), (Piece(f"why: {why}" if why else ""),)]


def keys(what: Drawn | None) -> tuple[tuple[str, str], ...]:
    if what is None:
        return ()
    allow = (("a", "allow"),) if what.can_allow else ()
    options = (("1-9", "answer"),) if what.options else ()
    go = () if what.request.host else (("Enter", "go to its terminal"),)
    return (*allow, *options, ("d", "deny"), ("m", "deny with a message"), *go)
