"""Claude Code's transcripts: titles, last words, questions that are open, model, context and branch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.clients import claude
from conversations.glimpse import WORDS, Glimpse
from conversations.reader import read
from support.showing import HOSTILE
from support.transcript_lines import (
    assistant,
    calls,
    interrupt,
    last_word,
    line,
    prompt,
    result,
    system,
    text_block,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TITLE = {"type": "ai-title", "aiTitle": "Fix the login", "sessionId": "s"}
ASKED = {"questions": [{"question": "Which format?", "header": "Format", "options": []}]}


class Lines:
    """The ends of a transcript that has these lines."""

    def __init__(self, *lines: bytes, head: tuple[bytes, ...] = ()) -> None:
        self._lines, self._head, self.read = lines, head, 0

    def backwards(self) -> Iterator[bytes]:
        for each in reversed(self._lines):
            self.read += len(each)
            yield each

    def head(self) -> list[bytes]:
        return list(self._head)


def seen(*lines: bytes, head: tuple[bytes, ...] = ()) -> Glimpse:
    return claude.glimpse(Lines(*lines, head=head))  # type: ignore[arg-type]


def raw(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


def asks(tool: str = "AskUserQuestion", id_: str = "t1", **given: Any) -> bytes:
    return assistant({"type": "tool_use", "id": id_, "name": tool, "input": given or ASKED})


def reply(model: str = "claude-opus-5-5", **usage: Any) -> bytes:
    message = {"id": "m", "model": model, "content": [text_block("Hello")], "usage": usage}
    return line("assistant", message=message, gitBranch="main")


# What it said last


def test_the_last_words_are_those_of_the_last_reply_with_words() -> None:
    assert seen(last_word("One"), last_word("Two"), calls("t1"), result("t1")).last_words == "Two"


def test_the_words_of_a_sub_agent_are_not_the_main_agents() -> None:
    assert seen(last_word("Mine"), assistant(text_block("Its own"), isSidechain=True)).last_words == "Mine"


def test_what_the_client_writes_in_the_agents_place_is_not_what_it_said() -> None:
    error = {"id": "e", "model": "<synthetic>", "content": [text_block("API Error: 400")]}
    found = seen(reply(input_tokens=7), line("assistant", message=error, isApiErrorMessage=True))
    assert (found.last_words, found.model, found.context_tokens) == ("Hello", "claude-opus-5-5", 7)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("All done.", "All done."),
        ("\n\n  All done.\nThe rest", "All done."),
        ("## Summary\n\nI fixed **two** bugs.", "I fixed two bugs."),
        ("# Only a heading", "Only a heading"),
        ("```sh\nrm -rf build\n```\nThen run it.", "Then run it."),
        ("---\n***\n- first\n- second", "first"),
        ("> **Note:** it is late", "Note: it is late"),
        ("| a | b |\n|---|---|", "a | b"),
        ("...\n!!!", ""),
        ("✅ All 12 tests pass 🎉", "All 12 tests pass"),
        ("⚠️ Lint ✓, types ✗", "Lint ✓, types ✗"),
        ("テストは通りました", "テストは通りました"),
        ("", ""),
    ],
)
def test_of_a_text_the_first_line_that_says_something_is_shown_without_its_markdown(text: str, words: str) -> None:
    assert seen(last_word(text)).last_words == words


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_one_clean_line(text: str) -> None:
    found = seen(
        raw({"type": "custom-title", "customTitle": text}), last_word(text), asks(questions=[{"question": text}])
    )
    for shown in (found.title, found.last_words, found.question):
        assert shown.isprintable()
        assert len(shown) <= WORDS


# What it asks


def test_a_question_that_is_open_is_told() -> None:
    found = seen(prompt(), assistant(text_block("I wonder")), asks(), raw({"type": "mode", "mode": "normal"}))
    assert (found.question, found.last_words) == ("Which format?", "I wonder")


def test_of_several_questions_the_first_is_told_and_how_many_more_there_are() -> None:
    assert seen(asks(questions=[{"question": "One?"}, {"question": "Two?"}, {}])).question == "One? (and 2 more)"


def test_a_question_without_text_is_told_by_its_header() -> None:
    assert seen(asks(questions=[{"header": "Format"}])).question == "Format"


def test_of_a_plan_the_first_line_is_told() -> None:
    assert seen(asks("ExitPlanMode", plan="# Move the tests\n1. do it")).question == "Move the tests"


def test_a_call_that_asks_nobody_is_no_question() -> None:
    assert seen(calls("t1")).question == ""


def test_a_question_beside_another_call_stays_open_until_it_is_answered_itself() -> None:
    both = (prompt(), asks(id_="t1"), calls("t2"), result("t2"))
    assert seen(*both).question == "Which format?"
    assert seen(*both, result("t1")).question == ""


@pytest.mark.parametrize("after", [prompt("never mind"), interrupt(), last_word("Well").replace(b'"m1"', b'"m2"')])
def test_who_went_on_does_not_ask_any_more(after: bytes) -> None:
    assert seen(asks(), after).question == ""


def test_a_remark_of_the_client_does_not_end_a_question() -> None:
    assert seen(asks(), prompt("a reminder", isMeta=True), system("away_summary")).question == "Which format?"


# What it is called


def test_a_persons_title_comes_before_the_clients() -> None:
    custom = raw({"type": "custom-title", "customTitle": "my login"})
    assert seen(custom, raw(TITLE), last_word()).title == "my login"
    assert seen(raw(TITLE), last_word()).title == "Fix the login"


def test_a_persons_title_counts_though_the_clients_is_nearer_to_the_end() -> None:
    """The client writes both, its own last, and more after them."""
    custom = raw({"type": "custom-title", "customTitle": "my login"})
    talk = [prompt(), last_word("One"), prompt(), last_word("Two").replace(b'"m1"', b'"m2"')]
    assert seen(*talk, custom, raw(TITLE), raw({"type": "mode"}), *talk).title == "my login"


def test_the_last_title_counts() -> None:
    assert seen(raw(TITLE), raw({**TITLE, "aiTitle": "Fix the logout"}), last_word()).title == "Fix the logout"


def test_a_title_at_the_beginning_counts_if_there_is_none_at_the_end() -> None:
    old = raw({"type": "summary", "summary": "An old one", "leafUuid": "x"})
    assert seen(prompt(), last_word(), head=(old, raw(TITLE))).title == "Fix the login"
    assert seen(prompt(), last_word(), head=(old,)).title == "An old one"
    assert seen(raw(TITLE), last_word(), head=(raw({**TITLE, "aiTitle": "Before"}),)).title == "Fix the login"


def test_what_merely_mentions_a_title_is_none() -> None:
    assert seen(prompt('{"type":"ai-title","aiTitle":"no"}'), last_word('"custom-title"')).title == ""


# Model, context, branch, worktree


def test_the_context_is_all_that_the_model_was_given_for_its_last_reply() -> None:
    usage: Any = {"input_tokens": 1200, "cache_read_input_tokens": 5000, "cache_creation_input_tokens": 300}
    found = seen(reply(), reply(**usage, output_tokens=999))
    assert (found.context_tokens, found.context_limit, found.branch) == (6500, 1_000_000, "main")
    assert found.context_share == pytest.approx(0.0065)


@pytest.mark.parametrize(
    ("model", "limit"),
    [("claude-haiku-4-5-20251001", 200_000), ("claude-sonnet-4-6", None), ("gpt-9", None), ("", None)],
)
def test_a_limit_that_is_not_known_for_sure_stays_unknown(model: str, limit: int | None) -> None:
    found = seen(reply(model, input_tokens=10))
    assert (found.context_limit, found.context_share is None) == (limit, limit is None)


@pytest.mark.parametrize("count", [True, -1, "7", None, 10**30, 1.5])
def test_what_is_no_number_of_tokens_is_unknown(count: Any) -> None:
    assert seen(reply(input_tokens=count)).context_tokens is None


def test_a_worktree_is_told_until_it_is_left() -> None:
    inside = raw({"type": "worktree-state", "worktreeSession": {"worktreeName": "hotfix"}})
    assert seen(inside, last_word()).worktree == "hotfix"
    assert seen(inside, raw({"type": "worktree-state", "worktreeSession": None}), last_word()).worktree == ""


# Whatever the file holds

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "message", "content", "model", "usage", "input", "questions", "id", "name", "text"]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(ANYTHING, max_size=5), st.sampled_from(["assistant", "user", "ai-title", "worktree-state"]))
def test_no_value_in_any_place_is_any_trouble(values: list[Any], kind: str) -> None:
    wrapped = [{"type": kind, "message": value, "worktreeSession": value, "aiTitle": value} for value in values]
    blocks = [{"type": "tool_use", "name": "AskUserQuestion", "id": value, "input": value} for value in values]
    lines = [raw(each) for each in (*wrapped, {"type": "assistant", "message": {"content": blocks, "usage": values}})]
    assert isinstance(seen(*lines, head=tuple(lines)), Glimpse)


def test_a_recorded_transcript_is_read_as_it_is(tmp_path: Path) -> None:
    """As the client writes it, with blanks or without."""
    lines = [prompt(), reply(input_tokens=3), asks(), raw(TITLE)]
    for made in (lines, [json.dumps(json.loads(each)).encode() for each in lines]):
        (tmp_path / "s.jsonl").write_bytes(b"\n".join(made) + b"\n")
        found = read("claude", str(tmp_path / "s.jsonl"))
        assert (found.title, found.last_words, found.question) == ("Fix the login", "Hello", "Which format?")
