"""A desk that shows what others share with a broker: right, at once, and again after whatever was cut."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contract import hosts, paths, store
from contract.status import NEEDS_APPROVAL, STATES, WAITING, WORKING
from fleet import broker_host, mirror, outgoing, topics
from fleet.broker_connection import KEPT_S
from fleet.topics import Place
from support.brokers import OPEN, Anyone, Broker, at_work
from support.fleets import Box, Desk, watched
from support.patience import until
from support.project import PROJECT
from support.showing import session

pytestmark = pytest.mark.series  # with `make test-clients`

PUBLISHER = """
import sys
from fleet.broker_publisher import BrokerPublisher
from fleet.share_settings import Sharing
share = BrokerPublisher(sys.argv[1], Sharing(sys.argv[2], "me", "box"))
share.start()
share.join()
"""


def test_what_one_machine_shares_another_shows(box: Box, desk: Desk) -> None:
    box.has(one=WORKING, two=NEEDS_APPROVAL)
    with at_work(box.share(), desk.watch()):
        desk.shows({"one@box": WORKING, "two@box": NEEDS_APPROVAL})
        box.has(one=WAITING)
        desk.shows({"one@box": WAITING, "two@box": NEEDS_APPROVAL})
        box.loses("one")
        desk.shows({"two@box": NEEDS_APPROVAL})
        assert desk.sessions["two@box"].host == "box"
        assert desk.connection.reached


def test_a_desk_that_comes_later_sees_the_same(box: Box, desk: Desk) -> None:
    box.has(one=WORKING)
    with at_work(box.share()):
        until(lambda: box.connection.sessions == 1)
        with at_work(desk.watch()):
            desk.shows({"one@box": WORKING})


def test_a_publisher_that_is_killed_is_seen_to_be_gone(box: Box, desk: Desk) -> None:
    """By the last will that the broker says in its name. How soon is measured by the bench."""
    box.has(one=WORKING)
    argv = [sys.executable, "-c", PUBLISHER, str(box.home), box.sharing.broker]
    with at_work(desk.watch()), subprocess.Popen(argv, cwd=PROJECT) as publisher:
        desk.shows({"one@box": WORKING})
        publisher.send_signal(signal.SIGKILL)
        killed = time.time()
        desk.misses("box", "its connection to the broker is cut")
        assert not desk.hosts["box"].known
        assert desk.states == {"one@box": WORKING}, "as something old"
        assert desk.hosts["box"].since == pytest.approx(killed, abs=60)
        publisher.wait()
        with at_work(box.share()):
            desk.shows({"one@box": WORKING})


def test_a_broker_that_is_killed_and_comes_back_heals_by_itself(box: Box, desk: Desk, broker: Broker) -> None:
    box.has(one=WORKING, two=WORKING)
    with at_work(box.share(), desk.watch()):
        desk.shows({"one@box": WORKING, "two@box": WORKING})
        broker.end(signal.SIGKILL)
        desk.misses("box", f"the broker at 127.0.0.1:{broker.port}")
        until(lambda: not desk.connection.reached)
        box.has(one=NEEDS_APPROVAL)
        box.loses("two")
        broker.start()
        desk.shows({"one@box": NEEDS_APPROVAL})
        desk.keeps("news.json", "box/host.json", "box/status/one.json")


def test_what_ended_while_the_desk_was_away_is_gone(box: Box, desk: Desk) -> None:
    box.has(one=WORKING, two=WORKING)
    with at_work(box.share()):
        with at_work(desk.watch()):
            desk.shows({"one@box": WORKING, "two@box": WORKING})
        assert not desk.hosts["box"].reached
        box.loses("one")
        until(lambda: box.connection.sessions == 1)
        with at_work(desk.watch()):
            desk.shows({"two@box": WORKING})


def test_a_machine_that_went_while_the_desk_was_away_is_out_of_reach(box: Box, desk: Desk) -> None:
    box.has(one=WORKING)
    with at_work(box.share()), at_work(desk.watch()):
        desk.shows({"one@box": WORKING})
    with at_work(desk.watch()):
        desk.misses("box", "nobody shares its states any more")
        assert not desk.speaks("box")


def test_what_the_broker_keeps_of_a_machine_that_is_gone_is_never_shown_as_known(desk: Desk, broker: Broker) -> None:
    place = Place("me", "box")
    with Anyone(broker) as anyone:
        anyone.says(
            place.session("one"), outgoing.message(outgoing.session(session("one"), outgoing.STATES), time.time(), 1)
        )
        anyone.says(place.about, outgoing.farewell("x", "gone"))
        with at_work(desk.watch()):
            desk.misses("box", "gone")
            assert not desk.speaks("box")


def test_what_the_machine_does_not_name_is_not_shown_though_the_broker_keeps_it(desk: Desk, broker: Broker) -> None:
    place, now = Place("me", "box"), time.time()
    with Anyone(broker) as anyone:
        for id_ in ("one", "left"):
            anyone.says(place.session(id_), outgoing.message(outgoing.session(session(id_), outgoing.STATES), now, 1))
        anyone.says(place.about, outgoing.host(["one"], now, 1, "x", known=True))
        with at_work(desk.watch()):
            desk.shows({"one@box": WORKING})


def test_a_machine_that_shares_no_more_is_not_listed_any_more(box: Box, desk: Desk) -> None:
    box.has(one=WORKING)
    share = box.share()
    with at_work(desk.watch(), share):
        desk.shows({"one@box": WORKING})
        share.stop(takes_back=True)
        until(lambda: not desk.hosts)
        desk.keeps("news.json")


def test_clocks_ten_minutes_apart_make_no_age_wrong_however_old_the_message(desk: Desk, broker: Broker) -> None:
    """What the broker has kept for an hour was written an hour ago, by a clock that is ten minutes ahead."""
    place, now = Place("me", "box"), time.time()
    written = now + 600 - 3600
    one = session("one", since=written - 60)
    with Anyone(broker) as anyone:
        left = KEPT_S - 3600
        said = outgoing.message(outgoing.session(one, outgoing.STATES), written, 1)
        anyone.says(place.session("one"), said, expires=left)
        anyone.says(place.about, outgoing.host(["one"], written, 1, "x", known=True), expires=left)
        with at_work(desk.watch()):
            desk.shows({"one@box": WORKING})
            assert desk.hosts["box"].ahead == pytest.approx(600, abs=90)
            assert desk.sessions["one@box"].since == pytest.approx(now - 3660, abs=90)


def test_a_machine_that_has_been_gone_for_long_is_not_listed(desk: Desk, broker: Broker) -> None:
    with Anyone(broker) as anyone:
        gone = outgoing.farewell("x", "gone")
        anyone.says(Place("me", "old").about, gone, expires=KEPT_S - int(hosts.FORGOTTEN_S) - 600)
        anyone.says(Place("me", "new").about, gone, expires=KEPT_S - 60)
        with at_work(desk.watch()):
            desk.misses("new", "gone")
            assert "old" not in desk.hosts


def test_many_sessions_and_machines_are_all_there(desk: Desk, broker: Broker) -> None:
    """More than mosquitto would queue for us if we asked for all of them at once."""
    now = time.time()
    ids = [f"s{k:03}" for k in range(30)]
    with Anyone(broker) as anyone:
        for number in range(60):
            place = Place("me", f"box-{number}")
            for id_ in ids:
                anyone._client.publish(place.session(id_), _said(id_, now), qos=1, retain=True)
            anyone.says(place.about, outgoing.host(ids, now, 30, "x", known=True))
        with at_work(desk.watch()):
            until(lambda: len(desk.states) == 1800 and all(host.speaks for host in desk.hosts.values()))
            until(lambda: (desk.connection.hosts, desk.connection.sessions, desk.connection.left_out) == (60, 1800, ""))


def test_what_the_broker_has_thrown_away_is_asked_for_again(
    desk: Desk, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gap in the numbers of a machine's messages tells of it."""
    monkeypatch.setattr(broker_host, "PATIENCE_S", 0.0)
    place, now = Place("me", "box"), time.time()
    with Anyone(broker) as anyone:
        for number, id_ in enumerate(("one", "two"), 1):
            anyone.says(place.session(id_), _said(id_, now, number))
        anyone.says(place.about, outgoing.host(["one", "two"], now, 2, "x", known=True))
        watching = desk.watch()
        heard = watching.hears
        is_deaf: list[str] = []
        watching.hears = lambda message: None if message.topic in is_deaf and not message.is_kept else heard(message)  # type: ignore[method-assign]
        with at_work(watching):
            desk.shows({"one@box": WORKING, "two@box": WORKING})
            is_deaf.append(place.session("one"))
            anyone.says(place.session("one"), _said("one", now, 3, WAITING))
            anyone.says(place.session("two"), _said("two", now, 4, NEEDS_APPROVAL))
            desk.shows({"one@box": WAITING, "two@box": NEEDS_APPROVAL})
            anyone.says(place.session("one"), _said("one", now, 5, NEEDS_APPROVAL))
            anyone.says(place.about, outgoing.host(["one", "two"], now, 5, "x", known=True))
            desk.shows({"one@box": NEEDS_APPROVAL, "two@box": NEEDS_APPROVAL})


