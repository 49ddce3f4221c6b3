"""What a notification server is told, for each kind of server."""

import pytest

from contract.status import WAITING
from statusbar.notifications.message import AS_THE_SERVER_LIKES, NEVER, message, worded
from statusbar.notifications.rules import collapsed
from support.noticing import NOTICE, many

ALL = ("actions", "body", "body-markup", "persistence")
EVIL = NOTICE._replace(title="<b>&", body="<b>&\\074")


def test_a_request_is_urgent_and_can_be_clicked() -> None:
    found = message(NOTICE, sound=True, can=ALL)
    assert (found.title, found.body) == ("a needs approval", "Bash: npm test")
    assert found.actions == ["default", "Go to the terminal"]
    assert found.hints == {"urgency": ("y", 2), "sound-name": ("s", "message-new-instant")}
    assert message(NOTICE._replace(state=WAITING), sound=True, can=ALL).hints["urgency"] == ("y", 1)
    assert message(collapsed(many(5))[0], sound=True, can=ALL).actions == found.actions


def test_markup_is_escaped_only_where_it_would_be_read() -> None:
    assert message(EVIL, sound=False, can=ALL).body == "&lt;b&gt;&amp;\\074"
    assert message(EVIL, sound=False, can=("body",)).body == "<b>&\\074"
    assert {message(EVIL, sound=False, can=can).title for can in (ALL, ("body",))} == {"<b>&"}


def test_a_server_without_bodies_gets_all_words_in_the_title() -> None:
    found = message(EVIL, sound=False, can=("body-markup",))
    assert (found.title, found.body) == ("<b>&: <b>&\\074", "")
    assert worded(NOTICE._replace(body="")) == "a needs approval"


def test_a_server_without_actions_gets_none() -> None:
    assert message(NOTICE, sound=False, can=("body",)).actions == []


def test_a_request_stays_where_the_server_keeps_nothing() -> None:
    assert message(NOTICE, sound=False, can=("body",)).expires == NEVER
    assert message(NOTICE, sound=False, can=ALL).expires == AS_THE_SERVER_LIKES
    assert message(NOTICE._replace(state=WAITING), sound=False, can=()).expires == AS_THE_SERVER_LIKES


@pytest.mark.parametrize(
    ("sound", "name", "value"),
    [
        (False, "suppress-sound", ("b", True)),
        (True, "sound-name", ("s", "message-new-instant")),
        ("bell-terminal", "sound-name", ("s", "bell-terminal")),
        ("Ping", "sound-name", ("s", "message-new-instant")),
    ],
)
def test_a_sound_is_named_or_suppressed(sound: bool | str, name: str, value: tuple[str, object]) -> None:
    hints = message(NOTICE, sound, ALL).hints
    assert hints[name] == value
    assert len(hints) == 2
