"""The lines of the log that a day is drawn from, and all others."""

from typing import Any

import pytest

from statusbar.day.log_lines import About, Stand, Watching, records
from support.days import at, entry
from support.showing import HOSTILE


def test_a_session_and_a_watcher_are_read() -> None:
    about: dict[str, Any] = {"name": "checkout", "cwd": "/home/me/shop", "hidden": True, "since": at(-1)}
    found = list(records([
        entry(0, "watching", "", by="start", since=at(-9), rested=True),
        entry(1, "session", to="working", running=3, **about),
        entry(2, "session", to="gone", running=0),
    ]))  # fmt: skip
    assert found == [
        Watching(at(0), at(-9), "start", rested=True),
        Stand(at(1), "s", "working", 3, About("checkout", "/home/me/shop", hidden=True), at(-1)),
        Stand(at(2), "s", "gone"),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"at": "noon"}, {"at": None}, {"at": float("nan")}, {"at": -1}, {"at": 1e300}, {"at": True, "to": 5},
        {"session": ""}, {"session": 7}, {"to": "asleep"}, {"to": None}, {"to": ["working"]}, {"kind": "mood"},
        {"kind": ["session"]},
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_is_left_out(wrong: dict[str, Any]) -> None:
    assert list(records([entry(0, "watching", ""), {**entry(1, "session", to="working"), **wrong}]))[1:] == []


@pytest.mark.parametrize("wrong", [-1, 10**9, "many", True, None, 2.5])
def test_a_number_of_agents_that_cannot_be_is_none(wrong: Any) -> None:
    (found,) = records([entry(1, "session", to="working", running=wrong)])
    assert isinstance(found, Stand)
    assert found.running == 0


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_taken_as_it_is_and_breaks_nothing(name: str) -> None:
    (found,) = records([entry(1, "session", name, to="working", name=name, cwd=name, hidden="yes")])
    assert isinstance(found, Stand)
    assert found.about == About(name, name)


def change(minutes: float, to: str, agent: str = "main", kind: str = "status_changed") -> dict[str, Any]:
    return entry(minutes, kind, to=to, agent=agent)


def test_what_older_versions_wrote_of_agents_gives_the_light_of_their_session() -> None:
    found = list(records([
        change(0, "working"),
        change(1, "working", "a1"),
        change(2, "needs_approval", "a1"),
        change(3, "joined", "a1", "agent_process_changed"),
        change(4, "waiting"),
        change(5, "lost", kind="agent_process_changed"),
    ]))  # fmt: skip
    assert [(line.at, line.status, line.running) for line in found if isinstance(line, Stand)] == [
        (at(0), "working", 1),
        (at(1), "working", 2),
        (at(2), "needs_approval", 1),
        (at(3), "working", 1),
        (at(4), "waiting", 0),
        (at(5), "gone", 0),
    ]


def test_lines_about_agents_count_no_more_as_soon_as_a_watcher_tells_of_sessions() -> None:
    lines = [change(0, "working"), entry(1, "watching", ""), change(2, "waiting")]
    assert [type(line) for line in records(lines)] == [Stand, Watching]


def test_an_end_that_is_told_twice_or_of_somebody_unknown_is_no_news() -> None:
    gone = change(5, "lost", kind="agent_process_changed")
    assert list(records([gone, change(6, "joined", "a1", "agent_process_changed")])) == []
    assert len(list(records([change(0, "working"), gone, gone]))) == 2
