"""The signals that tell us to end, at moments at which an exception in the midst of it would do harm."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def held_back() -> Iterator[list[int]]:
    """Those that came. The first of them is obeyed afterwards.

    Not by the mask of signals: another thread would take them, and their exception would come here all the same.
    """
    came: list[int] = []
    obeyed = {number: signal.getsignal(number) for number in SIGNALS}
    heard = [number for number, handler in obeyed.items() if handler not in {None, signal.SIG_IGN}]
    try:
        for number in heard:
            signal.signal(number, lambda one, _frame: came.append(one))
        yield came
    finally:
        for number in heard:
            signal.signal(number, obeyed[number])
    if came:
        signal.raise_signal(came[0])
