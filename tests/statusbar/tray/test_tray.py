"""The tray on a real bus: what a panel reads of it, and what it is told when something changes."""

import asyncio
import time
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from statusbar.tray import icon
from support.project import PROJECT
from support.showing import HOSTILE, agent, hostile, just_now, litter, put

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from bench.panel import MENU, RefusedError
from support.trays import AT_THE_END, shown, until, until_labelled


def test_a_panel_finds_the_icon_its_words_and_its_menu(home: Path, address: str) -> None:
    sub = agent("p", NEEDS_APPROVAL, type="Plan", parent="main", since=time.time())
    put(home, just_now("a", NEEDS_APPROVAL, detail="Bash: ls", agents=(agent(), sub)), just_now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "Bash: ls")
            rows = ["▲ a · a-name · Bash: ls · now", "● b · b-name · now"]
            assert menu.labels == ["Go to a: Bash: ls", "", "1 needs you, 1 working", *rows, *AT_THE_END]
            assert menu.children[1].properties == {"type": "separator"}
            assert menu.children[2].properties["enabled"] is False
            first = menu.children[3]
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
    put(home, just_now("a"), just_now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            before = await until_labelled(panel, "b-name")
            put(home, just_now("b", NEEDS_APPROVAL, detail="Bash: ls"))
            after = await until_labelled(panel, "Bash: ls")
            assert after.labels[0] == "Go to b: Bash: ls"
            assert after.labels[3].startswith("▲ b")
            assert await until(lambda: panel.get("Status"), lambda word: word == "NeedsAttention", panel)
            assert await panel.get("XAyatanaLabel") == "▲1 ●1"
            assert [*map(icon.Pixmap._make, await panel.get("IconPixmap"))] == [*icon.pixmaps("▲", "red", 1)]
            assert before.find("b-name").number == after.find("b-name").number, "the row was made anew"

    asyncio.run(look())


def test_only_what_changed_is_told(home: Path, address: str) -> None:
    put(home, just_now("a"), just_now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "b-name")
            number = menu.find("b-name").number
            while not panel.heard.empty():
                panel.heard.get_nowait()
            put(home, just_now("b", detail="3 files"))
            told = await panel.next_signal("ItemsPropertiesUpdated")
            assert [one[0] for one in told.body[0]] == [number]
            assert told.body[0][0][1]["label"].value == "● b · b-name · 3 files · now"
            assert (await panel.next_signal("LayoutUpdated")).body[1] == number, "the detail is new in its submenu only"
            put(home, just_now("c"))
            assert (await panel.next_signal("LayoutUpdated", "NewTitle", "NewIcon")).body[1:] == [0]
            assert (await panel.next_signal("NewTitle", "NewStatus")).member == "NewTitle"
            await panel.next_signal("NewIcon")

    asyncio.run(look())


def test_what_is_gone_is_forgotten(home: Path, address: str) -> None:
    put(home, just_now("stays"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            await until_labelled(panel, "stays")
            before = await panel.call("GetGroupProperties", "aias", [], [], of=MENU)
            put(home, just_now("guest"))
            guest = (await until_labelled(panel, "guest")).find("guest")
            (home / "status" / "guest.json").unlink()
            await until(panel.layout, lambda menu: "guest" not in str(menu), panel)
            assert await panel.call("GetGroupProperties", "aias", [], [], of=MENU) == before
            with pytest.raises(RefusedError):
                await panel.click(guest.number)

    asyncio.run(look())


def test_hostile_names_are_shown_as_they_are_and_break_nothing(home: Path, address: str) -> None:
    put(home, *map(hostile, HOSTILE.values()), just_now("my_file_name", name="a_b__c & <i>d</i>"))

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
    put(home, just_now("good"))
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
