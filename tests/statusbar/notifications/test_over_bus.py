"""Notifications over a real bus: shown, clicked, replaced and withdrawn."""

import contextlib
import select
import threading
from pathlib import Path

import pytest

from statusbar.notifications.over_bus import OverBus
from statusbar.notifications.rules import VAGUE_S
from statusbar.notifications.screen import Shown, What
from support.command import yourturn
from support.noticing import ASKS, LATER, NOTICE, WAITS, WORKS, Person
from support.patience import PATIENCE_S
from support.showing import NOW

pytest.importorskip("dbus_fast", reason="NOTIFICATIONS WERE NOT TESTED ON A BUS: pip install dbus-fast")

from support.notification_server import desk

VAGUE = ASKS._replace(agents=(ASKS.agents[0]._replace(detail="permission"),))


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
