"""A request in a notification, with buttons that answer it. Pure.

Desktops cut long texts off, each as it likes: only what is certain to be seen whole can be allowed there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers import word
from answers.request import QUESTION
from answers.request_text import shown
from statusbar.model import request_owner

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from answers.request import Request
    from statusbar.notifications.rules import Notice

MOST_LINES, WIDEST = 2, 60
OFFERED = (word.ALLOW, word.DENY)


def of_notice(notice: Notice, requests: Iterable[Request], known: Container[str] = ()) -> Request | None:
    """The request that a notice is about; None if it is about several, or if nobody waits for its answer."""
    asked = [one for one in requests if request_owner.owner(one, known) == notice.session_id]
    asked = [one for one in asked if notice.agent in ("", one.agent)]
    return asked[0] if len(asked) == 1 and not notice.parts else None


def with_answers(notice: Notice, request: Request) -> Notice:
    seen = shown(request)
    is_short = len(seen.lines) <= MOST_LINES and all(len(line) <= WIDEST for line in seen.lines)
    if not seen.is_whole or not is_short or request.kind == QUESTION:
        return notice._replace(offers=(button(word.DENY, request),))
    return notice._replace(body="\n".join(seen.lines), offers=tuple(button(deed, request) for deed in OFFERED))


def button(deed: str, request: Request) -> str:
    """Of one request: a click on what was there a moment ago answers nothing else."""
    return f"{deed}:{request.id}"


def deed_of(button: str) -> str:
    return button.partition(":")[0]
