"""From what a person typed to the answers that the client takes, one for each question. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from answers.request_text import Question

BETWEEN = ", "  # as the client has several labels


class Unfit(ValueError):  # noqa: N818 - an expected outcome
    """It does not answer the questions."""


def texts(questions: Sequence[Question], words: Sequence[str]) -> tuple[str, ...]:
    if len(words) != len(questions):
        asked = "1 question" if len(questions) == 1 else f"{len(questions)} questions"
        raise Unfit(f"it asks {asked}, and there are {len(words)} answers: give one for each, in quotes")
    return tuple(text(question, word) for question, word in zip(questions, words, strict=True))


def text(question: Question, word: str) -> str:
    """The number of an option or its label; several, where that may be, with commas between; else free text."""
    parts = [part.strip() for part in word.split(",")] if question.several else [word.strip()]
    chosen = [_label(question, part) for part in parts]
    if all(chosen):
        return BETWEEN.join(label for label in chosen if label)
    if not word.strip():
        raise Unfit("an empty answer is none")
    if word.strip().isdecimal():
        raise Unfit(f"there is no option {word.strip()}: they are 1 to {len(question.labels)}")
    return word.strip()


def _label(question: Question, part: str) -> str | None:
    if part.isascii() and part.isdecimal() and 1 <= int(part) <= len(question.labels):
        return question.labels[int(part) - 1]
    return next((label for label in question.labels if label.casefold() == part.casefold()), None)
