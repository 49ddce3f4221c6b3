"""`yourturn answer`: answers the question that an agent asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import choice, word
from answers.request import QUESTION
from answers.request_text import questions
from answers.word import Word
from contract import typed
from statusbar.cli import answering
from statusbar.cli.answering import REFUSED, NotDone, must_be_seen, must_be_whole

if TYPE_CHECKING:
    import argparse

    from statusbar.cli.answering import Decided, Desk


def run(args: argparse.Namespace) -> int:
    return answering.run(args, _decide)


def _decide(desk: Desk, args: argparse.Namespace) -> Decided:
    """The first word names the request if it begins an id, or if there is one more than there are questions."""
    named, words = "", list(args.words)
    asking = [one for one in desk.requests if one.kind == QUESTION]
    if desk.by_id(words[0]) or len(asking) != 1 or len(words) > len(questions(asking[0])):
        named, words = words[0], words[1:]
    request = desk.the_one(named) if named else asking[0]
    if request.kind != QUESTION:
        raise NotDone(f"it asks no question: {typed.command(f'allow {request.id}')}", REFUSED)
    must_be_whole(request)
    texts = choice.texts(questions(request), words)
    if not named or not desk.by_id(named):
        must_be_seen(desk, [request], f"Answer {', '.join(texts)}?")
    return [(request, Word(deed=word.ANSWER, texts=texts, by="command"))]
