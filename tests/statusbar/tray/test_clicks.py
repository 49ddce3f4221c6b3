"""Clicks on the tray's menu and on its icon, as a panel sends them."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from support import patience
from support.showing import just_now, put
from support.terminals import KITTY, tool

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from bench.panel import ITEM, MENU, Node, RefusedError
from support.trays import nothing, shown, until_labelled, wait_for


def test_a_click_copies_the_session_id_without_a_shell(home: Path, address: str, tmp_path: Path) -> None:
    evil = "a\n$(touch ran);`touch ran`"
    put(home, just_now(evil))
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
    put(home, just_now("a", cwd="/nowhere/at/all"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            menu = await until_labelled(panel, "Open the project")
            await panel.click(menu.find("Open the project").number)
            said = await until_labelled(panel, "The folder /nowhere/at/all no longer exists")
            assert said.find("The folder").properties["enabled"] is False

    asyncio.run(look())


@pytest.mark.parametrize("member", ["Activate", "SecondaryActivate"])
def test_a_click_on_the_icon_itself_goes_to_the_one_that_is_blocked(member: str, home: Path, address: str) -> None:
    put(home, just_now("a", NEEDS_APPROVAL), just_now("b"))

    async def look() -> None:
        async with shown(home, address) as (panel, _):
            await until_labelled(panel, "a-name")
            await panel.call(member, "ii", 0, 0, of=ITEM)
            await until_labelled(panel, "Could not go to a-name")

    asyncio.run(look())


def test_the_wheel_and_a_middle_click_go_from_one_blocked_session_to_the_next(
    home: Path, address: str, tmp_path: Path
) -> None:
    went = tool(tmp_path / "bin", "kitty")
    for k, id_ in enumerate("abc"):
        terminal = {**KITTY, "KITTY_WINDOW_ID": str(k)}
        put(home, just_now(id_, NEEDS_APPROVAL, since=time.time() - 100 + k, terminal=terminal))

    async def look() -> None:
        async with shown(home, address, PATH=f"{tmp_path}/bin:{os.environ['PATH']}") as (panel, _):
            await until_labelled(panel, "c-name")
            await panel.call("Scroll", "is", -120, "vertical", of=ITEM)
            await asyncio.to_thread(patience.until, lambda: windows(went) == ["id:0"])
            async with asyncio.timeout(patience.PATIENCE_S):
                while len(windows(went)) < 2:  # a click is ignored while the way to the first has not ended
                    await panel.call("SecondaryActivate", "ii", 0, 0, of=ITEM)
                    await asyncio.sleep(0.1)

    asyncio.run(look())


def windows(went: Path) -> list[str]:
    return [word for word in went.read_text().split() if word.startswith("id:")] if went.exists() else []


def test_the_first_row_goes_where_it_says(home: Path, address: str, tmp_path: Path) -> None:
    went = tool(tmp_path / "bin", "kitty")
    put(home, just_now("a", NEEDS_APPROVAL, detail="Bash: ls", terminal=KITTY), just_now("b"))

    async def look() -> None:
        async with shown(home, address, PATH=f"{tmp_path}/bin:{os.environ['PATH']}") as (panel, _):
            menu = await until_labelled(panel, "Go to a: Bash: ls")
            await panel.click(menu.children[0].number)
            await asyncio.to_thread(patience.until, lambda: windows(went) == ["id:4"])

    asyncio.run(look())


def test_a_click_on_the_icon_of_nobody_does_nothing(home: Path, address: str) -> None:
    put(home, just_now("a"), just_now("b", WAITING))

    async def look() -> None:
        async with shown(home, address) as (panel, tray):
            before = (await until_labelled(panel, "b-name")).labels
            for member, signature, body in (("Activate", "ii", (0, 0)), ("Scroll", "is", (120, "vertical"))):
                await panel.call(member, signature, *body, of=ITEM)
            assert (await panel.layout()).labels == before
            assert before[0] == "1 working, 1 waiting"
            assert tray.poll() is None

    asyncio.run(look())


def test_an_unknown_item_is_an_error_and_no_end(home: Path, address: str) -> None:
    async def look() -> None:
        async with shown(home, address) as (panel, _):
            await until_labelled(panel, "Quit")
            for member, signature, body in (
                ("Event", "isvu", (999, "clicked", nothing(), 0)),
                ("EventGroup", "a(isvu)", ([[999, "clicked", nothing(), 0]],)),
                ("GetLayout", "iias", (999, -1, [])),
                ("AboutToShow", "i", (999,)),
                ("GetProperty", "is", (0, "label")),
            ):
                with pytest.raises(RefusedError):
                    await panel.call(member, signature, *body, of=MENU)
            assert await panel.call("AboutToShowGroup", "ai", [0, 999], of=MENU) == [[], [999]]
            assert await panel.call("EventGroup", "a(isvu)", [[0, "opened", nothing(), 0]], of=MENU) == [[]]
            found = await panel.call("GetGroupProperties", "aias", [1, 999], ["label"], of=MENU)
            assert [(number, list(what)) for number, what in found[0]] == [(1, ["label"])]
            shallow = await panel.layout(depth=1)
            assert all(not child.children for child in shallow.children)

    asyncio.run(look())
