"""What is worth a notification, and that nothing is said twice."""

import math
import os
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from statusbar.demo import scenario
from statusbar.notifications.rules import (
    SETTLE_S,
    VAGUE_S,
    Memory,
    Notice,
    Outbox,
    collapsed,
    due,
    is_muted,
    is_quiet,
)
from statusbar.settings.settings import Settings
from support.noticing import ASKS, NOTICE, ON, WAITS, WORKS, many, nobody, said
from support.showing import NOW, agent, session

# What is worth a notification


def test_an_agent_that_becomes_blocked_is_told_of_with_what_it_asks() -> None:
    assert said((WORKS,), (ASKS,)) == [NOTICE]


def test_a_sub_agent_is_named_and_counts_by_itself() -> None:
    sub = agent("x", NEEDS_APPROVAL, type="Plan", detail="Edit: a.py", since=NOW)
    found = said((ASKS,), (ASKS._replace(agents=(*ASKS.agents, sub)),))
    assert [one.body for one in found] == ["Bash: npm test", "Plan: Edit: a.py"]


def test_a_session_that_is_blocked_as_a_whole_is_told_of() -> None:
    (found,) = said((session("a", NEEDS_APPROVAL, detail="dialog"),))
    assert (found.title, found.body) == ("a needs you", "a dialog")


def test_an_agent_that_waits_after_a_long_turn_is_told_of() -> None:
    (found,) = said((WORKS,), (WAITS,))
    assert (found.title, found.body, found.state) == ("a finished after 5 min", "a-name", WAITING)
    (found,) = said((WORKS,), (WAITS._replace(detail="error: usage limit", rule="turn-failed"),))
    assert (found.title, found.body) == ("a stopped after 5 min", "error: usage limit")


def test_a_session_is_called_by_its_project_and_by_its_name_too_where_another_works_there() -> None:
    second = WORKS._replace(session_id="b", name="b-name")
    (found,) = said((WORKS, second), (WAITS, second))
    assert (found.title, found.body) == ("a · a-name finished after 5 min", "")


def test_projects_of_one_name_are_told_apart_as_in_their_rows() -> None:
    works, waits = (one._replace(cwd="/p/web/api") for one in (WORKS, WAITS))
    second = WORKS._replace(session_id="b", cwd="/p/app/api")
    assert [one.title for one in said((works, second), (waits, second))] == ["web/api finished after 5 min"]


def test_a_question_needs_the_person_and_not_an_approval() -> None:
    asks = session("a", NEEDS_APPROVAL, detail="question")
    assert [(one.title, one.body) for one in said((asks,))] == [("a needs you", "a question")]


def test_one_that_waits_after_a_short_turn_is_not() -> None:
    assert said((WORKS._replace(since=NOW - 59),), (WAITS,)) == []
    assert said((WORKS._replace(since=NOW - 59),), (WAITS,), settings=Settings(after_s=10)) != []


def test_the_length_of_a_turn_counts_from_its_beginning() -> None:
    resumed = WORKS._replace(since=NOW - 5, detail="2 sub-agents")
    assert said((WORKS,), (resumed,), (WAITS,)) != []
    assert said((WORKS._replace(since=NOW - 50),), (ASKS._replace(since=NOW - 40),), (resumed,), (WAITS,))[1:] == []


@pytest.mark.parametrize("rule", ["wakes-by-itself", "turn-interrupted", "nothing-asked", "silent"])
def test_what_wakes_by_itself_or_was_interrupted_is_no_alarm(rule: str) -> None:
    assert said((WORKS,), (WAITS._replace(rule=rule),)) == []


def test_who_has_just_said_no_knows_that_it_waits() -> None:
    asked = ASKS._replace(since=NOW - 200)
    assert len(said((WORKS,), (asked,), (WAITS,))) == 1


def test_what_was_so_before_the_first_look_is_nobodys_news() -> None:
    memory, found = due(Memory(), (ASKS,), ON, NOW, nobody)
    assert found == []
    assert due(memory, (ASKS,), ON, NOW, nobody)[1] == []


