"""The tray where no panel shows it, and at the end of the desktop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.patience import PATIENCE_S

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from bench.panel import Panel, bus
from support.trays import shown, started, until_labelled

if TYPE_CHECKING:
    import subprocess


def test_a_desktop_without_a_tray_is_told_what_to_install(home: Path, address: str) -> None:
    with started(home, address) as tray:
        _, said = tray.communicate(timeout=PATIENCE_S)
    assert tray.returncode == 1
    assert "no tray" in said
    assert "AppIndicator" in said
    assert "yourturn top" in said


@pytest.mark.parametrize("address", ["unix:path=/nowhere/bus", "nonsense", ""])
def test_a_machine_without_a_desktop_is_told_so(home: Path, address: str) -> None:
    with started(home, address) as tray:
        _, said = tray.communicate(timeout=PATIENCE_S)
    assert tray.returncode == 1
    assert said.startswith("yourturn: no desktop session found")
    assert "Traceback" not in said


def test_a_tray_nobody_looks_at_says_so_and_stays(home: Path, address: str) -> None:
    async def look() -> str:
        async with Panel(address) as panel:
            panel.watcher.is_shown = False
            with started(home, address) as tray:
                await panel.wait_for_item()
                assert tray.stderr
                return await asyncio.to_thread(tray.stderr.readline)

    assert "no panel shows it yet" in asyncio.run(look())


@contextlib.asynccontextmanager
async def shown_on_a_desktop(home: Path) -> AsyncIterator[tuple[contextlib.ExitStack, "subprocess.Popen[str]"]]:
    """A tray that is shown, and the desktop, which ends when it is closed."""
    with contextlib.ExitStack() as desktop:
        async with shown(home, desktop.enter_context(bus())) as (panel, tray):
            await until_labelled(panel, "Quit")
            yield desktop, tray


def test_the_end_of_the_desktop_is_the_end_of_the_tray(home: Path) -> None:
    async def look() -> tuple[int, str]:
        async with shown_on_a_desktop(home) as (desktop, tray):
            desktop.close()
            _, said = await asyncio.to_thread(tray.communicate, timeout=PATIENCE_S)
            return tray.returncode, said

    assert asyncio.run(look()) == (1, "yourturn: the desktop session has ended.\n")


def test_a_tray_that_nobody_hears_ends_with_the_desktop_too(home: Path) -> None:
    async def look() -> int:
        async with shown_on_a_desktop(home) as (desktop, tray):
            assert tray.stderr
            tray.stderr.close()
            desktop.close()
            return await asyncio.to_thread(tray.wait, PATIENCE_S)

    assert asyncio.run(look()) in (1, 120), "120 is Python's own, when its last words cannot be written"
