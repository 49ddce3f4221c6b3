"""What is drawn, and in which order."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, STATES, WAITING, WORKING, SessionStatus
from statusbar.model import projects
from statusbar.model.board import Board, Order, board, filtered
from statusbar.model.rows import Action, Kind
from statusbar.model.snapshot import Statuses
from statusbar.text import ages, symbols, width
from support.showing import HOSTILE, NOW, RESTS, agent, hostile, session, statuses

HOUR = 3600.0


def names(whole: Board) -> list[str]:
    return [row.name for row in whole.rows]


def drawn(*sessions: SessionStatus, **view: Any) -> Board:
    return board(statuses(*sessions), NOW, **view)


def test_the_title_counts_what_is_there_the_most_urgent_first() -> None:
    whole = drawn(session("a", WAITING), session("b"), session("c"), session("d", NEEDS_APPROVAL))
    assert whole.title == "▲1 ●2 ○1"
    assert whole.counts == {NEEDS_APPROVAL: 1, WORKING: 2, WAITING: 1}
    assert drawn(session("a", WAITING)).title == "○1"


def test_nothing_is_calm_even_when_the_watcher_rests() -> None:
    assert drawn().title == "·"
    resting = board(Statuses(heartbeat=RESTS), NOW)
    assert (resting.title, resting.notices, resting.rows) == ("·", (), ())


def test_a_dead_watcher_is_visible_in_the_title() -> None:
    dead = board(statuses(session("a"), locked=False), NOW)
    assert dead.title == "✕ ●1"
    assert "yourturn up" in dead.notices[0]


def test_what_nobody_keeps_up_to_date_looks_old_without_any_colour_too() -> None:
    (row,) = board(statuses(session("a", NEEDS_APPROVAL), locked=False), NOW).rows
    assert (row.look.symbol, row.look.word, row.look.colour) == ("▲?", "needed approval", "grey")
    (row,) = drawn(session("a", NEEDS_APPROVAL)).rows
    assert (row.look.symbol, row.look.word, row.look.colour) == ("▲", "needs approval", "red")


def test_every_state_has_its_own_symbol_word_and_colour() -> None:
    assert set(symbols.LOOKS) == set(STATES)
    everything = [*symbols.LOOKS.values(), symbols.CALM, symbols.TROUBLE]
    for column in ("symbol", "plain", "word", "colour"):
        assert len({getattr(one, column) for one in everything}) == len(everything)
    assert len({one.past for one in symbols.LOOKS.values()} | {one.word for one in everything}) == 8
    assert symbols.in_ascii("▲●○ …ü") == "!*o ~?"


def test_blocked_come_first_the_oldest_on_top_then_working_then_waiting_the_newest_on_top() -> None:
    whole = drawn(
        session("w-old", WAITING, since=NOW - 900),
        session("b-new", NEEDS_APPROVAL, since=NOW - 5),
        session("working"),
        session("w-new", WAITING, since=NOW - 10),
        session("b-old", NEEDS_APPROVAL, since=NOW - 500),
    )
    assert [row.session_id for row in whole.rows] == ["b-old", "b-new", "working", "w-new", "w-old"]


def test_equals_keep_their_places_whatever_order_they_come_in() -> None:
    some = [session(f"s{k}", WAITING) for k in range(9)]
    assert drawn(*some).rows == drawn(*reversed(some)).rows


def test_sessions_nobody_has_spoken_to_for_half_a_day_are_folded_into_one_row() -> None:
    old = session("old", WAITING, since=NOW - 13 * HOUR)
    spoken_to = session("spoken", WAITING, since=NOW - 13 * HOUR, human=NOW - HOUR)
    busy = session("busy", since=NOW - 13 * HOUR)
    blocked = session("blocked", NEEDS_APPROVAL, since=NOW - 13 * HOUR)
    fresh = session("fresh", WAITING, since=NOW - 11 * HOUR)
    whole = drawn(old, old._replace(session_id="older"), spoken_to, busy, blocked, fresh)
    assert [row.session_id for row in whole.rows] == ["blocked", "busy", "fresh", "spoken", ""]
    last = whole.rows[-1]
    assert (last.kind, last.name, last.detail) == (Kind.FOLDED, "2 stale sessions", "idle for over 12 h: old")
    assert last.actions == (Action.UNFOLD,)
    assert whole.counts[WAITING] == 4
    unfolded = drawn(old, spoken_to, unfold=True)
    assert [row.session_id for row in unfolded.rows] == ["old", "spoken"]


def test_helpers_sessions_are_left_out_unless_asked_for() -> None:
    helper = session("helper", hidden=True)
    assert (names(drawn(helper)), drawn(helper).title, drawn(helper).hidden) == ([], "·", 1)
    shown = drawn(helper, show_hidden=True)
    assert (names(shown), shown.title, shown.hidden) == (["helper-name"], "●1", 0)


def test_a_session_with_only_a_main_agent_is_one_row() -> None:
    assert len(drawn(session("a", agents=(agent(),))).rows) == 1


def test_agents_stand_indented_below_their_session_and_below_who_started_them() -> None:
    family = session(
        "a",
        NEEDS_APPROVAL,
        agents=(
            agent("child", parent="main", type="Explore"),
            agent("grandchild", NEEDS_APPROVAL, parent="child", name="deep"),
            agent("asking", NEEDS_APPROVAL, parent="main", type="Plan"),
            agent("gone", WAITING, parent="main", state="joined"),
            agent("mate", WAITING, kind="teammate", name="ada", parent="main"),
            agent(),
        ),
    )
    found = [(row.depth, row.name, row.kind) for row in drawn(family, session("b")).rows]
    inside = Kind.AGENT
    assert found == [
        (0, "a-name", Kind.SESSION), (1, "main", inside), (1, "Plan", inside), (1, "Explore", inside),
        (2, "deep", inside), (1, "ada", inside), (0, "b-name", Kind.SESSION),
    ]  # fmt: skip


def test_no_agent_is_lost_when_the_tree_makes_no_sense() -> None:
    circle = (agent("x", parent="y"), agent("y", parent="x"), agent("z", parent="z"), agent("o", parent="gone"))
    chain = tuple(agent(f"c{k}", parent=f"c{k - 1}") for k in range(1, 2000))
    rows = drawn(session("a", agents=(*circle, *circle, *chain))).rows
    assert sorted(row.agent for row in rows) == sorted(["", "x", "y", "z", "o", *(f"c{k}" for k in range(1, 2000))])
    assert max(row.depth for row in rows) < 12


def test_a_teammate_with_a_session_of_its_own_is_shown_once_below_its_lead_and_counts_once() -> None:
    mate = agent("m-ada", NEEDS_APPROVAL, kind="teammate", name="ada", parent="main")
    lead = session(
        "lead", NEEDS_APPROVAL, detail="ada: Bash: ls", team="session-lead", pid=None, agents=(agent(), mate)
    )
    own = session("m-ada", NEEDS_APPROVAL, hidden=True, team="session-lead", terminal={"TMUX_PANE": "%1"}, pid=None)
    whole = drawn(own, lead, session("title", hidden=True), show_hidden=True)
    assert [(row.depth, row.name, row.session_id) for row in whole.rows] == [
        (0, "lead-name", "lead"), (1, "main", "lead"), (1, "ada", "m-ada"), (0, "title-name", "title"),
    ]  # fmt: skip
    assert whole.title == "▲1 ●1"
    assert drawn(own, lead).hidden == 0, "it is not hidden, it is below its lead"
    assert [Action.GO in row.actions for row in whole.rows[:3]] == [False, False, True]


def test_a_teammate_whose_lead_is_gone_stands_for_itself_and_nobody_hides_a_session_by_naming_it() -> None:
    assert len(drawn(session("m-ada", hidden=True), show_hidden=True).rows) == 1
    one, other = session("a", agents=(agent(), agent("b"))), session("b", agents=(agent(), agent("a")))
    assert [row.session_id for row in drawn(one, other).rows if row.kind is Kind.SESSION] == ["a", "b"]
    hidden = [session(id_, hidden=True, agents=(agent(), agent(mate))) for id_, mate in ("ab", "ba")]
    assert len([row for row in drawn(*hidden, show_hidden=True).rows if row.kind is Kind.SESSION]) == 2


@pytest.mark.parametrize(
    ("seconds", "word"),
    [
        (-5, "now"),
        (0, "now"),
        (59, "now"),
        (60, "1 m"),
        (3599, "59 m"),
        (3600, "1 h"),
        (86399, "23 h"),
        (200000, "2 d"),
    ],
)
def test_an_age_is_one_short_word(seconds: float, word: str) -> None:
    assert drawn(session("a", since=NOW - seconds)).rows[0].age == word


@pytest.mark.parametrize("since", [float("nan"), float("inf"), float("-inf"), 10**400, 0.0, -1e18])
def test_an_impossible_time_has_no_age_and_breaks_nothing(since: float) -> None:
    whole = drawn(
        session("a", since=since, human=since, agents=(agent(since=since), agent("b", since=since))), session("b")
    )
    assert {row.age for row in whole.rows} <= {"", "1 m"}
    assert all(abs(row.since) < 1e20 for row in whole.rows)


@given(st.floats(0, 10**7))
def test_the_word_for_an_age_changes_when_it_was_foretold_and_not_before(seconds: float) -> None:
    stays = ages.until_older(seconds)
    assert stays > 0
    assert ages.age(seconds + stays * 0.99) == ages.age(seconds)
    assert ages.age(seconds + stays + 0.01) != ages.age(seconds)


def test_the_board_says_when_its_first_age_will_be_wrong() -> None:
    assert drawn(session("a", since=NOW - 90), session("b", since=NOW - 3 * HOUR)).changes_at == NOW + 30


@pytest.mark.parametrize(
    ("folder", "word"),
    [
        ("/home/me/proj", "proj"),
        ("/home/me/proj/", "proj"),
        ("/", "/"),
        ("", ""),
        ("/r/proj/.claude/worktrees/fix-it/src", "proj@fix-it"),
        ("/r/proj/.worktrees/fix", "proj@fix"),
        ("/r/proj/.claude/worktrees/", "worktrees"),
    ],
)
def test_a_project_is_the_last_folder_and_a_worktree_names_its_project(folder: str, word: str) -> None:
    assert drawn(session("one", cwd=folder)).rows[0].project == word


def test_two_projects_of_one_name_are_told_apart_and_two_sessions_in_one_folder_are_two_rows() -> None:
    three = [session("a", cwd="/a/api"), session("b", cwd="/b/api"), session("c", cwd="/c/web")]
    assert projects.projects(three) == {"a": "a/api", "b": "b/api", "c": "web"}
    rows = drawn(session("one", cwd="/p/api"), session("two", cwd="/p/api")).rows
    assert [(row.session_id, row.project) for row in rows] == [("one", "api"), ("two", "api")]


def test_a_session_without_a_name_goes_by_the_beginning_of_its_id() -> None:
    assert names(drawn(session("9df7420c-3c33", name=""))) == ["9df7420c"]


def test_a_row_offers_only_what_can_be_done_with_it() -> None:
    bare = drawn(session("a", pid=None, cwd="")).rows[0]
    assert bare.actions == (Action.EXPLAIN, Action.COPY_ID)
    full = drawn(session("a", terminal={"TMUX_PANE": "%1"}, transcript="/t.jsonl", agents=(agent(), agent("b")))).rows
    for row in full:
        assert set(row.actions) == set(Action) - {Action.UNFOLD}


def test_rows_keep_their_ids_while_everything_else_about_them_changes() -> None:
    before = drawn(session("a", agents=(agent(), agent("b"))))
    after = drawn(session("a", NEEDS_APPROVAL, name="new", since=NOW, agents=(agent(), agent("b", NEEDS_APPROVAL))))
    assert {row.id: row.agent for row in before.rows} == {row.id: row.agent for row in after.rows}


def test_rows_can_be_sorted_by_project_name_and_age() -> None:
    some = statuses(
        session("1", WAITING, name="Zoe", cwd="/a", since=NOW - 10),
        session("2", NEEDS_APPROVAL, name="bob", cwd="/C", since=NOW - 30),
        session("3", name="Ada", cwd="/b", since=NOW - 20),
    )
    found = {order: [row.session_id for row in board(some, NOW, order=order).rows] for order in Order}
    assert found[Order.URGENCY] == ["2", "3", "1"]
    assert found[Order.PROJECT] == ["1", "3", "2"]
    assert found[Order.NAME] == ["3", "2", "1"]
    assert found[Order.AGE] == ["1", "3", "2"]


def test_a_filter_keeps_the_families_that_have_every_word() -> None:
    whole = drawn(
        session("a", NEEDS_APPROVAL, detail="Bash: npm", agents=(agent(), agent("x", type="Explore"))),
        session("b", detail="Bash: ls"),
    )
    assert names(filtered(whole, "BASH explore")) == ["a-name", "main", "Explore"]
    assert names(filtered(whole, "working ls")) == ["b-name"]
    assert names(filtered(whole, "nowhere")) == []
    assert filtered(whole, " ") == whole


@pytest.mark.parametrize("what", HOSTILE)
def test_no_text_from_outside_reaches_a_row_as_it_came(what: str) -> None:
    rows = drawn(hostile(HOSTILE[what]), hostile(HOSTILE[what] + "2"), show_hidden=True).rows
    assert len(rows) >= 4
    for row in rows:
        for said in (row.name, row.project, row.team, row.detail, row.age):
            assert said.isprintable()
            assert len(said) <= 400
            assert "\n" not in said
            assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in said)
        assert row.name


@given(st.text(), st.integers(0, 30))
def test_a_padded_text_is_exactly_as_wide_as_it_should_be(said: str, room: int) -> None:
    said = width.tidy(said, 60)
    assert width.width(width.pad(said, room)) == room
    assert width.width(width.pad(said, room, right=True)) == room
    assert width.width(width.cut(said, room)) <= room


@pytest.mark.parametrize(
    ("said", "cells"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("한", 2), ("🙂", 2), ("\uff21", 2), ("▲", 1)]
)
def test_a_text_is_as_wide_as_a_terminal_draws_it(said: str, cells: int) -> None:
    assert width.width(said) == cells


def test_a_wide_character_is_never_cut_in_half() -> None:
    assert width.cut("漢字漢字", 4) == "漢…"
    assert width.pad("漢字漢字", 4) == "漢… "
    assert width.pad("ab", 4, right=True) == "  ab"
    assert width.cut("abc", 0) == ""


def test_marks_do_not_climb_over_the_line_above() -> None:
    assert len(width.tidy("e" + "\u0301" * 50, 100)) == 5
    assert width.tidy("☀\ufe0f", 9) == "☀"


def test_long_sentences_are_broken_between_words() -> None:
    assert width.wrap("one two three", 8) == ["one two", "three"]
    assert width.wrap("extraordinary", 5) == ["extr…"]
    assert width.wrap("", 5) == []


def test_sessions_that_are_called_the_same_are_told_apart_by_their_ids() -> None:
    whole = drawn(session("aaaa1", name="proj"), session("bbbb2", name="proj"), session("cccc3", name="other"))
    assert sorted(row.name for row in whole.rows) == ["other", "proj aaaa", "proj bbbb"]


def test_where_there_are_several_kinds_of_client_each_session_says_which_it_is() -> None:
    alone = drawn(session("a", client="claude"), session("b", client="claude"), session("c"))
    assert (alone.is_mixed, {row.client for row in alone.rows}) == (False, {""})
    several = (session("a", client="claude", agents=(agent(), agent("x"))), session("b", client="codex"), session("c"))
    mixed = drawn(*several, session("d", client="qwen", hidden=True))
    assert [(row.session_id, row.agent, row.client) for row in mixed.rows if row.client] == [
        ("a", "", "claude"), ("b", "", "codex"),
    ]  # fmt: skip
    assert mixed.is_mixed
    assert [row.session_id for row in filtered(mixed, "codex").rows] == ["b"]


def test_a_hidden_session_makes_no_board_a_mixed_one() -> None:
    some = (session("a", client="claude"), session("d", client="qwen", hidden=True))
    assert not drawn(*some).is_mixed
    assert drawn(*some, show_hidden=True).is_mixed
