"""Notifications over a real bus with servers that differ, hang, are restarted or are not there."""

import os
import signal
import socket
import threading
from pathlib import Path

import pytest

from statusbar.notifications import server
from support.noticing import ASKS, LATER, WORKS, Person
from support.patience import PATIENCE_S

pytest.importorskip("dbus_fast", reason="NOTIFICATIONS WERE NOT TESTED ON A BUS: pip install dbus-fast")

from support.notification_server import desk


def test_a_server_is_asked_once_what_it_can_and_told_accordingly(person: Person, address: str) -> None:
    with desk(address, can=["body"]) as screen:
        person.look(ASKS._replace(agents=(ASKS.agents[0]._replace(detail="<b>&"),)))
        assert screen.heard() == {"asked": "capabilities"}
        first = screen.heard()
        assert (first["body"], first["actions"], first["expires"]) == ("<b>&", [], 0)
        person.look(LATER)
        assert [next(iter(screen.heard())) for _ in range(2)] == ["closed", "shown"], "not asked again"


def test_who_wants_not_to_be_disturbed_hears_no_sound(person: Person, address: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[notify]\nsound = true\n")
    with desk(address, inhibited=True) as screen:
        person.look(ASKS)
        assert screen.shown()["hints"] == {"urgency": 2, "suppress-sound": True}


def test_a_server_that_was_restarted_is_found_again_and_its_numbers_are_its_own(person: Person, address: str) -> None:
    with desk(address) as screen:
        person.look(ASKS)
        screen.shown()
    with desk(address, can=[]) as screen:
        other = WORKS._replace(session_id="b", cwd="/p/b")
        asks = ASKS._replace(session_id="b", cwd="/p/b")
        person.look(ASKS, asks)
        assert screen.heard() == {"asked": "capabilities"}, "another server may be able to do other things"
        assert screen.heard()["shown"] == 1
        person.look(WORKS, asks)
        person.look(WORKS, asks, ASKS._replace(session_id="c", cwd="/p/c"))
        assert screen.heard()["shown"] == 2, "the first one had its number elsewhere"
        person.look(WORKS, other)
        assert [screen.heard()["closed"] for _ in range(2)] == [1, 2]


def test_without_a_server_the_person_is_told_another_way(person: Person) -> None:
    person.look(ASKS)
    person.hear(person.told)
    assert person.told == ["a needs approval: Bash: npm test"]


def test_without_a_bus_as_well(tmp_path: Path) -> None:
    person = Person(tmp_path, "unix:path=/nowhere")
    with person.notifier:
        person.look(ASKS)
        person.hear(person.told)
    assert person.told == ["a needs approval: Bash: npm test"]


def test_nobody_waits_for_a_server_that_hangs_and_the_next_one_is_found(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(tmp_path, address)
    with person.notifier:
        with desk(address) as screen:
            os.kill(screen.process.pid, signal.SIGSTOP)
            person.look(ASKS)
            person.look(WORKS)
            assert person.told == [], "it has looked twice, and nobody has answered yet"
            monkeypatch.setattr(server, "PATIENCE_S", 0.05)
            person.look(LATER)
        with desk(address) as screen:
            monkeypatch.setattr(server, "PATIENCE_S", PATIENCE_S)
            person.hear(person.told)
            person.look(WORKS)
            person.look(ASKS._replace(session_id="b", cwd="/p/b"))
            while screen.shown()["title"] != "b needs approval":
                pass


def test_nobody_waits_for_a_bus_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.05)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "silent"))
        silent.listen()
        person = Person(tmp_path / "home", f"unix:path={tmp_path}/silent")
        with person.notifier:
            person.look(ASKS)
            person.hear(person.told)
    assert person.told == ["a needs approval: Bash: npm test"]


def test_who_ends_while_the_server_hangs_does_not_wait_for_it(tmp_path: Path, address: str) -> None:
    with desk(address, slow=True) as screen:
        person = Person(tmp_path, address, ending_s=0.0)
        with person.notifier:
            person.look(ASKS)
            screen.shown()
        (late,) = [one for one in threading.enumerate() if one.name == "notifications"]
        screen.do("answer")
        assert screen.heard() == {"closed": 1}, "though nobody waits for it"
        late.join(PATIENCE_S)
