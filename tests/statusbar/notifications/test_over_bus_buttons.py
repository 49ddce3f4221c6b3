"""Answers by the buttons of a notification, over a real bus."""

from pathlib import Path

import pytest

from answers import give
from support.asking import BASH, Asking, decision
from support.builders import SESSION
from support.noticing import ASKS, Person

pytest.importorskip("dbus_fast", reason="NOTIFICATIONS WERE NOT TESTED ON A BUS: pip install dbus-fast")

from support.notification_server import desk


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
