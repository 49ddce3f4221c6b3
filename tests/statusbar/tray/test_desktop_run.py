"""`yourturn up --demo`, which is `make run`, on a desktop: with the panel of Xfce, and with one of our own."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from contract import paths, store
from contract.status import NEEDS_APPROVAL
from statusbar import front
from statusbar.system import bus as session_bus
from support.needs import need
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import environ, put, session, terminal, watcher

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from dbus_fast.aio import MessageBus

from bench.panel import Panel
from statusbar.text.symbols import LOOKS
from statusbar.tray.icon import pixmap
from support.xfce import PROGRAMS, Desktop

YOURTURN = str(Path(sys.executable).with_name("yourturn"))
UP = [YOURTURN, "up", "--demo"]
ITEM = "org.kde.StatusNotifierItem-"
STORY = ("Migrate to schema v2", "Speed up the checkout", "Redesign the start page", "docs", "Renew the certificates")


@pytest.fixture(autouse=True)
def _nobody_outlives_a_test_that_failed(tmp_path: Path) -> Iterator[None]:
    yield
    for one in of(tmp_path):
        with contextlib.suppress(psutil.Error):
            one.kill()


def person(folder: Path, **more: str) -> dict[str, str]:
    """The environment of somebody who has just installed it: built from nothing."""
    for name in ("home", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    plain = {"PATH": os.environ["PATH"], "HOME": f"{folder}/home", "TMPDIR": f"{folder}/tmp", "LANG": "C.UTF-8"}
    return {**plain, "YOURTURN_HOME": f"{folder}/state", **more}


@contextlib.asynccontextmanager
async def shown(folder: Path, address: str) -> AsyncIterator[tuple[Panel, "subprocess.Popen[str]"]]:
    """A panel that has found the icon of `up --demo`."""
    async with Panel(address) as panel:
        with started(folder, address) as one:
            await panel.wait_for_item()
            yield panel, one


@contextlib.contextmanager
def started(folder: Path, address: str) -> Iterator["subprocess.Popen[str]"]:
    env = person(folder, DBUS_SESSION_BUS_ADDRESS=address, DISPLAY=":99")
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(UP, env=env, cwd=folder, stdin=nothing, stderr=pipe, text=True) as one:
        try:
            yield one
        finally:
            one.terminate()


async def labels(panel: Panel, wanted: str) -> str:
    """The whole menu, once it has these words."""
    async with asyncio.timeout(PATIENCE_S):
        while wanted not in (found := str(await panel.layout())):
            await panel.heard.get()
    return found


async def icons(address: str) -> list[str]:
    connection = await MessageBus(bus_address=address).connect()
    try:
        panel = Panel(address)
        panel.connection = connection
        (names,) = await panel.call("ListNames", "", to="org.freedesktop.DBus")
        return [name for name in names if name.startswith(ITEM)]
    finally:
        connection.disconnect()


async def menu(address: str, name: str) -> str:
    panel = Panel(address)
    panel.connection, panel.name = await MessageBus(bus_address=address).connect(), name
    try:
        return str(await panel.layout())
    finally:
        panel.connection.disconnect()


def of(folder: Path) -> list[psutil.Process]:
    """All processes that live in this person's environment."""
    found = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if one.environ().get("HOME") == f"{folder}/home":
                found.append(one)
    return found


def until_gone(path: Path) -> None:
    until(lambda: not path.exists(), f"the end of {path}")


def assert_nothing_is_left(folder: Path) -> None:
    assert psutil.wait_procs(of(folder), timeout=PATIENCE_S)[1] == []
    assert list((folder / "tmp").iterdir()) == []
    assert not store.is_locked(paths.watcher_lock(f"{folder}/state"))


# In the panel of Xfce


