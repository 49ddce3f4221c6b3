"""The tray in a real panel."""

import time
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from statusbar.text.symbols import COLOURS
from statusbar.tray.gesture import PAUSE_S
from support.needs import need
from support.patience import until
from support.project import PROJECT
from support.showing import just_now, put
from support.terminals import KITTY, tool

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from support.trays import TRAY, wait_for
from support.xfce import PROGRAMS, Desktop

MIDDLE, WHEEL_DOWN = "2", "5"  # buttons of a mouse


def test_a_real_panel_draws_the_icon_and_a_person_clicks_through_the_menu(home: Path, tmp_path: Path) -> None:
    need(*PROGRAMS)
    project, tools, desk = tmp_path / "project", tmp_path / "tools", tmp_path / "desk"
    for folder in (project, tools, desk):
        folder.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/new\nmv {tmp_path}/new {tmp_path}/opened\n')
    (tools / "xdg-open").chmod(0o755)
    put(
        home,
        just_now("a", NEEDS_APPROVAL, cwd=str(project), name="<b>x_y</b>", terminal={**KITTY, "KITTY_WINDOW_ID": "1"}),
        just_now("b", NEEDS_APPROVAL, terminal={**KITTY, "KITTY_WINDOW_ID": "2"}),
    )
    went = tool(tools, "kitty")
    with Desktop(desk, home) as desktop:
        tray = desktop.start(*TRAY, PATH=f"{tools}:{desktop.env['PATH']}", PYTHONPATH=str(PROJECT))
        x, y = desktop.find(COLOURS["red"])
        desktop.do("mousemove", str(x), str(y), "click", MIDDLE)
        until(lambda: visits(went) == 1, "a terminal after a click")
        until(lambda: turned(desktop, went), "a terminal after a turn of the wheel")
        desktop.opens("mousemove", str(x), str(y), "click", "1")
        for key in ("Down", "Down", "Right"):  # past the first thing to do, and into the first session
            desktop.opens("key", key)
        for _ in range(3):
            desktop.opens("key", "Down")
        desktop.do("key", "Return")
        wait_for(tmp_path / "opened")
        assert (tmp_path / "opened").read_text() == f"{project}\n"
        put(home, just_now("a"), just_now("b"))
        desktop.find(COLOURS["green"])
        assert tray.poll() is None


def turned(desktop: Desktop, went: Path) -> bool:
    """Again if need be: it is ignored while the way to the first terminal has not ended."""
    desktop.do("click", WHEEL_DOWN)
    time.sleep(2 * PAUSE_S)  # else the next turn would belong to this one
    return visits(went) > 1


def visits(went: Path) -> int:
    return went.read_text().count("focus-window") if went.exists() else 0
