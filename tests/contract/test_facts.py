"""Fact records, JSON and clean texts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import facts, wire
from contract.clean import clean
from contract.facts import Call, Client, Fact, Mark, Stamp, Turn

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_our_json_is_everybodys_json(value: Any) -> None:
    assert json.loads(wire.encode(value)) == value
    assert wire.decode(json.dumps(value).encode("utf-8", "surrogatepass")) == value


@pytest.mark.parametrize("data", [b"", b"{", b"[1,", b"{} {}", b"nul", b"\xff\xfe", b"[" * 200_000, b'{"a":01}'])
def test_what_is_not_json_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the kind is what matters
        wire.decode(data)


def test_equal_inputs_are_equal_whatever_the_order_of_their_keys() -> None:
    assert wire.canonical({"a": 1, "b": [2]}) == wire.canonical({"b": [2], "a": 1})


def test_a_fact_survives_the_disk() -> None:
    fact = Fact(
        session="s",
        agent="main",
        client=Client(pid=7, start="99", entrypoint="cli", background=True),
        turn=Turn(id="t", opened=(1.5, 2.5), prompted=(1.5, 2.5), machine=True),
        calls={"c": Call(name="Bash", target="ls", began=(3.0, 4.0), asked=(5.0, 6.0), digest="d")},
        notes={"idle_prompt": Mark(at=(1.0, 1.0))},
        terminal={"TMUX_PANE": "%1"},
        seq=3,
    )
    assert facts.decode(facts.encode(fact)) == fact


def test_what_a_newer_version_wrote_is_kept() -> None:
    newer = {"v": 7, "session": "s", "agent": "main", "hologram": {"x": [1]}, "seq": 2}
    fact = facts.decode(json.dumps(newer).encode())
    assert fact is not None
    assert fact.seq == 2
    assert json.loads(facts.encode(fact))["hologram"] == {"x": [1]}


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"null", b'{"v":1}', b'{"v":1,"session":"s"}', b'{"session":"s","agent":"main"}', b"\0" * 50]
)
def test_garbage_is_no_fact(data: bytes) -> None:
    assert facts.decode(data) is None


@given(st.dictionaries(st.sampled_from(sorted(Fact.SHAPE)), JSON))
def test_a_field_of_the_wrong_type_is_as_good_as_missing(fields: dict[str, Any]) -> None:
    fact = facts.decode(json.dumps({**fields, "v": 1, "session": "s", "agent": "main"}).encode())
    assert fact is not None
    assert facts.decode(facts.encode(fact)) == fact


def test_one_stamp_is_before_another_only_if_both_clocks_say_so() -> None:
    assert facts.before(Stamp((1.0, 1.0)), Stamp((2.0, 2.0)))
    assert not facts.before(Stamp((1.0, 3.0)), Stamp((2.0, 2.0))), "the wall clock was set back"
    assert not facts.before(Stamp((3.0, 1.0)), Stamp((2.0, 2.0))), "the machine was started anew"
    assert not facts.before(Stamp((2.0, 2.0)), Stamp((2.0, 2.0)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm test", "npm test"),
        ("a\n\tb\r\nc", "a b c"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("abc\u202edef\u2066g", "abc def g"),
        ("x" * 100, "x" * 19 + "…"),
        ("a\u200bb\ufeffc", "a b c"),
        (None, ""),
        (["list"], ""),
    ],
)
def test_clean_texts_are_one_printable_line(text: object, expected: str) -> None:
    assert clean(text, 20) == expected


@given(st.text(), st.integers(1, 50))
def test_clean_texts_are_printable_and_short(text: str, limit: int) -> None:
    made = clean(text, limit)
    assert len(made) <= limit
    assert made.isprintable()


def test_a_process_stays_the_same_when_its_host_is_renamed() -> None:
    known = facts.Client(pid=7, start="1", host="laptop.local", boot="b", pids="n")
    assert known.is_process(facts.Client(pid=7, start="1", host="laptop.fritz.box", boot="b", pids="n"))
    assert known.is_process(facts.Client(pid=7))
    for other in ({"pid": 8}, {"pid": 7, "start": "2"}, {"pid": 7, "boot": "c"}, {"pid": 7, "pids": "m"}):
        assert not known.is_process(facts.Client(**other))
