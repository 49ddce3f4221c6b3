"""`yourturn deny`: keeps an agent from what it asks for; it is told so, and goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import word
from answers.word import Word
from statusbar.cli import answering

if TYPE_CHECKING:
    import argparse

    from statusbar.cli.answering import Decided, Desk


def run(args: argparse.Namespace) -> int:
    return answering.run(args, _decide)


def _decide(desk: Desk, args: argparse.Namespace) -> Decided:
    return [(desk.the_one(args.request), Word(deed=word.DENY, message=args.message or word.NO, by="command"))]