def test_make_run_shows_the_demo_in_the_panel_and_ctrl_c_ends_all_of_it(tmp_path: Path) -> None:
    need("tmux", *PROGRAMS)
    desk = tmp_path / "desk"
    desk.mkdir()
    with Desktop(desk, tmp_path / "nothing") as desktop, terminal(tmp_path / "nothing", tmp_path) as one:
        address = desktop.env["DBUS_SESSION_BUS_ADDRESS"]
        env = person(tmp_path, DISPLAY=desktop.env["DISPLAY"], DBUS_SESSION_BUS_ADDRESS=address, TERM="xterm")
        one.start("env", "-i", *(f"{name}={value}" for name, value in env.items()), *UP)
        one.until("Demo: made-up agents are shown in the tray", "Ctrl-C")
        x, y = desktop.find(colour("working"))
        (name,) = asyncio.run(icons(address))
        told = asyncio.run(menu(address, name))
        assert all(words in told for words in STORY)
        desktop.opens("mousemove", str(x), str(y), "click", "1")
        desktop.picture(str(tmp_path / "menu.png"))
        desktop.do("key", "Escape")
        second = subprocess.run(UP, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        assert (second.returncode, second.stdout) == (0, "")
        assert "yourturn: the tray icon is already running" in second.stderr
        assert asyncio.run(icons(address)) == [name]
        one.keys("C-c")
        one.until("left with 130")
        assert "Traceback" not in one.screen()
        assert asyncio.run(icons(address)) == []
        assert_nothing_is_left(tmp_path)


def colour(state: str) -> tuple[int, int, int]:
    """As the icon is drawn in this state."""
    look = LOOKS[state]
    drawn = pixmap(look.symbol, look.colour, 0, 22).argb
    middle = (11 * 22 + 11) * 4
    red, green, blue = drawn[middle + 1 : middle + 4]
    return red, green, blue


# In a panel of our own


def test_the_demo_is_told_apart_from_ones_own_agents(tmp_path: Path, address: str) -> None:
    home = tmp_path / "state"
    put(home, session("mine", NEEDS_APPROVAL, since=time.time()))

    async def look() -> str:
        async with shown(tmp_path, address) as (panel, one):
            found = await labels(panel, "mine-name")
            assert "Speed up the checkout" not in found
            one.terminate()
            return (await asyncio.to_thread(one.communicate, timeout=PATIENCE_S))[1]

    with watcher(home):
        assert asyncio.run(look()) == "Your agents are shown in the tray. Press Ctrl-C to quit.\n"


def test_quit_in_the_menu_ends_the_demo_and_the_watcher_that_was_started_for_it(tmp_path: Path, address: str) -> None:
    async def look() -> int:
        async with shown(tmp_path, address) as (panel, one):
            await labels(panel, "Speed up the checkout")
            await panel.click((await panel.layout()).find("Quit").number)
            return await asyncio.to_thread(one.wait, PATIENCE_S)

    assert asyncio.run(look()) == 0
    assert_nothing_is_left(tmp_path)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 130)])
def test_a_signal_to_it_alone_ends_all_of_it(number: int, code: int, tmp_path: Path, address: str) -> None:
    async def look() -> int:
        async with shown(tmp_path, address) as (panel, one):
            await labels(panel, "Speed up the checkout")
            one.send_signal(number)
            return await asyncio.to_thread(one.wait, PATIENCE_S)

    assert asyncio.run(look()) == code
    assert_nothing_is_left(tmp_path)


def test_a_watcher_that_has_found_somebody_meanwhile_outlives_the_demo(tmp_path: Path, address: str) -> None:
    home = tmp_path / "state"

    async def look() -> None:
        async with shown(tmp_path, address) as (panel, one):
            await labels(panel, "Speed up the checkout")
            (kept,) = [found for found in of(tmp_path) if "watch" in found.cmdline()]
            kept.suspend()  # it would take away a session that it knows nothing of
            put(home, session("mine", NEEDS_APPROVAL))
            one.terminate()
            await asyncio.to_thread(one.wait, PATIENCE_S)
            kept.resume()
            await asyncio.to_thread(until_gone, Path(paths.status(str(home), "mine")))
            kept.terminate()
            kept.wait(PATIENCE_S)

    asyncio.run(look())
    assert_nothing_is_left(tmp_path)


# Whether there is a panel at all


@pytest.mark.skipif(sys.platform == "darwin", reason="its bar is the menubar")
@pytest.mark.parametrize(
    ("env", "is_shown", "possible"),
    [
        ({"DISPLAY": ":99"}, True, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, True),
        ({"DISPLAY": ":99"}, False, False),
        ({}, True, False),
        ({"DISPLAY": ":99", "SSH_CONNECTION": "1 2 3 4"}, True, False),
    ],
    ids=["X11", "Wayland", "a list that nobody shows", "no screen", "over ssh"],
)
def test_a_tray_is_possible_where_somebody_looks_at_a_panel(
    env: dict[str, str], is_shown: bool, possible: bool, address: str
) -> None:
    async def look() -> bool:
        async with Panel(address) as panel:
            panel.watcher.is_shown = is_shown
            known = {"DBUS_SESSION_BUS_ADDRESS": address, **env}
            return (await asyncio.to_thread(front.possible, known, is_terminal=True))["tray"]

    assert asyncio.run(look()) == possible


def test_a_bus_without_a_panel_and_no_bus_at_all_are_no_panel(address: str, tmp_path: Path) -> None:
    assert not session_bus.has_panel({"DBUS_SESSION_BUS_ADDRESS": address})
    for other in ("unix:path=/nowhere", "nonsense", "tcp:host=127.0.0.1,port=1"):
        assert not session_bus.has_panel({"DBUS_SESSION_BUS_ADDRESS": other})
    assert session_bus.address({"XDG_RUNTIME_DIR": str(tmp_path)}) == session_bus.address({}) == ""
    (tmp_path / "bus").touch()
    assert session_bus.address({"XDG_RUNTIME_DIR": str(tmp_path)}) == f"unix:path={tmp_path}/bus"


@pytest.mark.parametrize("words", [("tray",), ("demo", "--front", "tray")], ids=["tray", "demo"])
def test_without_a_bus_it_is_said_what_is_missing(words: tuple[str, ...], tmp_path: Path) -> None:
    env = environ(tmp_path / "state", HOME=str(tmp_path))
    argv = [YOURTURN, *words]
    found = subprocess.run(argv, env=env, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert found.returncode == 1
    assert "cannot reach the session bus" in found.stderr
    assert "dbus-user-session" in found.stderr
    assert "yourturn top" in found.stderr
