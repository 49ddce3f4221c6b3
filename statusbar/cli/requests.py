"""`yourturn requests`: what agents ask for at the moment, whole, where it can be answered from here."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

from answers import open_requests
from answers.request import QUESTION
from answers.request_text import as_record, shown
from contract import paths, typed
from statusbar.cli import output
from statusbar.cli.pieces import Line, Piece
from statusbar.model import reader, request_owner
from statusbar.model.names import session_name
from statusbar.text import ages
from statusbar.text.symbols import LOOKS, TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from answers.request import Request
    from statusbar.model.snapshot import Statuses

NONE = "No request can be answered from here."
VERSION = 1
LONG = 80


def run(args: argparse.Namespace) -> int:
    home = paths.home()
    found, statuses = open_requests.requests(home), reader.read(home)
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        records = [as_record(one) for one in found]
        out.write(json.dumps({"v": VERSION, "requests": records}, indent=2 if out.is_terminal else None) + "\n")
        return 0
    out.draw(page(found, statuses, time.time()))
    return 0


def page(found: Iterable[Request], statuses: Statuses, now: float) -> list[Line]:
    lines = [line for request in found for line in (*described(request, statuses, now), ())]
    return lines[:-1] or [(Piece(NONE),)]


def described(request: Request, statuses: Statuses, now: float) -> Iterator[Line]:
    """Who asks, since when, the whole of it, and how it is answered."""
    look = LOOKS["needs_approval"]
    age = ages.fine_age(ages.elapsed(now, request.at))
    yield (
        Piece(look.symbol, look.colour),
        Piece(f" {request.id}", "bold"),
        Piece(f"  {asker(request, statuses)}  {age}"),
    )
    yield (Piece(f"  {tidy(request.tool, LONG)}{f' in {tidy(request.cwd, LONG)}' if request.cwd else ''}"),)
    seen = shown(request)
    yield from ((Piece(f"    {line}"),) for line in seen.lines)
    if seen.lacks:
        yield Piece(f"  {TROUBLE.symbol}", TROUBLE.colour), Piece(f" {seen.lacks}: it can only be denied from here")
    deed = "answer" if request.kind == QUESTION else "allow"
    if seen.is_whole:
        yield (Piece(f"  {typed.command(f'{deed} {request.id}')}{' CHOICE' if deed == 'answer' else ''}"),)


def asker(request: Request, statuses: Statuses) -> str:
    session = request_owner.session_of(request, statuses)
    name = session_name(session) if session else tidy(request.session, LONG)
    return name if request.agent == paths.MAIN else f"{name}/{tidy(request.agent, LONG)}"
