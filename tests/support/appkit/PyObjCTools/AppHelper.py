"""The main thread's loop: what other threads ask for is done here, one thing after the other."""  # noqa: N999 - the name is theirs

from __future__ import annotations

import threading
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_calls: Queue[Callable[[], Any]] = Queue()
TICK_S = 0.05  # as timers do it in the real loop: a signal that comes just before a wait is heard only after it


def callAfter(func: Callable[..., Any], *args: Any) -> None:  # noqa: N802
    _calls.put(lambda: func(*args))


def installMachInterrupt() -> None:  # noqa: N802
    pass


def runEventLoop() -> None:  # noqa: N802
    """Until the application is terminated."""
    assert threading.current_thread() is threading.main_thread()
    while True:
        try:
            call = _calls.get(timeout=TICK_S)
        except Empty:
            continue
        call()