def _said(id_: str, now: float, number: int = 1, state: str = WORKING) -> bytes:
    return outgoing.message(outgoing.session(session(id_, state), outgoing.STATES), now, number)


def test_everybodys_machines_are_told_apart_by_their_owners(tmp_path: Path, broker: Broker) -> None:
    desk, now = Desk(tmp_path / "desk", broker, owner="*"), time.time()
    with Anyone(broker) as anyone, at_work(desk.watch()):
        for owner in ("ada", "bob"):
            place = Place(owner, "laptop")
            anyone.says(place.about, outgoing.host(["one"], now, 1, "x", known=True))
            anyone.says(place.session("one"), _said("one", now))
        desk.shows({"one@ada.laptop": WORKING, "one@bob.laptop": WORKING}, "bob.laptop")


def test_of_other_owners_nothing_is_shown(box: Box, tmp_path: Path, broker: Broker) -> None:
    desk, other = Desk(tmp_path / "desk", broker), Desk(tmp_path / "other", broker, owner="somebody")
    box.has(one=WORKING)
    with at_work(box.share(), desk.watch(), other.watch()):
        desk.shows({"one@box": WORKING})
        until(lambda: other.connection.reached)
        assert not other.hosts


def test_this_machine_itself_is_not_shown_twice_but_it_counts(box: Box, broker: Broker) -> None:
    box.has(one=NEEDS_APPROVAL)
    both = Desk(box.home, broker, total=True)
    with Anyone(broker).listens(topics.total("me")) as lamp, at_work(box.share(), both.watch(own=Place("me", "box"))):
        until(lambda: json.loads(lamp.kept.get(topics.total("me"), b"{}")).get(NEEDS_APPROVAL) == 1)
        assert not both.hosts
        assert list(both.states) == ["one"]


