"""How the tray starts and ends, and that there is one of it."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.patience import PATIENCE_S
from support.project import PROJECT

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from bench.panel import MENU, Panel
from support.trays import nothing, shown, started, until_labelled

if TYPE_CHECKING:
    import subprocess


def test_quit_ends_it(home: Path, address: str) -> None:
    async def look() -> int:
        async with shown(home, address) as (panel, tray):
            menu = await until_labelled(panel, "Quit")
            await panel.call("Event", "isvu", menu.find("Quit").number, "clicked", nothing(), 0, of=MENU)
            return await asyncio.to_thread(tray.wait, PATIENCE_S)

    assert asyncio.run(look()) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_word(number: signal.Signals, home: Path, address: str) -> None:
    async def look() -> "subprocess.Popen[str]":
        async with shown(home, address) as (_, tray):
            tray.send_signal(number)
            await asyncio.to_thread(tray.wait, PATIENCE_S)
            return tray

    tray = asyncio.run(look())
    assert tray.returncode == 128 + number


def test_a_panel_that_never_answers_does_not_keep_it_from_ending(home: Path, address: str) -> None:
    def ended(tray: "subprocess.Popen[str]") -> int:
        """While this waits, the panel, in the same thread, answers nobody."""
        tray.terminate()
        return tray.wait(PATIENCE_S)

    async def look() -> int:
        async with Panel(address) as panel:
            with started(home, address) as tray:
                await panel.wait_for_item()
                return ended(tray)

    assert asyncio.run(look()) == 128 + signal.SIGTERM


def test_a_panel_that_is_started_again_finds_the_icon_again(home: Path, address: str) -> None:
    async def look() -> None:
        async with Panel(address) as first:
            with started(home, address):
                name = await first.wait_for_item()
                first.connection.disconnect()
                async with Panel(address) as second:
                    assert await second.wait_for_item() == name
                    await until_labelled(second, "Quit")

    asyncio.run(look())


def test_a_second_tray_for_the_same_state_is_not_shown(home: Path, address: str) -> None:
    async def look() -> None:
        async with shown(home, address) as (_, first):
            with started(home, address) as second:
                _, said = await asyncio.to_thread(second.communicate, timeout=PATIENCE_S)
                assert (second.returncode, said) == (
                    0,
                    f"yourturn: the tray icon is already running (process {first.pid}).\n",
                )

    asyncio.run(look())


def test_one_that_was_killed_does_not_keep_the_next_one_out(home: Path, address: str) -> None:
    async def look() -> None:
        async with shown(home, address) as (panel, first):
            first.kill()
            await asyncio.to_thread(first.wait, PATIENCE_S)
            with started(home, address):
                assert str(first.pid) not in await panel.wait_for_item()

    asyncio.run(look())


UP = [sys.executable, str(PROJECT / "yourturn.py"), "up"]


def test_up_twice_is_one_icon(home: Path, address: str) -> None:
    (home / "config.toml").write_text('front = "tray"\n[notify]\nenabled = false\n')

    async def look() -> None:
        async with Panel(address) as panel:
            with started(home, address, UP) as first:
                await panel.wait_for_item()
                with started(home, address, UP) as second:
                    _, said = await asyncio.to_thread(second.communicate, timeout=PATIENCE_S)
                assert second.returncode == 0
                assert f"already running (process {first.pid})" in said
                assert panel.found.empty()

    asyncio.run(look())


def test_at_login_it_waits_for_a_panel_that_comes_later(home: Path, address: str) -> None:
    async def look() -> None:
        with started(home, address, [*UP, "--at-login"]) as early:
            await until_owned(address)
            with started(home, address) as second:
                _, said = await asyncio.to_thread(second.communicate, timeout=PATIENCE_S)
                assert f"already running (process {early.pid})" in said, "one that waits is there already"
            async with Panel(address) as panel:
                await panel.wait_for_item()
                await until_labelled(panel, "No agent is running")
                early.terminate()
                _, said = await asyncio.to_thread(early.communicate, timeout=PATIENCE_S)
                assert (early.returncode, said) == (128 + signal.SIGTERM, "")

    asyncio.run(look())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_waits_for_a_panel_can_be_ended(number: signal.Signals, home: Path, address: str) -> None:
    with started(home, address, [*UP, "--at-login"]) as tray:
        asyncio.run(until_owned(address))
        tray.send_signal(number)
        _, said = tray.communicate(timeout=PATIENCE_S)
    assert (tray.returncode, said) == (128 + number, "")


async def until_owned(address: str) -> None:
    """Until a tray, shown or not, has its place on the bus."""
    from dbus_fast import Message  # noqa: PLC0415 - names of the bus, used in one place
    from dbus_fast.aio import MessageBus  # noqa: PLC0415

    listener = await MessageBus(bus_address=address).connect()
    name = "org.freedesktop.DBus"
    rule = f"type='signal',sender='{name}',member='NameOwnerChanged'"
    await listener.call(Message(name, "/", name, "AddMatch", signature="s", body=[rule]))
    found = asyncio.Event()

    def hear(message: Any) -> None:
        if "yourturn.tray" in str(message.body):
            found.set()

    listener.add_message_handler(hear)
    if "yourturn.tray" not in str((await listener.call(Message(name, "/", name, "ListNames"))).body):
        await asyncio.wait_for(found.wait(), PATIENCE_S)
    listener.disconnect()
