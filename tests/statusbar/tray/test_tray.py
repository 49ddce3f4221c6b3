"""The tray on a real bus: read, clicked and watched as a panel does it."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from contract.status import NEEDS_APPROVAL, WORKING, SessionStatus
from statusbar.text.symbols import CALM, COLOURS, LOOKS, TROUBLE
from statusbar.tray import icon
from support import patience
from support.needs import need
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.showing import HOSTILE, agent, environ, hostile, litter, put, session, watcher

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

import bench.tray
from bench.panel import ITEM, MENU, Node, Panel, RefusedError, bus
from support.xfce import PROGRAMS, Desktop

AT_THE_END = ["", "Notifications", "Open at login", "Quit yourturn"]
TRAY = [sys.executable, "-c", "import sys; from statusbar.tray import tray; sys.exit(tray.run(None))"]


@pytest.fixture(autouse=True)
def _needed() -> None:
    need("dbus-daemon")


@pytest.fixture
def address() -> Iterator[str]:
    with bus() as found:
        yield found


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A state folder with a watcher that is well, and no notifications on the desktop of whoever runs this."""
    with watcher(tmp_path / "state"):
        (tmp_path / "state" / "config.toml").write_text("[notify]\nenabled = false\n")
        yield tmp_path / "state"


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


def now(id_: str, verdict: str = WORKING, **more: Any) -> SessionStatus:
    return session(id_, verdict, **{"since": time.time(), **more})


def test_a_panel_finds_the_icon_its_words_and_its_menu(home: Path, address: str) -> None:
    sub = agent("p", NEEDS_APPROVAL, type="Plan", parent="main", since=time.time())
    put(home, now("a", NEEDS_APPROVAL, detail="Bash: ls", agents=(agent(), sub)), now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "Bash: ls")
            assert menu.labels == ["▲ a · a-name · Bash: ls · now", "● b · b-name · now", *AT_THE_END]
            assert menu.children[2].properties == {"type": "separator"}
            first = menu.children[0]
            assert first.properties["children-display"] == "submenu"
            assert "Copy the session id" in first.labels
            assert first.children[0].properties["enabled"] is False
            assert await panel.get("Title") == "yourturn: 1 needs you, 1 working"
            assert await panel.get("Status") == "NeedsAttention"
            assert list(await panel.get("ToolTip")) == ["", [], "▲1 ●1", "1 needs you, 1 working"]
            assert await panel.get("XAyatanaLabel") == "▲1 ●1"
            assert await panel.get("Menu") == "/MenuBar"
            assert [*map(icon.Pixmap._make, await panel.get("IconPixmap"))] == [*icon.pixmaps("▲", "red", 1)]

    asyncio.run(look())


