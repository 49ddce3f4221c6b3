"""Who may look: whoever has the token of the first link, and then the cookie that it is exchanged for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TICKET_S = 60.0
PURPOSE = b"yourturn web: the cookie"  # what the browser keeps is not what opens the door elsewhere


class Access:
    def __init__(self, token: str, port: int, clock: Callable[[], float]) -> None:
        self._token = token
        self._clock = clock
        self._tickets: dict[str, float] = {}
        # Browsers give cookies to every port of a host: one of ours elsewhere must not push this one out.
        self.name = f"yourturn-{port}"
        self._cookie = hmac.new(token.encode(), PURPOSE, hashlib.sha256).hexdigest()

    @property
    def cookie(self) -> str:
        """As it is set: for this browser session, for no script, and for no request that another page makes."""
        return f"{self.name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def ticket(self) -> str:
        """Opens once, and soon: it stands in the arguments of the browser, where others may read it."""
        made = new_token()
        self._tickets[made] = self._clock() + TICKET_S
        return made

    def accepts(self, token: str) -> bool:
        return _is_same(token, self._token) or self._redeems(token)

    def knows(self, cookie: str) -> bool:
        return _is_same(cookie, self._cookie)

    def _redeems(self, token: str) -> bool:
        found = [ticket for ticket in self._tickets if _is_same(token, ticket)]
        return any(self._tickets.pop(ticket) >= self._clock() for ticket in found)


def new_token() -> str:
    return secrets.token_urlsafe(24)


def _is_same(one: str, other: str) -> bool:
    """In the same time, however much of it is right."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())
