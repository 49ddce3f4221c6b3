"""A tray on a bus of its own, and a panel that looks at it."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support import patience
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.showing import environ

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from bench.panel import Node, Panel

AT_THE_END = ["", "yourturn", "Notifications", "Open at login", "Quit yourturn"]
TRAY = [sys.executable, "-c", "import sys; from statusbar.tray import tray; sys.exit(tray.run(None))"]


@contextlib.contextmanager
def started(home: Path, address: str, argv: Sequence[str] = TRAY, **more: str) -> Iterator[subprocess.Popen[str]]:
    env = environ(home, DBUS_SESSION_BUS_ADDRESS=address, **more)
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, env=env, cwd=PROJECT, stdout=pipe, stderr=pipe, text=True) as tray:
        try:
            yield tray
        finally:
            tray.terminate()


@contextlib.asynccontextmanager
async def shown(home: Path, address: str, **more: str) -> AsyncIterator[tuple[Panel, "subprocess.Popen[str]"]]:
    """A panel that has found our icon."""
    async with Panel(address) as panel:
        with started(home, address, **more) as tray:
            await panel.wait_for_item()
            yield panel, tray


async def until(look: Callable[[], Awaitable[Any]], is_so: Callable[[Any], bool], panel: Panel) -> Any:
    """Looks again after each signal."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so(found := await look()):
            await panel.heard.get()
    return found


async def until_labelled(panel: Panel, words: str) -> Node:
    found: Node = await until(panel.layout, lambda menu: words in str(menu), panel)
    return found


def wait_for(path: Path) -> None:
    patience.until(path.exists, str(path))


def nothing() -> Any:
    from dbus_fast import Variant  # noqa: PLC0415 - a name of the bus, used in one place

    return Variant("i", 0)