def test_nothing_is_said_twice() -> None:
    assert len(said((ASKS,), (ASKS,), (), (ASKS,), (WORKS,), (ASKS,))) == 1
    jitter = ASKS._replace(agents=(ASKS.agents[0]._replace(since=NOW + 0.3),))
    assert len(said((ASKS,), (jitter,), (WORKS,), (jitter,))) == 1


def test_another_request_of_the_same_agent_is_another_thing() -> None:
    again = ASKS._replace(agents=(ASKS.agents[0]._replace(since=NOW + 4, detail="Bash: rm"),))
    assert [one.body for one in said((ASKS,), (WORKS,), (again,))] == ["Bash: npm test", "Bash: rm"]


def test_hidden_sessions_say_nothing_and_a_teammate_speaks_once() -> None:
    assert said((ASKS._replace(hidden=True),)) == []
    mate = agent("mate", NEEDS_APPROVAL, kind="teammate", name="tester", detail="Bash: x", since=NOW)
    lead = session("lead", NEEDS_APPROVAL, agents=(agent(), mate))
    own = session("mate", NEEDS_APPROVAL, hidden=True, agents=(agent("main", NEEDS_APPROVAL, since=NOW),))
    assert [one.body for one in said((lead, own))] == ["tester: Bash: x"]


def test_an_agent_that_somebody_looks_at_is_not_told_of_then_or_later() -> None:
    memory, _ = due(Memory(), (WORKS,), ON, NOW, nobody)
    memory, found = due(memory, (ASKS,), ON, NOW, lambda one: one.session_id == "a")
    assert found == []
    assert due(memory, (ASKS,), ON, NOW, nobody)[1] == []


def test_nobody_is_asked_whether_they_look_unless_there_is_something_to_tell() -> None:
    asked: list[str] = []
    said(
        (WORKS, session("b")),
        (WORKS, session("b")),
        (ASKS, session("b")),
        (ASKS,),
        seen=lambda one: asked.append(one.session_id),
    )
    assert asked == ["a"]


def test_when_they_are_off_nothing_is_said() -> None:
    assert said((WORKS,), (ASKS,), settings=Settings(enabled=False)) == []


@pytest.mark.parametrize(
    ("cwd", "folders", "muted"),
    [
        ("/p/shop", ("/p/shop",), True),
        ("/p/shop/sub", ("/p/shop/",), True),
        ("/p/shopping", ("/p/shop",), False),
        ("/p", ("/p/shop",), False),
        ("/p/shop", ("/x", "/"), True),
        ("/p/../q", ("/p",), False),
        ("/p/shop", (), False),
    ],
)
def test_a_muted_folder_is_silent_with_all_below_it(cwd: str, folders: tuple[str, ...], muted: bool) -> None:
    assert is_muted(cwd, folders) == muted
    assert (said((ASKS._replace(cwd=cwd),), settings=Settings(mute=folders)) == []) == muted


def test_a_muted_client_is_silent() -> None:
    asks = ASKS._replace(client="codex")
    assert said((asks,), settings=Settings(mute_clients=("codex",))) == []
    assert said((asks,), settings=Settings(mute_clients=("qwen",))) == [NOTICE]


def test_a_folder_may_be_named_from_home() -> None:
    assert is_muted(os.environ["HOME"] + "/x", ("~/x",))


@pytest.mark.parametrize(
    ("begins", "ends", "at", "quiet"),
    [
        ("22:00", "7:30", "23:00", True),
        ("22:00", "7:30", "07:29", True),
        ("22:00", "7:30", "07:30", False),
        ("22:00", "7:30", "12:00", False),
        ("12:00", "13:00", "12:00", True),
        ("12:00", "13:00", "13:00", False),
        ("12:00", "12:00", "12:00", False),
        ("", "13:00", "12:00", False),
        ("12:00", "", "12:30", False),
    ],
)
def test_in_quiet_hours_nothing_is_said(begins: str, ends: str, at: str, quiet: bool) -> None:
    now = time.mktime(time.strptime(f"2027-03-01 {at}", "%Y-%m-%d %H:%M"))
    chosen = Settings(quiet_from=begins, quiet_to=ends)
    assert is_quiet(chosen, now) == quiet
    assert (said((ASKS,), settings=chosen, now=now) == []) == quiet