def test_the_total_is_of_all_machines_that_speak_and_unknown_without_who_counts(
    box: Box, tmp_path: Path, broker: Broker
) -> None:
    second = Box(tmp_path / "second", broker, "second")
    box.has(one=WORKING, two=NEEDS_APPROVAL)
    second.has(three=WORKING)
    desk = Desk(tmp_path / "desk", broker, total=True)
    with Anyone(broker).listens(topics.total("me")) as lamp, watched(second):
        with at_work(desk.watch()), at_work(box.share()):
            with at_work(second.share()):
                wanted = dict(zip(STATES, (1, 2, 0), strict=True)) | {"known": True, "hosts": 2, "out_of_reach": 0}
                until(lambda: _total(lamp).items() >= wanted.items(), lambda: str(lamp.kept))
            until(lambda: _total(lamp).get(WORKING) == 1 and _total(lamp)["out_of_reach"] == 1)
        until(lambda: _total(lamp) == {"v": 1, "known": False})


def _total(lamp: Anyone) -> dict[str, object]:
    return dict(json.loads(lamp.kept.get(topics.total("me"), b"{}")))


def test_a_machine_that_a_command_brings_keeps_its_folder(box: Box, desk: Desk) -> None:
    """Whether it was there before the broker told of one of that name, or comes later."""
    box.has(one=WORKING)
    mirror.Mirror(str(desk.home), "box", "ssh box", time.time())
    with at_work(box.share(), desk.watch()):
        until(lambda: "names are taken" in desk.connection.left_out, lambda: str(desk.connection))
        assert desk.hosts["box"].source == "ssh box"
        assert not desk.states
    mirror.remove(str(desk.home), "box")
    watching = desk.watch()
    with at_work(box.share(), watching):
        desk.shows({"one@box": WORKING})
        watching.reserved = frozenset({"box"})
        mirror.Mirror(str(desk.home), "box", "ssh box", time.time())
        box.has(one=WAITING)
        until(lambda: watching._hosts[Place("me", "box")].counts[WAITING] == 1)
        assert desk.hosts["box"].source == "ssh box"


