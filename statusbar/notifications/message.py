"""A notice as the arguments of org.freedesktop.Notifications.Notify. Pure.

The specification: https://specifications.freedesktop.org/notification-spec
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from contract.status import NEEDS_APPROVAL
from statusbar.notifications.buttons import deed_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from statusbar.notifications.rules import Notice
    from statusbar.notifications.screen import Sound

APP, CLICKED, GO = "yourturn", "default", "Go to the terminal"
SOUND = "message-new-instant"
NORMAL, CRITICAL = 1, 2
AS_THE_SERVER_LIKES, NEVER = -1, 0  # when it disappears by itself


class Message(NamedTuple):
    title: str
    body: str
    actions: list[str]
    hints: dict[str, tuple[str, Any]]  # each with its signature
    expires: int

    def arguments(self, replaces: int) -> tuple[Any, ...]:
        return APP, replaces, "", self.title, self.body, self.actions, self.hints, self.expires


def message(notice: Notice, sound: Sound, can: Collection[str]) -> Message:
    """`can` is what the server is capable of, in the words of the specification."""
    is_request = notice.state == NEEDS_APPROVAL
    title, body = notice.title, markup(notice.body) if "body-markup" in can else notice.body
    if body and "body" not in can:
        title, body = worded(notice), ""
    hints = {"urgency": ("y", CRITICAL if is_request else NORMAL), **_hint(sound)}
    # A server that keeps none would let a request disappear before the person is back.
    expires = NEVER if is_request and "persistence" not in can else AS_THE_SERVER_LIKES
    offers = [text for offer in notice.offers for text in (offer, deed_of(offer).capitalize())]
    return Message(title, body, [CLICKED, GO, *offers] if "actions" in can else [], hints, expires)


def worded(notice: Notice) -> str:
    return f"{notice.title}: {notice.body}" if notice.body else notice.title


def markup(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def named(sound: Sound) -> str:
    """The name in the freedesktop sound themes; '' for none. Names of macOS have no dash."""
    return sound if isinstance(sound, str) and "-" in sound else SOUND if sound else ""


def _hint(sound: Sound) -> dict[str, tuple[str, Any]]:
    return {"sound-name": ("s", named(sound))} if sound else {"suppress-sound": ("b", True)}