def test_each_notice_of_the_demo_is_shown_once() -> None:
    memory, titles = Memory(), []
    for t in range(int(scenario.LENGTH)):
        memory, found = due(memory, scenario.sessions(t), replace(ON, after_s=20), t, nobody)
        titles += [f"{one.title}: {one.body}" for one in found]
    assert len(titles) == len(set(titles))
    assert "api needs approval: tester: Bash: “dropdb api_test”" in titles
    assert "shop finished after 1 min: shop-checkout" in titles
    assert not [one for one in titles if "interrupted" in one]


@given(
    st.lists(st.lists(st.sampled_from([ASKS, WORKS, WAITS, ASKS._replace(session_id="b")]), max_size=2), max_size=12)
)
def test_whatever_comes_no_thing_is_told_twice(looks: list[list[SessionStatus]]) -> None:
    unique = [tuple({one.session_id: one for one in look}.values()) for look in looks]
    found = [(one.session_id, one.agent, one.since) for one in said(*unique)]
    assert len(found) == len(set(found))


# Many at once


def test_a_few_are_said_each_and_many_in_one() -> None:
    assert collapsed(many(3)) == many(3)
    (one,) = collapsed([*many(3), *many(2, WAITING)])
    assert len(one.parts) == 5
    assert (one.title, one.session_id) == ("Your agents: 3 need you, 2 finished", "s0")
    assert one.body == "s0 asks, s1 asks, s2 asks"


def memory_of(*asking: Notice, **states: str) -> Memory:
    return Memory({}, {**{one.session_id: NEEDS_APPROVAL for one in asking}, **states}, {}, {o.key: o for o in asking})


def test_those_that_follow_closely_wait_for_each_other() -> None:
    memory = memory_of(*many(9))
    outbox, nothing = Outbox().post(many(1), memory, NOW - SETTLE_S)
    outbox, first = outbox.post([], memory, NOW)
    outbox, second = outbox.post(many(9)[1:], memory, NOW + 1)
    outbox, third = outbox.post([], memory, NOW + 2)
    outbox, fourth = outbox.post([], memory, NOW + 3)
    assert (nothing, first, second, third) == ([], many(1), [], [])
    assert [one.title for one in fourth] == ["Your agents: 8 need you"]
    assert outbox.post([], memory, NOW + 9)[1] == []


def test_what_is_no_longer_so_when_its_turn_comes_is_not_said() -> None:
    one, other = many(2)
    outbox, _ = Outbox().post([one], memory_of(one), NOW - SETTLE_S)
    outbox, _ = outbox.post([], memory_of(one), NOW)
    outbox, _ = outbox.post([other], memory_of(other), NOW + 1)
    assert outbox.post([], memory_of(s1=WORKING), NOW + 4)[1] == []


def test_a_clock_that_was_set_back_holds_nothing_up() -> None:
    memory = memory_of(*many(1))
    outbox, _ = Outbox().post(many(1), memory, NOW)
    assert outbox.post([], memory, NOW - 3600)[1] == many(1)


# Settling


def test_a_request_is_told_in_the_words_of_its_hook_though_the_registry_was_heard_first() -> None:
    said_first = ASKS._replace(agents=(ASKS.agents[0]._replace(detail="permission"),))
    memory, news = due(Memory(begun=True), (said_first,), ON, NOW, nobody)
    outbox, nothing = Outbox().post(news, memory, NOW)
    memory, news = due(memory, (ASKS,), ON, NOW + 0.4, nobody)
    outbox, nothing_yet = outbox.post(news, memory, NOW + 0.4)
    outbox, told = outbox.post([], memory, NOW + SETTLE_S)
    assert (nothing, nothing_yet) == ([], [])
    assert [one.body for one in told] == ["Bash: npm test"]


