"""Notifications over a real bus: shown, clicked, replaced, withdrawn, and by a server that hangs or is restarted."""

import contextlib
import os
import select
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from answers import give
from statusbar.notifications import server
from statusbar.notifications.over_bus import OverBus
from statusbar.notifications.rules import VAGUE_S
from statusbar.notifications.screen import Shown, What
from support.asking import BASH, Asking, decision
from support.builders import SESSION
from support.command import yourturn
from support.needs import need
from support.noticing import ASKS, NOTICE, WAITS, WORKS, Person
from support.patience import PATIENCE_S
from support.showing import NOW

pytest.importorskip("dbus_fast", reason="NOTIFICATIONS WERE NOT TESTED ON A BUS: pip install dbus-fast")

from bench.panel import bus
from support.notification_server import desk

ALONE = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""
LATER = ASKS._replace(agents=(ASKS.agents[0]._replace(since=NOW + 5, detail="Bash: ls"),))
VAGUE = ASKS._replace(agents=(ASKS.agents[0]._replace(detail="permission"),))


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Of a bus that starts no server by itself, whatever is installed here."""
    need("dbus-daemon")
    (tmp_path / "bus.conf").write_text(ALONE)
    with bus(config=str(tmp_path / "bus.conf")) as found:
        yield found


@pytest.fixture
def person(tmp_path: Path, address: str) -> Iterator[Person]:
    made = Person(tmp_path, address)
    with made.notifier:
        yield made


def test_a_request_is_shown_with_project_and_command_and_all_it_takes_to_be_clicked(
    person: Person, address: str
) -> None:
    with desk(address) as screen:
        person.look(ASKS)
        assert screen.shown() == {
            "shown": 1,
            "app": "yourturn",
            "title": "a needs approval",
            "body": "Bash: npm test",
            "actions": ["default", "Go to the terminal"],
            "hints": {"urgency": 2, "suppress-sound": True},
            "expires": -1,
        }


def test_a_click_goes_to_the_terminal_and_what_could_not_be_done_is_said(person: Person, address: str) -> None:
    person.slow.clear()
    with desk(address) as screen:
        person.look(ASKS)
        screen.shown()
        screen.do("click 1")
        person.hear(person.went)
        assert (person.went, person.told) == (["a"], []), "a slow terminal must not stop the bar"
        assert screen.heard() == {"closed": 1}
        (visit,) = [one for one in threading.enumerate() if one.name == "go"]
        person.slow.set()
        visit.join(PATIENCE_S)
        assert person.told == ["Could not go."]


def test_what_was_answered_elsewhere_is_withdrawn_once(person: Person, address: str) -> None:
    with desk(address) as screen:
        person.look(ASKS)
        screen.shown()
        person.look(WORKS)
        assert screen.heard() == {"closed": 1}
        person.look()
        person.look(LATER)
        assert screen.heard()["shown"] == 2, "nothing was closed twice"


def test_what_was_answered_before_the_server_has_shown_it_is_withdrawn_as_well(person: Person, address: str) -> None:
    with desk(address, slow=True) as screen:
        person.look(ASKS)
        screen.shown()
        person.look(WORKS)
        screen.do("answer")
        assert screen.heard() == {"closed": 1}


def test_words_that_come_later_are_shown_in_the_same_place_without_a_sound(
    person: Person, address: str, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text("[notify]\nsound = true\n")
    with desk(address) as screen:
        person.look(VAGUE, settles_s=VAGUE_S)
        first = screen.shown()
        assert (first["body"], first["hints"]["sound-name"]) == ("a-name", "message-new-instant")
        person.look(ASKS)
        second = screen.heard()
        assert (second["shown"], second["body"]) == (1, "Bash: npm test")
        assert second["hints"] == {"urgency": 2, "suppress-sound": True}


def test_one_for_several_counts_down_in_its_place_and_goes_with_the_last(person: Person, address: str) -> None:
    some = [ASKS._replace(session_id=f"s{k}", cwd=f"/p/s{k}") for k in range(5)]
    with desk(address) as screen:
        person.look(*some)
        assert screen.shown()["title"] == "Your agents: 5 need you"
        person.look(*some[3:])
        found = screen.heard()
        assert (found["shown"], found["title"]) == (1, "Your agents: 2 need you")
        screen.do("click 1")
        person.hear(person.went)
        assert person.went == ["s3"]


def test_one_that_the_person_dismissed_is_neither_shown_again_nor_withdrawn(person: Person, address: str) -> None:
    with desk(address) as screen:
        person.look(VAGUE, settles_s=VAGUE_S)
        screen.shown()
        person.hear_once()
        screen.do("dismiss 1")
        while person.notifier._shown:
            person.hear_once()
        person.look(ASKS)
        person.look(WORKS)
        person.look(LATER)
        assert screen.heard()["shown"] == 2


def test_what_the_person_has_dismissed_a_moment_ago_does_not_come_back_with_better_words(address: str) -> None:
    over_bus, shown = OverBus({"DBUS_SESSION_BUS_ADDRESS": address}), Shown(NOTICE)

    def hear() -> What:
        while not (heard := over_bus.read(select.select(over_bus.descriptors(), (), (), PATIENCE_S)[0])):
            pass
        return heard[0].what

    with desk(address) as screen, contextlib.ExitStack() as at_the_end:
        at_the_end.callback(over_bus.close, PATIENCE_S)
        over_bus.show(shown, sound=False)
        assert hear() is What.IS_SHOWN
        screen.do("dismiss 1")
        assert hear() is What.CLOSED
        over_bus.replace(shown)
        over_bus.show(Shown(NOTICE._replace(title="another")), sound=False)
        assert [screen.shown()["title"], screen.heard()["title"]] == [NOTICE.title, "another"]


def test_who_ends_takes_along_what_asks_and_leaves_the_rest(tmp_path: Path, address: str) -> None:
    with desk(address) as screen:
        person = Person(tmp_path, address)
        with person.notifier:
            person.look(WORKS)
            person.look(WAITS)
            assert screen.shown()["hints"]["urgency"] == 1
            person.look(WAITS, ASKS._replace(session_id="b", cwd="/p/b"))
        assert screen.heard()["title"] == "b needs approval"
        assert screen.heard() == {"closed": 2}


def test_that_it_finished_is_withdrawn_when_it_works_again(person: Person, address: str) -> None:
    with desk(address) as screen:
        person.look(WORKS)
        person.look(WAITS)
        assert screen.shown()["title"] == "a finished after 5 min"
        person.look(WORKS._replace(since=NOW + 20))
        assert screen.heard() == {"closed": 1}


# Servers that differ


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


# The command


def test_a_test_is_shown_and_says_which_way_it_went(tmp_path: Path, address: str) -> None:
    with desk(address) as screen:
        found = yourturn(tmp_path, "notify", "--test", DBUS_SESSION_BUS_ADDRESS=address)
        assert (found.returncode, found.stdout) == (0, "Sent with desktop notifications that can be clicked.\n")
        assert screen.shown()["body"] == "This is how it looks when an agent needs you."


def test_a_test_says_that_the_person_does_not_want_to_be_disturbed(tmp_path: Path, address: str) -> None:
    with desk(address, inhibited=True):
        found = yourturn(tmp_path, "notify", "--test", DBUS_SESSION_BUS_ADDRESS=address)
        assert "Note: do not disturb is on" in found.stdout


def test_a_test_that_nobody_shows_fails_and_says_why(tmp_path: Path, address: str) -> None:
    found = yourturn(tmp_path, "notify", "--test", DBUS_SESSION_BUS_ADDRESS=address)
    assert (found.returncode, found.stdout) == (1, "")
    assert "no program on this desktop shows them (org.freedesktop.DBus.Error.ServiceUnknown)" in found.stderr


def test_a_request_is_answered_by_a_button_with_what_was_on_it(tmp_path: Path, address: str) -> None:
    asks = ASKS._replace(session_id=SESSION)
    with Asking(tmp_path) as client, desk(address) as screen:
        hook = client.hook()
        allow, deny = (f"{deed}:{client.open().id}" for deed in ("allow", "deny"))
        own = Person(Path(client.home), address)
        with own.notifier:
            own.look(asks)
            found = screen.shown()
            assert found["body"] == "touch made\ndescription: run it"
            assert found["actions"] == ["default", "Go to the terminal", allow, "Allow", deny, "Deny"]
            screen.do(f"click 1 {allow}")
            own.hear_until(lambda: hook.poll() is not None)
            assert decision(hook) == {"behavior": "allow"}
            assert own.went == []


def test_buttons_come_later_where_the_hook_begins_to_wait_later(tmp_path: Path, address: str) -> None:
    asks = ASKS._replace(session_id=SESSION)
    with Asking(tmp_path) as client, desk(address) as screen:
        own = Person(Path(client.home), address)
        with own.notifier:
            own.look(asks)
            assert screen.shown()["actions"] == ["default", "Go to the terminal"]
            client.hook()
            request = client.open()
            own.look(asks)
            assert screen.shown()["actions"][2:] == [f"allow:{request.id}", "Allow", f"deny:{request.id}", "Deny"]


def test_a_button_of_another_request_answers_nothing(tmp_path: Path, address: str) -> None:
    """A click may come for what was on the screen a moment ago."""
    asks = ASKS._replace(session_id=SESSION)
    with Asking(tmp_path) as client, desk(address) as screen:
        hook = client.hook()
        client.open()
        own = Person(Path(client.home), address)
        with own.notifier:
            own.look(asks)
            screen.shown()
            screen.do(f"click 1 allow:{'0' * 16}")
            own.hear_until(lambda: bool(own.told))
            assert own.told == [give.GONE]
            assert (hook.poll(), client.outcomes(), own.went) == (None, [], [])


def test_what_a_desktop_might_cut_off_can_only_be_denied_there(tmp_path: Path, address: str) -> None:
    asks = ASKS._replace(session_id=SESSION)
    with Asking(tmp_path) as client, desk(address) as screen:
        hook = client.hook({**BASH, "tool_input": {"command": "make " + "x" * 100}})
        client.open()
        own = Person(Path(client.home), address)
        with own.notifier:
            own.look(asks)
            deny = f"deny:{client.open().id}"
            assert screen.shown()["actions"] == ["default", "Go to the terminal", deny, "Deny"]
            screen.do(f"click 1 {deny}")
            own.hear_until(lambda: hook.poll() is not None)
            assert decision(hook)["behavior"] == "deny"
