"""What the menu sends to an agent that asks: the person's answer to what the menu drew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import give, word
from answers.request_text import questions
from answers.word import Word
from statusbar.menu.model import MenuAction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from answers.request import Request
    from statusbar.menu.model import Choice

OVER = "This request is not open any more."
DEEDS = {MenuAction.ALLOW: word.ALLOW, MenuAction.DENY: word.DENY, MenuAction.ANSWER: word.ANSWER}


def do(choice: Choice, drawn: Mapping[str, Request], home: str) -> str:
    """A sentence that says what came of it. `drawn`: the requests as the menu shows them, by id."""
    wanted = ((choice.request, choice.digest), *choice.others)
    requests = [drawn[id_] for id_, digest in wanted if id_ in drawn and drawn[id_].digest() == digest]
    if len(requests) < len(wanted):
        return OVER
    outcomes = [give.give(home, request, _word(choice, request)) for request in requests]
    if len(outcomes) == 1:
        return outcomes[0].words.capitalize() + "."
    failed = next((outcome.words for outcome in outcomes if not outcome.ok), "")
    done = f"Allowed {sum(outcome.ok for outcome in outcomes)} of {len(outcomes)}"
    return f"{done}: {failed}." if failed else f"{done}."


def _word(choice: Choice, request: Request) -> Word:
    """One for each request: it has an id and a digest of its own."""
    deed = DEEDS[MenuAction(choice.action)]
    texts = (questions(request)[0].labels[choice.option - 1],) if deed == word.ANSWER else ()
    return Word(deed=deed, by="menu", message=word.NO if deed == word.DENY else "", texts=texts)
