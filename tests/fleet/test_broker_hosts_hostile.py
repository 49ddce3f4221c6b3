"""A hostile machine on a broker: it can spoil its own rows, and nothing else.

Topics with control characters are not among these: mosquitto takes none. `test_topics.py` has them.
"""

import json
import os
import time
import tracemalloc
from pathlib import Path

import pytest

from contract.status import WORKING
from fleet import broker_host, broker_hosts, broker_messages, incoming, outgoing
from fleet.topics import Place
from support.brokers import Anyone, Broker, at_work
from support.fleets import Box, Desk
from support.patience import until
from support.showing import HOSTILE, agent, hostile, session

pytestmark = pytest.mark.series  # with `make test-clients`

EVIL = Place("me", "evil")


def introduces(anyone: Anyone, place: Place, ids: list[str]) -> None:
    anyone.says(place.about, outgoing.host(ids, time.time(), 0, "x", known=True))


def said(id_: str, **more: object) -> bytes:
    return outgoing.message({**outgoing.session(session(id_), outgoing.FOLDERS), **more}, time.time(), 1)


@pytest.mark.parametrize("name", ["..", ".", "a b", "x" * 5000, "-rf", "bøx", "%2e%2e", "box\u202e"])
def test_a_host_with_an_unfit_name_is_left_out_and_counted(
    box: Box, desk: Desk, broker: Broker, name: str, tmp_path: Path
) -> None:
    box.has(one=WORKING)
    with Anyone(broker) as anyone, at_work(box.share(), desk.watch()):
        anyone.says(f"yourturn/v1/me/{name}/host", outgoing.host([], time.time(), 0, "x", known=True))
        desk.shows({"one@box": WORKING})
        until(lambda: "1 hosts with unfit names" in desk.connection.left_out, lambda: str(desk.connection))
        assert list(desk.hosts) == ["box"]
        desk.keeps("news.json", "box/host.json", "box/status/one.json")


@pytest.mark.parametrize("id_", ["..", "...", "../../x", "ab%2f", "x" * 300])
def test_an_id_from_a_topic_never_leads_out_of_the_folder(desk: Desk, broker: Broker, id_: str) -> None:
    topic = f"yourturn/v1/me/evil/session/{id_}"
    with Anyone(broker) as anyone, at_work(desk.watch()):
        introduces(anyone, EVIL, [id_, "fine"])
        anyone.says(topic, said(id_))
        anyone.says(topic, b"")
        anyone.says(EVIL.session("fine"), said("fine"))
        until(lambda: desk.states == {"fine@evil": WORKING})
        desk.keeps("news.json", "evil/host.json", "evil/status/fine.json")


def test_a_session_under_another_id_than_its_topics_is_left_out(desk: Desk, broker: Broker) -> None:
    with Anyone(broker) as anyone, at_work(desk.watch()):
        introduces(anyone, EVIL, ["one", "two"])
        anyone.says(EVIL.session("one"), said("two"))
        anyone.says(EVIL.session("two"), said("two"))
        until(lambda: desk.states == {"two@evil": WORKING} and "1 sessions" in desk.connection.left_out)
        assert "1 of its sessions" in desk.hosts["evil"].why


GARBAGE = {
    "nothing of ours": b"hello",
    "no object": b"[1]",
    "deep nesting": b"[" * 60_000,
    "a number too long": b'{"v": 1, "online": ' + b"9" * 60_000 + b"}",
    "bytes": bytes(range(256)) * 100,
    "too large": b'{"v": 1, "online": true, "x": "' + b"x" * broker_messages.LARGEST + b'"}',
    "other kinds": json.dumps({"v": 1, "online": "yes", "sessions": {"a": 1}, "now": "x", "n": []}).encode(),
}


