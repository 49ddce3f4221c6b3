"""What another machine says, made fit to be kept here."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import status
from contract.status import NEEDS_APPROVAL, SessionStatus
from fleet import incoming
from support.showing import HOSTILE, NOW, agent, hostile, session

NUMBERS = st.one_of(st.integers(), st.floats(), st.booleans())
VALUES = st.recursive(
    st.one_of(st.none(), NUMBERS, st.text(max_size=50)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=9), inner, max_size=4)),
    max_leaves=8,
)


def record(one: SessionStatus, **more: Any) -> dict[str, Any]:
    return {**status.plain(one), **more}


def said(*records: Any, **more: Any) -> dict[str, Any]:
    return {"v": 1, "sessions": list(records), "known": True, "version": "1.0", **more}


def kept(*records: Any, ahead_s: float = 0.0) -> tuple[SessionStatus, ...]:
    return incoming.report(said(*records), ahead_s, NOW).sessions


def test_a_session_comes_as_it_is() -> None:
    one = session("s1", NEEDS_APPROVAL, detail="Bash: ls", agents=(agent(waits_for=("a",)),))
    found = kept(record(one))
    assert found == (one._replace(pid=None),)


def test_what_only_its_own_machine_can_look_up_is_left_out() -> None:
    one = session("s1", pid=1, transcript="/etc/passwd", shown_by=1, terminal={"TMUX": "/t,1,0", "WINDOWID": "7"})
    found = kept(record(one))[0]
    assert (found.pid, found.transcript, found.shown_by, found.terminal) == (None, "", None, {"TMUX": "/t,1,0"})


def test_a_session_of_a_third_machine_is_left_out_without_a_word() -> None:
    report = incoming.report(said(record(session("mine")), record(session("its"), host="bank")), 0.0, NOW)
    assert [one.session_id for one in report.sessions] == ["mine"]
    assert report.left_out == 0


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_has_a_control_character_or_no_end(text: str) -> None:
    raw = json.loads(json.dumps(record(hostile(text), session_id="s1")))
    for found in kept(raw):
        texts = [*_texts(status.plain(found))]
        assert texts
        assert all(one.isprintable() for one in texts)
        assert max(map(len, texts)) <= incoming.FOLDER


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]


@pytest.mark.parametrize(
    "id_", ["", "x" * 129, "a\nb", "\x1b[31m", "a\u202eb", None, 7, ["a"]], ids=lambda id_: repr(id_)[:20]
)
def test_a_session_without_a_usable_id_is_left_out_and_counted(id_: Any) -> None:
    report = incoming.report(said(record(session("s1"), session_id=id_), record(session("s2"))), 0.0, NOW)
    assert [one.session_id for one in report.sessions] == ["s2"]
    assert report.left_out == 1


def test_an_id_may_look_like_a_path_because_it_never_becomes_one() -> None:
    assert [one.session_id for one in kept(record(session("../../etc/passwd")))] == ["../../etc/passwd"]


def test_of_ten_thousand_sessions_some_are_kept_and_the_others_counted() -> None:
    report = incoming.report(said(*(record(session(f"s{n}")) for n in range(10_000))), 0.0, NOW)
    assert (len(report.sessions), report.left_out) == (incoming.SESSIONS, 10_000 - incoming.SESSIONS)


def test_of_ten_thousand_agents_and_signs_some_are_kept() -> None:
    signs = tuple(status.Weighed("hook", "says", NOW) for _ in range(1000))
    many = tuple(agent(f"a{n}", weighed=signs[: 1000 if n == 0 else 1]) for n in range(10_000))
    found = kept(record(session("s1", agents=many)))[0]
    assert (len(found.agents), len(found.agents[0].weighed)) == (incoming.AGENTS, incoming.WEIGHED)


def test_the_same_session_twice_is_one() -> None:
    report = incoming.report(said(record(session("s1")), record(session("s1"), name="again")), 0.0, NOW)
    assert [one.name for one in report.sessions] == ["again"]


@pytest.mark.parametrize(
    "at", [math.nan, math.inf, -math.inf, 10**400, -(10**400), 1e308, -5.0, 0, NOW + 1e9, "now", None]
)
def test_a_time_that_cannot_be_is_none(at: Any) -> None:
    found = kept(record(session("s1"), since=at, human=at))
    assert all((one.since, one.human) == (0.0, 0.0) for one in found)


def test_a_time_to_come_is_now() -> None:
    assert kept(record(session("s1", since=NOW + 30)))[0].since == NOW


@pytest.mark.parametrize("ahead_s", [600.0, -600.0, 3.0, 0.0])
def test_ages_are_right_however_its_clock_is_set(ahead_s: float) -> None:
    there = NOW + ahead_s
    one = session("s1", since=there - 42, agents=(agent(since=there - 7, denied=there - 5),))
    found = kept(record(one), ahead_s=incoming.ahead(there, NOW))[0]
    assert NOW - found.since == pytest.approx(42)
    assert NOW - found.agents[0].since == pytest.approx(7)
    assert NOW - found.agents[0].denied == pytest.approx(5)


def test_a_clock_that_differs_by_less_than_a_message_may_take_is_equal() -> None:
    assert incoming.ahead(NOW + 1.5, NOW) == 0.0


def test_a_slow_connection_does_not_move_a_clock_that_was_measured() -> None:
    assert incoming.ahead(NOW + 595, NOW, before=600.0) == 600.0
    assert incoming.ahead(NOW - 5, NOW, before=0.0) == 0.0
    assert incoming.ahead(NOW + 660, NOW, before=600.0) == 660.0, "it was set"


@pytest.mark.parametrize("said", [None, "7", True, math.nan, math.inf, 10**400, -(10**400), 1e300, [], {}])
def test_a_clock_that_says_nonsense_stays_as_it_was(said: Any) -> None:
    assert incoming.ahead(said, NOW) == 0.0
    assert incoming.ahead(said, NOW, before=600.0) == 600.0


def test_whether_the_states_are_known_is_true_only_if_it_is_said() -> None:
    for word in (False, None, 1, "true", [True]):
        assert not incoming.report(said(known=word), 0.0, NOW).known


@pytest.mark.parametrize("sessions", [None, 7, "s", {"a": 1}, [None, 7, "s", [], [[]]]])
def test_sessions_that_are_no_list_of_records_are_none(sessions: Any) -> None:
    assert incoming.report({"v": 1, "sessions": sessions}, 0.0, NOW).sessions == ()


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(SessionStatus._fields, VALUES)))
def test_whatever_a_record_is_it_is_kept_clean_or_left_out(fields: dict[str, Any]) -> None:
    raw = {**record(session("s1")), **fields}
    for found in kept(raw):
        assert found.host == ""
        assert math.isfinite(found.since)
        assert found.since <= NOW
        assert status.decode(status.encode(found)) == found, "it can be written and read again"
