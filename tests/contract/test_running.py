"""Running a command carefully."""

import asyncio
import signal

import pytest

from contract import running
from support.patience import FOREVER_S


def test_being_told_to_end_comes_through_an_event_loop() -> None:
    """A loop keeps what its callbacks raise to itself, but for the end of the program."""

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(running._leave, signal.SIGTERM, None)
        await asyncio.sleep(FOREVER_S)

    with pytest.raises(running._Terminated):
        asyncio.run(wait())