@pytest.mark.parametrize("payload", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_counted_and_harms_nobody(box: Box, desk: Desk, broker: Broker, payload: bytes) -> None:
    box.has(one=WORKING)
    with Anyone(broker) as anyone, at_work(box.share(), desk.watch()):
        anyone.says(EVIL.about, payload)
        introduces(anyone, Place("me", "odd"), ["bad"])
        anyone.says(Place("me", "odd").session("bad"), payload)
        until(lambda: "2 messages that cannot be read" in desk.connection.left_out, lambda: str(desk.connection))
        desk.shows({"one@box": WORKING})


ODD = {
    "lists": {"sessions": [1, None, "a", ["b"], "x" * 1000], "n": -1},
    "a clock at the end of time": {"now": 1e300, "n": 1 << 70},
    "no clock": {"now": float("nan")},
    "endless clock": {"now": float("inf"), "version": "\x1b[2J", "why": "\u202e"},
}


@pytest.mark.parametrize("fields", ODD.values(), ids=ODD)
def test_odd_values_in_a_hosts_words_are_cleaned(desk: Desk, broker: Broker, fields: dict[str, object]) -> None:
    about = {"v": 1, "online": True, "known": True, "sessions": ["a"], "run": 7, **fields}
    with Anyone(broker) as anyone, at_work(desk.watch()):
        anyone.says(EVIL.about, json.dumps(about).encode())
        anyone.says(EVIL.session("a"), said("a"))
        until(lambda: desk.states == {"a@evil": WORKING})
        host = desk.hosts["evil"]
        assert (host.version + host.why).isprintable()
        assert abs(desk.sessions["a@evil"].since - time.time()) < incoming.FAR_S or not desk.sessions["a@evil"].since


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_clean_on_disk(desk: Desk, broker: Broker, text: str) -> None:
    fields = outgoing.session(hostile(text)._replace(session_id="a"), outgoing.FOLDERS)
    with Anyone(broker) as anyone, at_work(desk.watch()):
        introduces(anyone, EVIL, ["a"])
        anyone.says(EVIL.session("a"), outgoing.message(fields, time.time(), 1))
        until(lambda: "a@evil" in desk.states)
        one = desk.sessions["a@evil"]
        assert all(words.isprintable() for words in (one.name, one.detail, one.cwd, one.team or "", one.evidence))
        assert len(one.name) <= incoming.NAME


def test_a_host_cannot_speak_for_another_one(box: Box, desk: Desk, broker: Broker) -> None:
    """Whatever a message says of its host, process or transcript: it is the topic that counts."""
    box.has(one=WORKING)
    with Anyone(broker) as anyone, at_work(box.share(), desk.watch()):
        desk.shows({"one@box": WORKING})
        introduces(anyone, EVIL, ["one"])
        anyone.says(EVIL.session("one"), said("one", host="box", pid=1, shown_by=1, transcript="/etc/passwd"))
        until(lambda: set(desk.states) == {"one@box", "one@evil"})
        evil = desk.sessions["one@evil"]
        assert (evil.host, evil.pid, evil.shown_by, evil.transcript) == ("evil", None, None, "")


def test_ten_thousand_sessions_of_one_host_are_five_hundred_and_the_rest_is_counted(
    box: Box, desk: Desk, broker: Broker
) -> None:
    box.has(one=WORKING)
    ids = [f"s{number}" for number in range(10_000)]
    with Anyone(broker) as anyone, at_work(box.share(), desk.watch()):
        anyone.says(EVIL.about, outgoing.host(ids[:4000], time.time(), 0, "x", known=True))
        for id_ in ids:
            anyone._client.publish(EVIL.session(id_), said(id_), qos=1, retain=True)
        until(lambda: len(desk.files) == 500 + 4, lambda: str(len(desk.files)))
        until(lambda: "3500 sessions" in desk.connection.left_out, lambda: str(desk.connection))
        assert "3500 of its sessions" in desk.hosts["evil"].why
        until(lambda: desk.states.get("one@box") == WORKING and desk.speaks("box"))


def test_the_bytes_of_one_host_have_a_bound(desk: Desk, broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_host, "BYTES", 200_000)
    large = outgoing.session(
        session("x", agents=tuple(agent(f"a{k}", detail="x" * 200) for k in range(100))), "folders"
    )
    ids = [f"s{number}" for number in range(30)]
    with Anyone(broker) as anyone, at_work(desk.watch()):
        introduces(anyone, EVIL, ids)
        for id_ in ids:
            anyone.says(EVIL.session(id_), outgoing.message({**large, "session_id": id_}, time.time(), 1))
        until(lambda: "of its sessions" in desk.hosts["evil"].why if desk.hosts else False, lambda: str(desk.hosts))
        size = sum(path.stat().st_size for path in (desk.home / "hosts").rglob("*.json"))
        assert size < 400_000


def test_hosts_have_a_bound(desk: Desk, broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_hosts, "HOSTS", 5)
    with Anyone(broker) as anyone, at_work(desk.watch()):
        for number in range(9):
            introduces(anyone, Place("me", f"box-{number}"), [])
        until(lambda: "4 hosts too many" in desk.connection.left_out, lambda: str(desk.connection))
        assert len(desk.hosts) == 5


def test_the_largest_message_that_the_broker_takes_passes_by_in_bounded_memory(
    box: Box, desk: Desk, broker: Broker
) -> None:
    """We tell the broker how large a packet may be: what is larger it does not even send."""
    box.has(one=WORKING)
    large = os.urandom(1 << 20) * 100
    with Anyone(broker) as anyone, at_work(box.share(), desk.watch()):
        desk.shows({"one@box": WORKING})
        introduces(anyone, EVIL, ["a"])
        until(lambda: "evil" in desk.hosts)
        tracemalloc.start()
        try:
            anyone.says(EVIL.session("a"), large)
            tracemalloc.reset_peak()
            anyone.says(EVIL.session("b"), large)
            box.has(one="waiting")
            until(lambda: desk.states.get("one@box") == "waiting")
            assert tracemalloc.get_traced_memory()[1] < 300 << 20, "what the sender itself needs, and not more"
        finally:
            tracemalloc.stop()
