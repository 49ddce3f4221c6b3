"""Running a command: it ends quietly when it is interrupted or terminated, or when its reader closes the pipe."""

from __future__ import annotations

import _thread
import importlib
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    import signal
    from collections.abc import Callable
    from typing import NoReturn
else:
    import _signal as signal  # built in: its other half makes enumerations of all numbers, at each start

INTERRUPTED, TERMINATED = 130, 143
AGAIN_S = 0.01  # until a signal whose exception was lost is sent once more


def carefully(module: str, args: argparse.Namespace) -> int:
    """Run the command of this module, which is imported only now; its exit code."""
    return quietly(lambda: int(importlib.import_module(module).run(args))) or 0


def quietly(run: Callable[[], int | None]) -> int | None:
    """What it returns, or the exit code of what ended it."""
    before = signal.getsignal(signal.SIGTERM), sys.unraisablehook
    try:
        sys.unraisablehook = _unlost(sys.unraisablehook)
        signal.signal(signal.SIGTERM, _leave)
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except BrokenPipeError:
        # Python flushes once more at exit, and would print an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        signal.signal(signal.SIGTERM, before[0])
        sys.unraisablehook = before[1]


class _Terminated(SystemExit):
    """A SystemExit, because an event loop swallows any other exception of a callback and goes on."""


def _leave(_number: int, _frame: object) -> NoReturn:
    raise _Terminated(TERMINATED)


def _unlost(otherwise: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], object]:
    """A hook that sends a signal again whose exception is lost.

    Python drops what is raised within a `__del__`, or within the callback of a weak reference, such as each import has.
    """

    def hook(lost: sys.UnraisableHookArgs) -> None:
        number = {_Terminated: signal.SIGTERM, KeyboardInterrupt: signal.SIGINT}.get(lost.exc_type)
        if number:
            _thread.start_new_thread(_tell_again, (number,))
        else:
            otherwise(lost)

    return hook


def _tell_again(number: int) -> None:
    time.sleep(AGAIN_S)
    if callable(signal.getsignal(signal.SIGTERM)):  # else the command is over, and its handler gone
        os.kill(os.getpid(), number)