def test_many_messages_are_one_piece_of_news(box: Box, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    real = mirror.tell
    monkeypatch.setattr(mirror, "tell", lambda home: [told.append(home), real(home)])  # type: ignore[func-returns-value]
    box.has(**{f"s{number}": WORKING for number in range(200)})
    with at_work(box.share()):
        until(lambda: box.connection.sessions == 200)
        with at_work(desk.watch()):
            until(lambda: len(desk.states) == 200 and desk.speaks("box"))
    assert 0 < len(told) < 50


def test_folders_and_files_are_private(box: Box, desk: Desk) -> None:
    box.has(one=WORKING)
    with at_work(box.share(), desk.watch()):
        desk.shows({"one@box": WORKING})
        for home in (box.home, desk.home):
            for found in [*(home / "hosts").rglob("*"), *(home / "brokers").rglob("*"), home / "sharing.json"]:
                if found.exists():
                    assert os.stat(found).st_mode & 0o077 == 0, found
    assert os.path.exists(paths.broker_connection(str(desk.home), "hub"))


def test_a_connection_that_is_silent_is_noticed(box: Box, desk: Desk, broker: Broker) -> None:
    """A broker that is stopped keeps its connections open, and answers nothing."""
    box.has(one=WORKING)
    with at_work(box.share(), desk.watch()):
        desk.shows({"one@box": WORKING})
        os.kill(broker.pid, signal.SIGSTOP)
        try:
            desk.misses("box")
            until(lambda: not box.connection.reached)
        finally:
            os.kill(broker.pid, signal.SIGCONT)
        desk.shows({"one@box": WORKING})


def test_what_could_not_be_written_is_written_later(box: Box, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk: nothing of it is lost, and nothing old looks alive."""
    box.has(one=WORKING)
    full: list[str] = []
    real = store.replace

    def replace(path: str, data: bytes, *, durable: bool = False) -> None:
        if full and path.startswith(f"{desk.home}/hosts"):
            full.append(path)
            raise OSError(errno.ENOSPC, "No space left on device")
        real(path, data, durable=durable)

    monkeypatch.setattr(store, "replace", replace)
    share = box.share()
    with at_work(desk.watch()):
        with at_work(share):
            desk.shows({"one@box": WORKING})
            full.append("from now on")
            box.has(one=WAITING)
            until(lambda: len(full) > 2)
            full.clear()
            desk.shows({"one@box": WAITING})
            full.append("from now on")
        until(lambda: len(full) > 2)
        full.clear()
        desk.misses("box")


def test_a_broker_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker", OPEN)
    desk = Desk(tmp_path / "desk", broker)
    with at_work(desk.watch()):
        until(lambda: "refused" in desk.connection.why, lambda: str(desk.connection))
