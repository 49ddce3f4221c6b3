"""A machine that shares: what the broker has of it, whatever happens to the connection."""

import json
import signal
import time
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from fleet import outgoing
from fleet.broker_publisher import ENDED, GONE
from fleet.topics import Place
from support.brokers import OPEN, Anyone, Broker, at_work
from support.fleets import Box, watched
from support.patience import until

PLACE = Place("me", "box")


def about(anyone: Anyone) -> dict[str, object]:
    return dict(json.loads(anyone.kept.get(PLACE.about) or b"{}"))


def state_of(id_: str, anyone: Anyone) -> object:
    """None for a session that was not heard of yet: what a broker keeps comes one by one, in an order of its own."""
    return json.loads(anyone.kept.get(PLACE.session(id_)) or b"{}").get("status")


def said_after(words: bytes, anyone: Anyone) -> bytes:
    """All that was heard since these words were."""
    heard = [payload for _, payload in anyone.heard]
    return b"".join(heard[heard.index(words) :]) if words in heard else b""


def test_the_broker_keeps_each_session_and_the_machine(box: Box, broker: Broker) -> None:
    box.has(one=WORKING, two=NEEDS_APPROVAL)
    with Anyone(broker).listens() as anyone, at_work(box.share()):
        until(lambda: about(anyone).get("known") is True, lambda: str(anyone.kept))
        assert about(anyone)["sessions"] == ["one", "two"]
    with Anyone(broker).listens() as later:
        until(lambda: state_of("two", later) == NEEDS_APPROVAL)


def test_its_states_are_not_known_before_all_of_them_are_told(box: Box, broker: Broker) -> None:
    box.has(one=WORKING, two=WORKING)
    with Anyone(broker).listens() as anyone, at_work(box.share()):
        until(lambda: about(anyone).get("known") is True)
    topics = [topic for topic, _ in anyone.heard]
    told = [json.loads(said) for topic, said in anyone.heard if topic == PLACE.about]
    assert topics[:4] == [PLACE.about, PLACE.session("one"), PLACE.session("two"), PLACE.about]
    assert [one.get("known") for one in told[:2]] == [False, True]


def test_only_what_changed_is_told(box: Box, broker: Broker) -> None:
    box.has(one=WORKING, two=WORKING)
    with Anyone(broker).listens() as anyone, at_work(box.share()):
        until(lambda: about(anyone).get("known") is True)
        before = len(anyone.heard)
        box.has(two=WAITING)
        until(lambda: len(anyone.heard) > before)
        assert [topic for topic, _ in anyone.heard[before:]] == [PLACE.session("two")]


def test_a_session_that_is_gone_is_taken_back(box: Box, broker: Broker) -> None:
    box.has(one=WORKING, two=WORKING)
    with Anyone(broker).listens() as anyone, at_work(box.share()):
        until(lambda: about(anyone).get("known") is True)
        box.loses("one")
        until(lambda: anyone.kept[PLACE.session("one")] == b"")
        assert about(anyone)["sessions"] == ["two"]


def test_what_an_earlier_life_has_left_is_taken_back(box: Box, broker: Broker) -> None:
    box.has(one=WORKING)
    with Anyone(broker).listens() as anyone:
        anyone.says(PLACE.session("old"), b'{"v":1}')
        with at_work(box.share()):
            until(lambda: anyone.kept.get(PLACE.session("old")) == b"")
            until(lambda: state_of("one", anyone) == WORKING)


def test_the_end_is_told_and_who_takes_it_back_leaves_nothing(box: Box, broker: Broker) -> None:
    box.has(one=WORKING)
    with Anyone(broker).listens() as anyone:
        with at_work(box.share()):
            until(lambda: about(anyone).get("known") is True)
        until(lambda: about(anyone).get("why") == ENDED)
        share = box.share()
        with at_work(share):
            until(lambda: about(anyone).get("known") is True)
            share.stop(takes_back=True)
        until(lambda: anyone.kept[PLACE.about] == b"" and anyone.kept[PLACE.session("one")] == b"")


def test_after_the_broker_has_lost_everything_it_is_told_again(tmp_path: Path) -> None:
    with Broker(tmp_path / "broker", OPEN, persistence=False) as broker:
        box = Box(tmp_path / "box", broker)
        box.has(one=WORKING)
        with watched(box), at_work(box.share()):
            until(lambda: box.connection.reached)
            broker.end(signal.SIGKILL)
            until(lambda: not box.connection.reached)
            box.has(one=WAITING)
            broker.start()
            with Anyone(broker).listens() as anyone:
                until(lambda: about(anyone).get("known") is True and state_of("one", anyone) == WAITING)


def test_an_old_last_will_or_somebody_elses_words_do_not_stand(box: Box, broker: Broker) -> None:
    box.has(one=WORKING)
    with Anyone(broker).listens() as anyone, at_work(box.share()):
        until(lambda: about(anyone).get("known") is True)
        will, lie = outgoing.farewell("another life", GONE), b'{"v":1,"status":"waiting"}'
        anyone.says(PLACE.about, will)
        until(lambda: b'"online":true' in said_after(will, anyone))
        anyone.says(PLACE.session("one"), b"")
        anyone.says(PLACE.session("one"), lie)
        until(lambda: b'"status":"working"' in said_after(lie, anyone))


def test_of_two_machines_with_one_name_the_first_gives_way_and_says_so(
    box: Box, broker: Broker, tmp_path: Path
) -> None:
    box.has(one=WORKING)
    clone = Box(tmp_path / "clone", broker)
    clone.has(two=WORKING)
    with watched(clone), at_work(box.share()):
        until(lambda: box.connection.reached)
        with at_work(clone.share()), Anyone(broker).listens() as anyone:
            until(lambda: "--host" in box.connection.why, lambda: str(box.connection))
            until(lambda: about(anyone).get("sessions") == ["two"])
            assert clone.connection.reached


def test_without_a_watcher_the_machine_says_that_it_does_not_know(tmp_path: Path, broker: Broker) -> None:
    box = Box(tmp_path / "box", broker)
    box.has(one=WORKING)
    with Anyone(broker).listens() as anyone, at_work(box.share()):
        until(lambda: PLACE.session("one") in anyone.kept)
        assert about(anyone)["known"] is False
        with watched(box):
            until(lambda: about(anyone).get("known") is True)
        until(lambda: about(anyone).get("known") is False)


def test_its_clock_is_told_with_each_message(box: Box, broker: Broker) -> None:
    box.has(one=WORKING)
    with Anyone(broker).listens() as anyone, at_work(box.share(clock=lambda: time.time() + 600)):
        until(lambda: PLACE.session("one") in anyone.kept)
        assert json.loads(anyone.kept[PLACE.session("one")])["now"] - time.time() == pytest.approx(600, abs=60)