def test_a_replaced_status_file_changes_icon_title_and_menu(home: Path, address: str) -> None:
    put(home, now("a"), now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            before = await until_labelled(panel, "b-name")
            put(home, now("b", NEEDS_APPROVAL, detail="Bash: ls"))
            after = await until_labelled(panel, "Bash: ls")
            assert after.labels[0].startswith("▲ b")
            assert await until(lambda: panel.get("Status"), lambda word: word == "NeedsAttention", panel)
            assert await panel.get("XAyatanaLabel") == "▲1 ●1"
            assert [*map(icon.Pixmap._make, await panel.get("IconPixmap"))] == [*icon.pixmaps("▲", "red", 1)]
            assert before.find("b-name").number == after.find("b-name").number, "the row was made anew"

    asyncio.run(look())


def test_only_what_changed_is_told(home: Path, address: str) -> None:
    put(home, now("a"), now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "b-name")
            number = menu.find("b-name").number
            while not panel.heard.empty():
                panel.heard.get_nowait()
            put(home, now("b", detail="3 files"))
            told = await panel.next_signal("ItemsPropertiesUpdated")
            assert [one[0] for one in told.body[0]] == [number]
            assert told.body[0][0][1]["label"].value == "● b · b-name · 3 files · now"
            assert (await panel.next_signal("LayoutUpdated")).body[1] == number, "the detail is new in its submenu only"
            put(home, now("c"))
            assert (await panel.next_signal("LayoutUpdated", "NewTitle", "NewIcon")).body[1:] == [0]
            assert (await panel.next_signal("NewTitle", "NewStatus")).member == "NewTitle"
            await panel.next_signal("NewIcon")

    asyncio.run(look())


def test_what_is_gone_is_forgotten(home: Path, address: str) -> None:
    put(home, now("stays"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            await until_labelled(panel, "stays")
            before = await panel.call("GetGroupProperties", "aias", [], [], of=MENU)
            put(home, now("guest"))
            guest = (await until_labelled(panel, "guest")).find("guest")
            (home / "status" / "guest.json").unlink()
            await until(panel.layout, lambda menu: "guest" not in str(menu), panel)
            assert await panel.call("GetGroupProperties", "aias", [], [], of=MENU) == before
            with pytest.raises(RefusedError):
                await panel.click(guest.number)

    asyncio.run(look())


def test_a_click_copies_the_session_id_without_a_shell(home: Path, address: str, tmp_path: Path) -> None:
    evil = "a\n$(touch ran);`touch ran`"
    put(home, now(evil))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "xclip").write_text(
        f"#!/bin/sh\nprintf '%s|' \"$@\" > {tmp_path}/args\ncat > {tmp_path}/new\nmv {tmp_path}/new {tmp_path}/copied\n"
    )
    (tools / "xclip").chmod(0o755)

    async def look() -> None:
        path = f"{tools}:{os.environ['PATH']}"
        async with shown(home, address, DISPLAY=":0", PATH=path) as (panel, _):
            menu = await until_labelled(panel, "Copy")
            assert await panel.click(menu.find("Copy").number) == [[]]
            await asyncio.to_thread(wait_for, tmp_path / "copied")

    asyncio.run(look())
    assert (tmp_path / "copied").read_text() == "a $(touch ran);`touch ran`"
    assert (tmp_path / "args").read_text() == "-selection|clipboard|"
    assert not list(tmp_path.rglob("ran"))


def test_what_is_chosen_has_a_mark_and_a_click_changes_it(home: Path, address: str) -> None:
    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "Play a sound")
            switch = menu.find("Show notifications")
            assert marks(switch) == ("checkmark", 0)
            assert marks(menu.find("after at least 1 minute")) == ("radio", 1)
            assert marks(menu.find("Quit")) == (None, None)
            while not panel.heard.empty():
                panel.heard.get_nowait()
            await panel.click(switch.number)
            again = await panel.next_signal("ItemsPropertiesUpdated")
            assert again.body[0][0][1]["toggle-state"].value == 0, "a panel may have ticked it by itself"
            told = await panel.next_signal("ItemsPropertiesUpdated", "LayoutUpdated")
            assert [(number, what["toggle-state"].value) for number, what in told.body[0]] == [(switch.number, 1)]
            assert marks((await panel.layout()).find("Show notifications")) == ("checkmark", 1)

    asyncio.run(look())
    assert (home / "config.toml").read_text() == "[notify]\nenabled = true\n"


def marks(node: Node) -> tuple[Any, Any]:
    return node.properties.get("toggle-type"), node.properties.get("toggle-state")


def test_what_could_not_be_done_is_said_in_the_menu(home: Path, address: str) -> None:
    put(home, now("a", cwd="/nowhere/at/all"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "Open the project")
            await panel.click(menu.find("Open the project").number)
            said = await until_labelled(panel, "The folder /nowhere/at/all no longer exists")
            assert said.find("The folder").properties["enabled"] is False

    asyncio.run(look())


@pytest.mark.parametrize("member", ["Activate", "SecondaryActivate"])
def test_a_click_on_the_icon_itself_goes_to_the_one_that_is_blocked(member: str, home: Path, address: str) -> None:
    put(home, now("a", NEEDS_APPROVAL), now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            await until_labelled(panel, "a-name")
            await panel.call(member, "ii", 0, 0, of=ITEM)
            await until_labelled(panel, "Could not go to a-name")

    asyncio.run(look())


def test_a_click_on_the_icon_of_nobody_does_nothing(home: Path, address: str) -> None:
    async def look() -> None:
        async with shown(home, address) as (panel, tray):
            await until_labelled(panel, "No agent is running")
            await panel.call("Activate", "ii", 0, 0, of=ITEM)
            assert (await panel.layout()).labels == ["No agent is running", *AT_THE_END]
            assert tray.poll() is None

    asyncio.run(look())


def test_quit_ends_it(home: Path, address: str) -> None:
    async def look() -> int:
        async with shown(home, address) as (panel, tray):
            menu = await until_labelled(panel, "Quit")
            await panel.call("Event", "isvu", menu.find("Quit").number, "clicked", _nothing(), 0, of=MENU)
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


def test_an_unknown_item_is_an_error_and_no_end(home: Path, address: str) -> None:
    async def look() -> None:
        async with shown(home, address) as (panel, _):
            await until_labelled(panel, "Quit")
            for member, signature, body in (
                ("Event", "isvu", (999, "clicked", _nothing(), 0)),
                ("EventGroup", "a(isvu)", ([[999, "clicked", _nothing(), 0]],)),
                ("GetLayout", "iias", (999, -1, [])),
                ("AboutToShow", "i", (999,)),
                ("GetProperty", "is", (0, "label")),
            ):
                with pytest.raises(RefusedError):
                    await panel.call(member, signature, *body, of=MENU)
            assert await panel.call("AboutToShowGroup", "ai", [0, 999], of=MENU) == [[], [999]]
            assert await panel.call("EventGroup", "a(isvu)", [[0, "opened", _nothing(), 0]], of=MENU) == [[]]
            found = await panel.call("GetGroupProperties", "aias", [1, 999], ["label"], of=MENU)
            assert [(number, list(what)) for number, what in found[0]] == [(1, ["label"])]
            shallow = await panel.layout(depth=1)
            assert all(not child.children for child in shallow.children)

    asyncio.run(look())


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


def test_hostile_names_are_shown_as_they_are_and_break_nothing(home: Path, address: str) -> None:
    put(home, *map(hostile, HOSTILE.values()), now("my_file_name", name="a_b__c & <i>d</i>"))

    async def look() -> None:
        async with shown(home, address) as (panel, tray):
            menu = await until_labelled(panel, "my__")
            sessions = [one for one in menu.children if one.children and one.label != "Notifications"]
            assert len(sessions) == len(HOSTILE) + 1
            assert sessions[-1].properties["label"].startswith("● my__file__name · a__b____c & <i>d</i>")
            assert all(one.label.isprintable() for one in sessions)
            assert await panel.get("Title") == f"yourturn: {len(HOSTILE)} need you, 1 working"
            for one in sessions[:-1]:
                await panel.click(one.find("Open the project").number)
            await until_labelled(panel, "The folder")
            assert tray.poll() is None

    asyncio.run(look())
    assert not (PROJECT / "x").exists()


def test_what_is_not_a_status_is_counted_and_the_rest_is_shown(home: Path, address: str) -> None:
    put(home, now("good"))
    number = litter(home)

    async def look() -> None:
        async with shown(home, address) as (panel, tray):
            menu = await until_labelled(panel, "good-name")
            assert "later-name" in str(menu)
            assert f"{number} status files could not be read" in str(menu)
            (home / "status" / "good.json").unlink()
            await until(panel.layout, lambda menu: "good-name" not in str(menu), panel)
            assert tray.poll() is None

    asyncio.run(look())


# Where there is no tray


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


def test_the_end_of_the_desktop_is_the_end_of_the_tray(home: Path) -> None:
    async def look() -> tuple[int, str]:
        with contextlib.ExitStack() as desktop:
            address = desktop.enter_context(bus())
            async with Panel(address) as panel:
                with started(home, address) as tray:
                    await panel.wait_for_item()
                    await until_labelled(panel, "Quit")
                    desktop.close()
                    _, said = await asyncio.to_thread(tray.communicate, timeout=PATIENCE_S)
                    return tray.returncode, said

    assert asyncio.run(look()) == (1, "yourturn: the desktop session has ended.\n")


def test_a_tray_that_nobody_hears_ends_with_the_desktop_too(home: Path) -> None:
    async def look() -> int:
        with contextlib.ExitStack() as desktop:
            address = desktop.enter_context(bus())
            async with Panel(address) as panel:
                with started(home, address) as tray:
                    await panel.wait_for_item()
                    await until_labelled(panel, "Quit")
                    assert tray.stderr
                    tray.stderr.close()
                    desktop.close()
                    return await asyncio.to_thread(tray.wait, PATIENCE_S)

    assert asyncio.run(look()) in (1, 120), "120 is Python's own, when its last words cannot be written"


# The icon


def test_each_state_has_a_shape_and_a_colour_and_each_count_a_picture_of_its_own() -> None:
    looks = [*LOOKS.values(), CALM, TROUBLE]
    plain = {look.symbol: icon.pixmap(look.symbol, look.colour, 0, 22).argb for look in looks}
    outlines = {symbol: drawn[::4] for symbol, drawn in plain.items()}
    assert len(set(outlines.values())) == len(looks), "two states have one shape"
    for look in LOOKS.values():
        counted = {icon.pixmap(look.symbol, look.colour, count, 22).argb for count in range(100)}
        assert len(counted) == 100
        most, more = (icon.pixmap(look.symbol, look.colour, count, 22) for count in (99, 12345))
        assert most == more


def test_a_picture_has_its_colour_in_the_middle_and_nothing_in_the_corners() -> None:
    drawn = icon.pixmap("●", "green", 0, 22)
    assert len(drawn.argb) == 22 * 22 * 4
    middle = (11 * 22 + 11) * 4
    assert drawn.argb[middle : middle + 4] == bytes((255, 0x30, 0xA4, 0x6C))
    assert drawn.argb[:4] == bytes(4)


def _nothing() -> Any:
    from dbus_fast import Variant  # noqa: PLC0415 - a name of the bus, used in one place

    return Variant("i", 0)


# The benchmark


def test_the_benchmark_waits_for_menu_and_icon() -> None:
    taken = asyncio.run(bench.tray.delays(3, 2))
    assert len(taken) == 2
    assert all(one.menu > 0 and one.icon > 0 for one in taken)


def test_the_benchmark_looks_at_the_tray_while_it_is_left_alone() -> None:
    share, memory = asyncio.run(bench.tray.rest(0.2))
    assert 0 <= share < 100
    assert memory > 1 << 20


# In a real panel


def test_a_real_panel_draws_the_icon_and_a_person_clicks_through_the_menu(home: Path, tmp_path: Path) -> None:
    need(*PROGRAMS)
    project, tools, desk = tmp_path / "project", tmp_path / "tools", tmp_path / "desk"
    for folder in (project, tools, desk):
        folder.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/new\nmv {tmp_path}/new {tmp_path}/opened\n')
    (tools / "xdg-open").chmod(0o755)
    put(home, now("a", NEEDS_APPROVAL, cwd=str(project), name="<b>x_y</b>"), now("b"))
    with Desktop(desk, home) as desktop:
        tray = desktop.start(*TRAY, PATH=f"{tools}:{desktop.env['PATH']}", PYTHONPATH=str(PROJECT))
        x, y = desktop.find(COLOURS["red"])
        desktop.opens("mousemove", str(x), str(y), "click", "1")
        desktop.opens("key", "Down")
        desktop.opens("key", "Right")
        for _ in range(3):
            desktop.opens("key", "Down")
        desktop.do("key", "Return")
        wait_for(tmp_path / "opened")
        assert (tmp_path / "opened").read_text() == f"{project}\n"
        put(home, now("a"))
        desktop.find(COLOURS["green"])
        assert tray.poll() is None
