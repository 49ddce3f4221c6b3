"""How much of the transcripts one look may read, and who comes first: one file that jumps must not stop the others."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

EACH = 512 << 10  # of one session, once it had to wait
ALL = 4 << 20  # of all together; only a first sight that began in time may go beyond it
SURE = 4  # so many of those who have waited longest are sure of their part
NEXT = 64  # so many may get one where nobody takes much


class Allowance:
    def __init__(self) -> None:
        self._line: dict[str, None] = {}  # the sessions that have to read on, who waited longest first
        self._sure: dict[str, int] = {}  # bytes that are left to those whose turn it is
        self._common = ALL

    def begin(self) -> None:
        """A new look."""
        self._sure = dict.fromkeys(islice(self._line, SURE), EACH)
        self._common = ALL - EACH * len(self._sure)

    @property
    def waiting(self) -> list[str]:
        """Those whose turn is next."""
        return list(islice(self._line, NEXT))

    def portion(self, who: str) -> int:
        """As many bytes as it may read now; 0 if it has to wait."""
        return max(0, self._sure.get(who, 0), min(EACH, self._common))

    def spend(self, who: str, amount: int) -> None:
        if self._sure.get(who, 0) > 0:
            self._sure[who] -= amount
        else:
            self._common -= amount

    def wait(self, who: str) -> None:
        """It has more to read. Whoever had its turn goes to the end of the queue."""
        if who in self._sure:
            self._line.pop(who, None)
        self._line.setdefault(who)

    def leave(self, who: str) -> None:
        self._line.pop(who, None)


class Share(NamedTuple):
    """What one session has of it."""

    allowance: Allowance
    who: str

    def portion(self) -> int:
        return self.allowance.portion(self.who)

    def spend(self, amount: int) -> None:
        self.allowance.spend(self.who, amount)

    def ask_again(self, is_behind: bool) -> None:
        (self.allowance.wait if is_behind else self.allowance.leave)(self.who)
