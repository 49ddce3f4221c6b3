"""What a person sees of a request, line by line, and whether that is all of it: only then may it be allowed. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import bidirectional, category

from answers.request import PLAN, QUESTION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from answers.request import Request

MOST_LINES, WIDEST = 120, 2000
HARMLESS = "\t"
HIDDEN = "�"  # in the place of a character that cannot be seen, or that turns the order of others round
TOO_LONG = "it is too long to be shown whole"
NO_PLAN = "the client does not say what the plan is"
UNSEEN = "it holds characters that cannot be seen"
TURNED = "it holds letters that are written from right to left, which are drawn in another order"
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that are drawn as nothing
LEFTWARDS = ("R", "AL", "AN")  # in whose neighbourhood signs and numbers change their places
EDITS = ("old_string", "new_string")


class Question(NamedTuple):
    """As the client gave it: only what `shown` makes of it is fit to be drawn."""

    text: str
    labels: tuple[str, ...]
    abouts: tuple[str, ...]  # what is said of each
    several: bool  # whether several may be chosen


class Shown(NamedTuple):
    lines: tuple[str, ...]
    lacks: str = ""  # why this is not all of it; '' if it is

    @property
    def is_whole(self) -> bool:
        return not self.lacks


def shown(request: Request) -> Shown:
    """Every part of the input is in it. What cannot be shown is marked, and named in `lacks`."""
    lines = [line for text in _texts(request) for line in text.split("\n")]
    clean = tuple(_clean(line) for line in lines[:MOST_LINES])
    if request.kind == PLAN and not isinstance(request.input.get("plan"), str):
        return Shown(clean, NO_PLAN)
    if any(not _is_seen(line) for line in lines):
        return Shown(clean, UNSEEN)
    if any(not line.isascii() and any(bidirectional(char) in LEFTWARDS for char in line) for line in lines):
        return Shown(clean, TURNED)
    if len(lines) > MOST_LINES or any(len(line) > WIDEST for line in lines):
        return Shown(tuple(line[:WIDEST] for line in clean), TOO_LONG)
    return Shown(clean)


def remedy(request: Request) -> str:
    """What a person can do with a request that may not be allowed from outside."""
    return "it can only be denied" if request.host else "look at it in its terminal"


def questions(request: Request) -> tuple[Question, ...]:
    """Those of a request that is one; what is none is left out."""
    asked = request.input.get("questions")
    found = [one for one in asked if isinstance(one, dict)] if isinstance(asked, list) else []
    return tuple(_question(one) for one in found if isinstance(one.get("question"), str))


def _texts(request: Request) -> Iterator[str]:
    given = dict(request.input)
    if request.kind == QUESTION and questions(request):
        yield from _asked(request)
        given.pop("questions")
    elif request.kind == PLAN and isinstance(given.get("plan"), str):
        yield given.pop("plan")
    elif isinstance(given.get("command"), str):
        yield given.pop("command")
    elif isinstance(given.get("file_path"), str):
        yield given.pop("file_path")
        yield from _edit(given)
    yield from (f"{key}: {_plain(value)}" for key, value in given.items())


def _question(one: dict[str, Any]) -> Question:
    given = one.get("options")
    options = [option for option in given if isinstance(option, dict)] if isinstance(given, list) else []
    options = [option for option in options if isinstance(option.get("label"), str)]
    abouts = (option.get("description") for option in options)
    return Question(
        one["question"],
        tuple(option["label"] for option in options),
        tuple(about if isinstance(about, str) else "" for about in abouts),
        one.get("multiSelect") is True,
    )


def _asked(request: Request) -> Iterator[str]:
    for one in questions(request):
        yield one.text + (" (several may be chosen)" if one.several else "")
        for number, (label, about) in enumerate(zip(one.labels, one.abouts, strict=True), 1):
            yield f"  {number}. {label}: {about}" if about else f"  {number}. {label}"


def _edit(given: dict[str, Any]) -> Iterator[str]:
    """What goes and what comes; these parts are taken out of `given`."""
    old, new = (given.get(key) for key in EDITS)
    if isinstance(old, str) and isinstance(new, str):
        for key in EDITS:
            del given[key]
        yield from _difference(old, new)
    elif isinstance(given.get("content"), str):
        yield from (f"+ {line}" for line in given.pop("content").split("\n"))


def _difference(old: str, new: str) -> Iterator[str]:
    """Whole, without anything left out between two changes. Lines are compared, not letters: that may take minutes."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - most requests are no edits

    before, after = old.split("\n"), new.split("\n")
    if max(len(before), len(after)) > MOST_LINES:  # not all of it is shown anyway
        yield from (f"- {line}" for line in before)
        yield from (f"+ {line}" for line in after)
        return
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (f"  {line}" for line in before[a:b])
        else:
            yield from (f"- {line}" for line in before[a:b])
            yield from (f"+ {line}" for line in after[c:d])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_seen(line: str) -> bool:
    """Each character has a place of its own: none is invisible, none is drawn over another."""
    return (line.isascii() and line.replace("\t", "").isprintable()) or all(map(_has_place, line))


def _has_place(char: str) -> bool:
    return char in HARMLESS or (char.isprintable() and not category(char).startswith("M") and char not in BLANKS)


def _clean(line: str) -> str:
    line = line.replace("\t", "    ")
    return line if _is_seen(line) else "".join(char if _has_place(char) else HIDDEN for char in line)


def as_record(request: Request) -> Mapping[str, Any]:
    """For programs: what is asked, whole."""
    found = shown(request)
    return {
        "id": request.id, "kind": request.kind, "client": request.client, "session_id": request.session,
        "agent": request.agent, "tool": request.tool, "input": request.input, "cwd": request.cwd, "since": request.at,
        "mode": request.mode, "host": request.host, "can_allow": found.is_whole and request.kind != QUESTION,
        "lacks": found.lacks, "digest": request.digest(),
    }  # fmt: skip
