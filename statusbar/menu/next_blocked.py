"""Going from one blocked session to the next, as clicks on the icon ask for it. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contract.status import SessionStatus

SAME_ROUND_S = 30.0  # whoever clicks again later begins with the most urgent one


class NextBlocked(NamedTuple):
    last: str = ""  # the id of the session that the person was taken to
    at: float = -math.inf

    def in_order(self, blocked: Sequence[SessionStatus], now: float) -> list[SessionStatus]:
        """All of them, beginning after the last one. The most urgent one is the first of `blocked`."""
        ids = [session.session_id for session in blocked]
        is_over = not 0 <= now - self.at < SAME_ROUND_S
        place = 0 if is_over or self.last not in ids else ids.index(self.last) + 1
        return [*blocked[place:], *blocked[:place]]
