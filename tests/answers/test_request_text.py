"""What a person sees of a request, and what may be allowed."""

from __future__ import annotations

from typing import Any

import pytest

from answers import choice, request_text
from answers.choice import Unfit
from answers.request import KINDS, PERMISSION, PLAN, QUESTION, Request
from support import asking


def request(tool: str = "Bash", kind: str = PERMISSION, **given: Any) -> Request:
    return Request(id="0" * 16, session="s", agent="main", tool=tool, kind=kind, input=given)


def lines(*given: Any, **more: Any) -> list[str]:
    return list(request_text.shown(request(*given, **more)).lines)


def test_of_a_command_every_part_is_shown() -> None:
    asked = request(command="make \\\n  test", description="run it", run_in_background=True, timeout=5)
    found = request_text.shown(asked)
    assert found.is_whole
    assert found.lines == ("make \\", "  test", "description: run it", "run_in_background: true", "timeout: 5")


def test_of_an_edit_the_difference_is_shown_without_anything_left_out() -> None:
    found = lines(
        "Edit", file_path="/p/a.py", old_string="one\ntwo\nthree", new_string="one\n2\nthree", replace_all=True
    )
    assert found == ["/p/a.py", "  one", "- two", "+ 2", "  three", "replace_all: true"]


def test_of_a_file_that_is_written_all_lines_are_shown() -> None:
    assert lines("Write", file_path="/p/new", content="a\n\nb") == ["/p/new", "+ a", "+ ", "+ b"]


def test_what_a_server_is_asked_for_is_shown_by_its_names() -> None:
    assert lines("mcp__x__y", a={"b": [1, None]}, c="d\ne") == ['a: {"b": [1, null]}', "c: d", "e"]


@pytest.mark.parametrize(
    "text",
    [
        "a\x1b[2Kb",
        "a\rb",
        "a\u202eb",
        "a\u2066b",
        "a\u200bb",
        "a\x00b",
        "a\u0301b",
        "a\ufe0fb",
        "a\u00a0b",
        "a\u3164b",
        "a\u2800b",
        "a\u115fb",
        "a\ud800b",
        "a\x7fb",
    ],
    ids=ascii,
)
def test_what_holds_characters_that_cannot_be_seen_may_not_be_allowed(text: str) -> None:
    for given in ({"command": text}, {"command": "ls", text: 1}):
        found = request_text.shown(request(**given))
        assert found.lacks == request_text.UNSEEN
        assert all(line.isprintable() for line in found.lines)
    nested = request_text.shown(request(command="ls", more=[{"x": text}]))
    is_spelt_out = "\\u00" in nested.lines[1] or "\\r" in nested.lines[1]
    assert nested.lacks == request_text.UNSEEN or is_spelt_out
    assert all(line.isprintable() for line in nested.lines)


@pytest.mark.parametrize("text", ["x\n" * 200, "x" * 5000])
def test_what_is_too_long_may_not_be_allowed(text: str) -> None:
    found = request_text.shown(request(command=text))
    assert (found.lacks, len(found.lines) <= request_text.MOST_LINES) == (request_text.TOO_LONG, True)


def test_letters_that_are_drawn_in_another_order_may_not_be_allowed() -> None:
    found = request_text.shown(request(command="rm -rf \u05d0/\u05d1"))
    assert (found.lacks, found.lines) == (request_text.TURNED, ("rm -rf \u05d0/\u05d1",))


def test_an_edit_of_long_lines_is_shown_at_once() -> None:
    """Letter by letter, two such would be compared for hours."""
    old, new = ("\n".join(f"{letter * 900}{k}" for k in range(110)) for letter in "ab")
    found = request_text.shown(request("Edit", file_path="/p", old_string=old, new_string=new))
    assert len(found.lines) == request_text.MOST_LINES


def test_a_tab_and_letters_of_all_languages_may() -> None:
    found = request_text.shown(request(command="echo\tÄöü 漢字"))
    assert (found.is_whole, found.lines) == (True, ("echo    Äöü 漢字",))


def test_a_plan_that_is_not_told_may_not_be_approved() -> None:
    assert request_text.shown(request("ExitPlanMode", PLAN)).lacks == request_text.NO_PLAN
    assert request_text.shown(request("ExitPlanMode", PLAN, plan="# a\nb")).lines == ("# a", "b")


def test_a_question_is_shown_with_its_options() -> None:
    asked = request("AskUserQuestion", QUESTION, **asking.QUESTION["tool_input"])
    assert request_text.shown(asked).lines == (
        "Which colour?", "  1. Red", "  2. Green: calm", "Which sizes? (several may be chosen)", "  1. S", "  2. L",
    )  # fmt: skip


@pytest.mark.parametrize("broken", [None, 7, [], [7], [{"question": 7}], [{"question": "x", "options": 7}], {}])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_in_it_something_is_shown(broken: Any, kind: str) -> None:
    found = request_text.shown(request("X", kind, questions=broken, plan=broken, file_path=broken))
    assert found.lines
    assert isinstance(request_text.questions(request("X", kind, questions=broken)), tuple)


# What a person answers


def answered(*words: str) -> tuple[str, ...]:
    return choice.texts(request_text.questions(request(kind=QUESTION, **asking.QUESTION["tool_input"])), words)


def test_options_are_chosen_by_number_or_label_and_words_of_ones_own_are_fine() -> None:
    assert answered("2", "1,2") == ("Green", "S, L")
    assert answered("green", "l") == ("Green", "L")
    assert answered("rather blue, please", "XL, please") == ("rather blue, please", "XL, please")


@pytest.mark.parametrize("words", [(), ("1",), ("1", "1", "1"), ("", "1"), ("3", "1"), ("0", "1")])
def test_what_answers_no_question_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(Unfit):
        answered(*words)
