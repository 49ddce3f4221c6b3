"""What agents say and how sessions are called, on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from conversations.glimpse import Glimpse
from statusbar.model.board import Order, board, filtered, shown
from statusbar.model.names import name_in_project
from statusbar.text.width import width
from support.showing import HOSTILE, NOW, agent, session, statuses

if TYPE_CHECKING:
    from statusbar.model.rows import Row

SAID = Glimpse(title="Fix the login", last_words="All done.", question="Which format?")


def rows(*sessions: SessionStatus, told: dict[str, Glimpse], **view: Any) -> tuple[Row, ...]:
    return board(statuses(*sessions), NOW, told, **view).rows


def row(one: SessionStatus, glimpse: Glimpse = SAID, **view: Any) -> Row:
    return rows(one, told={one.session_id: glimpse}, **view)[0]


def test_a_question_is_shown_as_it_is_asked() -> None:
    asks = session("a", NEEDS_APPROVAL, detail="question", agents=(agent("main", NEEDS_APPROVAL, detail="question"),))
    found = row(asks)
    assert (found.look.word, found.words) == ("needs you", "“Which format?”")
    assert row(asks, Glimpse()).words == "a question"


def test_of_a_plan_the_first_line_is_shown_and_it_still_needs_approval() -> None:
    found = row(session("a", NEEDS_APPROVAL, detail="plan"), Glimpse(question="Move the tests"))
    assert (found.look.word, found.words) == ("needs approval", "“Move the tests”")


def test_a_call_that_needs_approval_is_shown_and_not_an_older_question() -> None:
    blocked = session("a", NEEDS_APPROVAL, detail="Bash: rm x", quote="rm x")
    assert row(blocked).words == "Bash: “rm x”"


def test_the_question_of_a_sub_agent_is_not_the_main_agents() -> None:
    sub = agent("sub", NEEDS_APPROVAL, detail="question", parent="main")
    found = rows(session("a", NEEDS_APPROVAL, detail="question", agents=(agent(), sub)), told={"a": SAID})
    assert [one.words for one in found] == ["a question", "", "a question"]


def test_a_teammate_with_a_session_of_its_own_asks_in_its_own_words() -> None:
    mate = agent("m", NEEDS_APPROVAL, kind="teammate", name="ada", detail="question", parent="main")
    lead = session("lead", NEEDS_APPROVAL, detail="ada: question", agents=(agent(), mate))
    own = session("m", NEEDS_APPROVAL, detail="question", hidden=True)
    told = {"lead": Glimpse(question="not this"), "m": SAID}
    assert [one.words for one in rows(lead, own, told=told)] == ["ada: a question", "", "“Which format?”"]
    assert {one.session_id for one in shown(statuses(lead, own), NOW)} == {"lead", "m"}


def test_who_waits_shows_what_it_said_last_after_the_detail() -> None:
    assert row(session("a", WAITING)).words == "“All done.”"
    assert row(session("a", WAITING, detail="interrupted")).words == "interrupted “All done.”"
    assert row(session("a", WORKING, detail="Bash")).words == "Bash"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_stay_in_their_quotes(text: str) -> None:
    found = row(session("a", WAITING), Glimpse(last_words=f"”{text}“ needs you"))
    assert found.words.isprintable()
    assert (found.words.count("“"), found.words.count("”")) == (1, 1)
    assert (found.words[0], found.words[-1]) == ("“", "”")
    assert width(found.words) <= 2 * 160


def test_a_session_is_called_by_its_title_unless_somebody_named_it_when_spawning() -> None:
    assert row(session("a")).name == "Fix the login"
    assert row(session("a", spawned=True)).name == "a-name"
    assert row(session("a"), Glimpse()).name == "a-name"


def test_two_sessions_of_one_title_are_told_apart() -> None:
    found = rows(session("abcdef"), session("uvwxyz"), told={"abcdef": SAID, "uvwxyz": SAID})
    assert [one.name for one in found] == ["Fix the login abcd", "Fix the login uvwx"]


def test_sorted_by_name_is_by_the_name_that_is_shown() -> None:
    told = {"a": Glimpse(title="Zebra"), "b": Glimpse(title="ant")}
    found = rows(session("a"), session("b"), told=told, order=Order.NAME)
    assert [one.name for one in found] == ["ant", "Zebra"]


@pytest.mark.parametrize(
    ("name", "project", "beside"),
    [
        ("api", "api", ""),
        ("api-9a", "api", "9a"),
        ("api 1a2b", "work/api", "1a2b"),
        ("hotfix", "shop@hotfix", ""),
        ("api-login", "api", "api-login"),
        ("Fix the login", "api", "Fix the login"),
        ("api", "", "api"),
    ],
)
def test_the_project_is_not_named_twice_in_a_row(name: str, project: str, beside: str) -> None:
    assert name_in_project(name, project) == beside


def test_what_was_said_can_be_filtered_by() -> None:
    whole = board(statuses(session("a", WAITING), session("b", WAITING)), NOW, {"a": SAID})
    assert [one.session_id for one in filtered(whole, "all done").rows] == ["a"]


def test_ages_are_in_seconds_only_where_asked_for_and_then_they_change_at_each_second() -> None:
    young, old = session("a", since=NOW - 7.25), session("b", since=NOW - 90)
    coarse, fine = (board(statuses(young, old), NOW, fine=fine) for fine in (False, True))
    assert sorted(one.age for one in coarse.rows) == ["1 m", "now"]
    assert sorted(one.age for one in fine.rows) == ["1 m", "7 s"]
    assert (coarse.changes_at, fine.changes_at) == (NOW + 30, NOW + 0.75)
    assert board(statuses(old), NOW, fine=True).changes_at == NOW + 30, "who is older costs what it did"


def test_transcripts_of_sessions_that_are_not_drawn_are_not_read() -> None:
    stale = session("stale", WAITING, since=NOW - 13 * 3600)
    some = statuses(session("a"), stale, session("helper", hidden=True))
    assert {one.session_id for one in shown(some, NOW)} == {"a"}
    every = shown(some, NOW, show_hidden=True, unfold=True)
    assert {one.session_id for one in every} == {"a", "stale", "helper"}
