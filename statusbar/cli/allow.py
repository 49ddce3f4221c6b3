"""`yourturn allow`: lets an agent do what it asks for, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import word
from answers.request import QUESTION
from answers.same_requests import are_equal, equal_to
from answers.word import Word
from contract import typed
from statusbar.cli import answering
from statusbar.cli.answering import REFUSED, NotDone, must_be_seen, must_be_whole

if TYPE_CHECKING:
    import argparse

    from answers.request import Request
    from statusbar.cli.answering import Decided, Desk


def run(args: argparse.Namespace) -> int:
    return answering.run(args, _decide)


def _decide(desk: Desk, args: argparse.Namespace) -> Decided:
    named = [desk.the_one(name) for name in args.requests] or [desk.the_one("")]
    meant = list({request.id: request for request in named}.values())
    for request in meant:
        _must_be_allowable(request)
    if not are_equal(meant):
        raise NotDone("only what is byte for byte the same can be allowed together: allow them one by one", REFUSED)
    if args.equal:
        meant = equal_to(meant[0], desk.requests)
    # Whoever has given the id of each has seen each.
    if args.equal or not args.requests or not all(map(desk.by_id, args.requests)):
        must_be_seen(desk, meant, "Allow it?" if len(meant) == 1 else f"Allow all {len(meant)}?")
    return [(request, Word(deed=word.ALLOW, by="command")) for request in meant]


def _must_be_allowable(request: Request) -> None:
    if request.kind == QUESTION:
        raise NotDone(f"it asks a question: {typed.command(f'answer {request.id} CHOICE')}", REFUSED)
    must_be_whole(request)
