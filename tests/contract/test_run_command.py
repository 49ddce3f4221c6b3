"""Running a command carefully."""

import asyncio
import signal
import subprocess
import sys

import pytest

from contract import run_command
from support.patience import FOREVER_S, PATIENCE_S
from support.project import PROJECT

# As a module's lock goes with each import.
TOLD_IN_A_CALLBACK = """
import os, signal, sys, threading, weakref
from contract import run_command
tell_again, told_again = run_command._tell_again, threading.Event()
run_command._tell_again = lambda number: (tell_again(number), told_again.set())
class Thing: pass
def run():
    thing = Thing()
    asked = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.{signal}))
    del thing
    {then}
code = run_command.quietly(run)
told_again.wait()
sys.exit(code)
"""


def test_being_told_to_end_comes_through_an_event_loop() -> None:
    """A loop keeps what its callbacks raise to itself, but for the end of the program."""

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(run_command._leave, signal.SIGTERM, None)
        await asyncio.sleep(FOREVER_S)

    with pytest.raises(run_command._Terminated):
        asyncio.run(wait())


@pytest.mark.parametrize(("number", "code"), [("SIGTERM", run_command.TERMINATED), ("SIGINT", run_command.INTERRUPTED)])
def test_being_told_to_end_is_not_lost_where_python_drops_exceptions(number: str, code: int) -> None:
    assert told_in_a_callback(number, "signal.pause()") == (code, "")


@pytest.mark.parametrize("number", ["SIGTERM", "SIGINT"])
def test_a_command_that_is_over_by_then_is_not_told_again(number: str) -> None:
    assert told_in_a_callback(number, "return 7") == (7, "")


def told_in_a_callback(number: str, then: str) -> tuple[int, str]:
    argv = [sys.executable, "-c", TOLD_IN_A_CALLBACK.format(signal=number, then=then)]
    found = subprocess.run(argv, cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    return found.returncode, found.stderr
