"""`yourturn allow`: lets an agent do what it asks for, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import word
from answers.asked import QUESTION
from answers.word import Word
from contract import typed
from statusbar.cli import answering
from statusbar.cli.answering import REFUSED, NotDone, must_be_seen, must_be_whole

if TYPE_CHECKING:
    import argparse

    from answers.asked import Request
    from statusbar.cli.answering import Desk


def run(args: argparse.Namespace) -> int:
    return answering.run(args, _decide)


def _decide(desk: Desk, args: argparse.Namespace) -> tuple[Request, Word]:
    request = desk.the_one(args.request)
    if request.kind == QUESTION:
        raise NotDone(f"it asks a question: {typed.command(f'answer {request.id} CHOICE')}", REFUSED)
    must_be_whole(request)
    if not args.request:
        must_be_seen(desk, request, "Allow it?")
    return request, Word(deed=word.ALLOW, by="command")
