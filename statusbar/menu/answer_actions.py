"""What the menu sends to an agent that asks: the person's answer to what the menu drew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import give, word
from answers.shown import questions
from answers.word import Word
from statusbar.menu.model import MenuAction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from answers.asked import Request
    from statusbar.menu.model import Choice

OVER = "This request is not open any more."
DEEDS = {MenuAction.ALLOW: word.ALLOW, MenuAction.DENY: word.DENY, MenuAction.ANSWER: word.ANSWER}


def do(choice: Choice, drawn: Mapping[str, Request], home: str) -> str:
    """A sentence that says what came of it. `drawn`: the requests as the menu shows them, by id."""
    request = drawn.get(choice.request)
    if request is None or request.digest() != choice.digest:
        return OVER
    deed = DEEDS[MenuAction(choice.action)]
    answer = Word(deed=deed, by="menu", message=word.NO if deed == word.DENY else "")
    if deed == word.ANSWER:
        answer.texts = (questions(request)[0].labels[choice.option - 1],)
    return give.give(home, request, answer).words.capitalize() + "."
