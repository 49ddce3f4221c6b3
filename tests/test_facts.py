"""Fact records, JSON and clean texts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import facts, wire
from contract.clean import clean
from contract.facts import Call, Client, Fact, Mark, Turn
from contract.mask import mask

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
    assert facts.before((1.0, 1.0), (2.0, 2.0))
    assert not facts.before((1.0, 3.0), (2.0, 2.0)), "the wall clock was set back"
    assert not facts.before((3.0, 1.0), (2.0, 2.0)), "the machine was started anew"
    assert not facts.before((2.0, 2.0), (2.0, 2.0))


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


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm test", "npm test"),
        ("curl -H 'Authorization: Bearer abc123' x", "curl -H 'Authorization: *** *** x"),
        ("API_KEY=abc make", "API_KEY=*** make"),
        ("login --password hunter2 now", "login --password *** now"),
        ("echo sk-ant-123", "echo ***"),
        ("git push https://x", "git push https://x"),
        ("git clone https://me:hunter2@host/x", "git clone https://***@host/x"),
        ("mysql -p hunter2", "mysql -p ***"),
        ("export GITHUB_TOKEN=abc", "export GITHUB_TOKEN=***"),
        ("DB_PASS=hunter2 run", "DB_PASS=*** run"),
        ("PASS=hunter2 MY_PWD='hunter2' run", "PASS=*** MY_PWD=*** run"),
        ("run --pass hunter2 --db-password=hunter2 x", "run --pass *** --db-password=*** x"),
        ("run --api-key hunter2 AWS_SECRET_ACCESS_KEY=hunter2", "run --api-key *** AWS_SECRET_ACCESS_KEY=***"),
        ("curl --user bob:hunter2 x", "curl --user bob:*** x"),
        ("curl --user=bob:hunter2 -u bob:hunter2 x", "curl --user=bob:*** -u bob:*** x"),
        ("/usr/bin/mysql -uroot -phunter2 db", "/usr/bin/mysql -uroot -p*** db"),
        ("sshpass -p hunter2 ssh host", "sshpass -p *** ssh host"),
        ("redis-cli -a hunter2 ping", "redis-cli -a *** ping"),
        ("openssl enc -k hunter2 -in x", "openssl enc -k *** -in x"),
        ("docker login -u me -p hunter2 host", "docker login -u me -p *** host"),
        ("curl -H 'X-Api-Key: hunter2' x", "curl -H 'X-Api-Key: *** x"),
        ("curl -d token=hunter2 x", "curl -d token=*** x"),
        ('echo "sk-ant-123" key=ghp_123', "echo *** key=***"),
    ],
)
def test_what_looks_like_a_secret_is_masked(command: str, expected: str) -> None:
    assert mask(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p out", "git push -u origin main", "python -u run.py", "docker run -p 8080:80 -u 1000:1000 web",
        "grep token: notes.md", "claude -p 'explain it'", "mysql db; mkdir -p out", "mysql db && mkdir -p out",
        "tool --compass north --max-tokens 100", "cd $PWD && PWD=/x make", "sort --key 2", "ssh-keygen -t ed25519",
        "git commit -m 'add the token store'", "cat secrets.md", "npm run build -- --public-key x.pem",
    ],
)  # fmt: skip
def test_what_a_person_must_see_to_approve_it_stands(command: str) -> None:
    assert mask(command) == command


def test_a_process_stays_the_same_when_its_host_is_renamed() -> None:
    known = facts.Client(pid=7, start="1", host="laptop.local", boot="b", pids="n")
    assert known.is_process(facts.Client(pid=7, start="1", host="laptop.fritz.box", boot="b", pids="n"))
    assert known.is_process(facts.Client(pid=7))
    for other in ({"pid": 8}, {"pid": 7, "start": "2"}, {"pid": 7, "boot": "c"}, {"pid": 7, "pids": "m"}):
        assert not known.is_process(facts.Client(**other))
