"""What a session has used today, in words: counted in a thread of its own, so that the list never waits for it."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.status import SessionStatus
    from usage.summary import Spent

AGAIN_S = 5.0


class Spending:
    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self._home, self._env = home, env
        self._words: dict[str, str] = {}
        self._asked: dict[str, float] = {}
        self._counting: threading.Thread | None = None

    def __call__(self, session: SessionStatus) -> str:
        """As last counted, '' before the first time. One session is counted at a time."""
        now, id_ = time.monotonic(), session.session_id
        is_due = now - self._asked.get(id_, float("-inf")) >= AGAIN_S
        if is_due and not (self._counting and self._counting.is_alive()):
            self._asked[id_] = now
            self._counting = threading.Thread(target=self._count, args=(id_,), name="usage", daemon=True)
            self._counting.start()
        return self._words.get(id_, "")

    def _count(self, session: str) -> None:
        with contextlib.suppress(ImportError, OSError):  # a Python without SQLite; a disk that is full
            from usage import summary  # noqa: PLC0415 - 10 ms, and only wide screens need it

            self._words[session] = worded(summary.today(self._home, session, time.time(), self._env))


def worded(spent: Spent | None) -> str:
    """`1,234,567 tokens, 12.34+ USD at API prices`; a cost that is not known at all is left out."""
    if spent is None or not spent.tokens.messages:
        return ""
    tokens = f"{spent.tokens.context + spent.tokens.output:,} tokens"
    if spent.cost is None or not spent.cost.is_known:
        return tokens
    return f"{tokens}, {spent.cost.amount:.2f}{'+' * bool(spent.cost.unknown)} {spent.currency} at API prices"