def test_the_hook_may_tell_of_another_moment_and_it_is_still_one_request() -> None:
    said_first = ASKS._replace(agents=(ASKS.agents[0]._replace(detail="permission", since=NOW - 2),))
    memory, news = due(Memory(begun=True), (said_first,), ON, NOW, nobody)
    outbox, _ = Outbox().post(news, memory, NOW)
    memory, news = due(memory, (ASKS,), ON, NOW + 0.4, nobody)
    outbox, _ = outbox.post(news, memory, NOW + 0.4)
    outbox, told = outbox.post([], memory, NOW + SETTLE_S)
    assert [one.body for one in told] == ["Bash: npm test"]
    assert outbox.post([], memory, NOW + 60)[1] == []


@pytest.mark.parametrize(("detail", "name", "body"), [("permission", "", "a-name"), ("permission", "Plan", "Plan")])
def test_a_request_that_does_not_say_for_what_waits_longer_and_never_says_just_permission(
    detail: str, name: str, body: str
) -> None:
    asks = agent("x", NEEDS_APPROVAL, name=name, kind="sub_agent" if name else "agent", detail=detail, since=NOW)
    memory, news = due(Memory(begun=True), (ASKS._replace(agents=(asks,), detail=detail),), ON, NOW, nobody)
    outbox, nothing = Outbox().post(news, memory, NOW)
    outbox, still_nothing = outbox.post([], memory, NOW + SETTLE_S)
    assert outbox.rest(NOW + SETTLE_S) == pytest.approx(VAGUE_S - SETTLE_S)
    assert (nothing, still_nothing) == ([], [])
    assert [one.words for one in outbox.post([], memory, NOW + VAGUE_S)[1]] == [("a needs approval", body)]


# What is on the screen


def test_what_is_shown_gets_the_words_that_come_later() -> None:
    vague = ASKS._replace(agents=(ASKS.agents[0]._replace(detail="permission"),))
    memory, (shown,) = due(Memory(begun=True), (vague,), ON, NOW, nobody)
    assert (shown.is_vague, memory.latest(shown)) == (True, shown)
    memory, _ = due(memory, (ASKS,), ON, NOW, nobody)
    latest = memory.latest(shown)
    assert latest
    assert (latest.body, latest.is_vague) == ("Bash: npm test", False)


def test_one_for_several_counts_those_that_are_left() -> None:
    (one,) = collapsed(many(5))
    two, last = many(5)[3:]
    left = memory_of(two, last).latest(one)
    assert left
    assert (left.title, left.body, left.session_id) == ("Your agents: 2 need you", "s3 asks, s4 asks", "s3")
    only = memory_of(last).latest(left)
    assert only
    assert only.title == "Your agents: 1 needs you"
    assert memory_of().latest(only) is None


def test_that_it_finished_is_shown_until_it_works_again_and_also_after_its_end() -> None:
    (one,) = said((WORKS,), (WAITS,))
    assert memory_of(a=WAITING).latest(one) == one
    assert memory_of().latest(one) == one
    assert memory_of(a=WORKING).latest(one) is None


def test_a_request_that_is_answered_at_once_is_no_news() -> None:
    memory, news = due(Memory(begun=True), (ASKS,), ON, NOW, nobody)
    outbox, nothing = Outbox().post(news, memory, NOW)
    memory, news = due(memory, (WORKS,), ON, NOW + 0.3, nobody)
    outbox, _ = outbox.post(news, memory, NOW + 0.3)
    assert outbox.pending == ()
    assert (nothing, outbox.post([], memory, NOW + 9)[1]) == ([], [])


def test_who_waits_for_the_outbox_knows_for_how_long() -> None:
    memory, news = due(Memory(begun=True), (ASKS,), ON, NOW, nobody)
    assert Outbox().rest(NOW) == math.inf
    outbox, _ = Outbox().post(news, memory, NOW)
    assert outbox.rest(NOW + 0.2) == pytest.approx(SETTLE_S - 0.2)
    assert Outbox(outbox.pending, NOW - 1).rest(NOW) == pytest.approx(2.0)


def test_a_notification_for_several_stays_as_long_as_one_of_them_asks() -> None:
    (one,) = collapsed(many(5))
    assert memory_of(many(5)[4]).is_open(one)
    assert not memory_of().is_open(one)
