"""The board as the page draws it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from contract.hosts import Host
from contract.pulse import Pulse
from contract.status import NEEDS_APPROVAL, STATES, WAITING, WORKING, Heartbeat
from statusbar.model.board import board
from statusbar.text.symbols import HEX, LOOKS
from statusbar.web import record
from statusbar.web.routes import FOLDER
from support.showing import HOSTILE, NOW, agent, hostile, session, statuses

if TYPE_CHECKING:
    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses

DAY = 86400


def drawn(*sessions: Any, **more: Any) -> dict[str, Any]:
    return record.record(board(statuses(*sessions, **more), NOW))


def rows(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for group in made["groups"] for row in group["rows"]]


def test_what_needs_you_comes_first_with_its_agents_below_it() -> None:
    asks = session(
        "b", NEEDS_APPROVAL, detail="Bash: ls", agents=(agent(), agent("sub", NEEDS_APPROVAL, parent="main"))
    )
    made = drawn(session("a", WAITING), asks, session("c"))
    assert [(group["name"], group["number"]) for group in made["groups"]] == [
        ("Needs you", 1),
        ("Working", 1),
        ("Waiting", 1),
    ]
    first = rows(made)[0]
    assert (first["project"], first["detail"], first["word"]) == ("b", "Bash: ls", "needs approval")
    assert [(one["name"], one["depth"], one["state"]) for one in first["agents"]] == [
        ("main", 0, WORKING),
        ("sub", 0, NEEDS_APPROVAL),
    ]
    assert first["below"] == "2 agents: 1 needs you, 1 working"


@pytest.mark.parametrize(
    ("sessions", "words", "shape", "number"),
    [
        ((), "No agent is running", "calm", 0),
        ((session("a", WAITING),), "1 agent waiting", WAITING, 1),
        ((session("a"), session("b"), session("c", WAITING)), "2 agents working", WORKING, 2),
        ((session("a", NEEDS_APPROVAL), session("b")), "1 agent needs you", NEEDS_APPROVAL, 1),
        ((session("a", NEEDS_APPROVAL), session("b", NEEDS_APPROVAL)), "2 agents need you", NEEDS_APPROVAL, 2),
    ],
)
def test_the_headline_and_the_icon_say_the_most_urgent(
    sessions: tuple[Any, ...], words: str, shape: str, number: int
) -> None:
    made = drawn(*sessions)
    assert made["headline"] == words
    assert (made["sign"]["shape"], made["sign"]["number"]) == (shape, number)


def test_what_is_not_known_never_looks_calm() -> None:
    for sessions in ((), (session("a", NEEDS_APPROVAL),), (session("a", WAITING),)):
        made = drawn(*sessions, locked=False)
        assert made["headline"].startswith("State unknown")
        assert made["sign"]["shape"] == "unknown"
        assert made["sign"]["colour"] == HEX["yellow"]
        assert made["title"].startswith("✕")
        assert made["notices"]
        assert all(row["is_old"] for row in rows(made))
    assert rows(drawn(session("a", NEEDS_APPROVAL), locked=False))[0]["word"] == "needed approval"


def test_ages_are_left_to_the_page() -> None:
    made = drawn(session("a", since=NOW - 70), session("b", since=float("nan")))
    assert [row["since"] for row in rows(made)] == [None, NOW - 70]
    later = board(statuses(session("a"), beat=NOW + 300), NOW + 300)
    assert record.record(later) == drawn(session("a"))


def test_stale_and_background_sessions_are_one_line_each() -> None:
    old = session("old", WAITING, since=NOW - DAY, human=NOW - DAY)
    made = drawn(session("a", WAITING), old, session("h", hidden=True))
    assert made["below"] == ["1 background session is hidden", "1 stale session, idle for over 12 h: old"]
    assert made["groups"][0]["number"] == 2, "the stale one is counted, as everywhere"


def test_the_same_row_has_the_same_id_and_no_two_have_one() -> None:
    made = rows(drawn(*(session(f"s{k}", agents=(agent(), agent("x"))) for k in range(50))))
    ids = [one["id"] for row in made for one in (row, *row["agents"])]
    assert len(set(ids)) == len(ids) == 150
    later = rows(drawn(session("s0", NEEDS_APPROVAL)))[0]
    assert later["id"] in ids


def test_ten_thousand_sessions_are_bounded_and_said() -> None:
    many = [session(f"s{k}", agents=tuple(agent(f"a{n}") for n in range(k % 100))) for k in range(2000)]
    made = drawn(*many)
    assert len(rows(made)) == record.MOST_SESSIONS
    assert made["below"] == [f"{2000 - record.MOST_SESSIONS} more sessions are not shown here"]
    assert made["groups"][0]["number"] == 2000
    assert all(len(row["agents"]) <= record.MOST_AGENTS for row in rows(made))
    full = next(row for row in rows(made) if row["more"])
    assert len(full["agents"]) + full["more"] == int(full["below"].partition(" ")[0])
    assert len(record.as_text(made)) < 8 << 20


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_whatever_a_session_says_is_one_clean_line_of_ascii_json(text: str) -> None:
    told = record.as_text(drawn(hostile(text)))
    assert told.isascii()
    assert "\n" not in told
    made = json.loads(told)
    texts = [
        value for row in rows(made) for one in (row, *row["agents"]) for value in one.values() if type(value) is str
    ]
    assert texts
    assert all(one.isprintable() and len(one) < 200 for one in texts)


def test_a_page_that_others_can_reach_says_so() -> None:
    whole = board(statuses(), NOW)
    assert record.record(whole)["exposed"] == ""
    assert "0.0.0.0:7414" in record.record(whole, "0.0.0.0:7414")["exposed"]


def test_a_row_of_another_machine_says_which_and_out_of_reach_it_is_in_no_state() -> None:
    away = session("a", NEEDS_APPROVAL, host="box")
    known = record.record(board(_with_box(away, speaks=True), NOW))
    assert (rows(known)[0]["project"], known["groups"][0]["name"]) == ("box:a", "Needs you")
    lost = record.record(board(_with_box(away, session("b"), speaks=False), NOW))
    assert [group["name"] for group in lost["groups"]] == ["Working", "Unknown"]
    assert [count["words"] for count in lost["counts"]] == ["1 working", "1 unknown"]
    assert lost["sign"]["shape"] == WORKING
    assert any("box is out of reach" in notice for notice in lost["notices"])


def test_where_only_machines_out_of_reach_have_agents_nothing_looks_calm() -> None:
    lost = record.record(board(_with_box(session("a", host="box"), speaks=False), NOW))
    assert (lost["headline"], lost["sign"]["shape"]) == ("State unknown", "unknown")


def _with_box(*sessions: SessionStatus, speaks: bool) -> Statuses:
    box = Host("box", source="ssh box", reached=speaks, known=speaks, since=NOW, heard=NOW)
    alive = Pulse(Heartbeat(pid=1, start="1", version="0", beat=NOW), locked=True)
    return statuses(*sessions)._replace(hosts=(box,), collector=alive)


def test_the_style_has_the_colours_of_all_front_ends() -> None:
    with open(f"{FOLDER}/style.css", encoding="utf-8") as file:
        style = file.read()
    for name, colour in HEX.items():
        assert f"--{name}: {colour};" in style
    for state in STATES:
        assert f'[data-state="{state}"] > .sign' in style
        assert f"color: var(--{LOOKS[state].colour})" in style


def test_the_script_knows_the_words_that_the_headings_say() -> None:
    with open(f"{FOLDER}/page.js", encoding="utf-8") as file:
        script = file.read()
    headed = ", ".join(f'{state}: "{LOOKS[state].word}"' for state in STATES)
    assert f"const HEADED = {{ {headed} }};" in script
    assert "innerHTML" not in script
    assert "outerHTML" not in script
    assert "insertAdjacentHTML" not in script
