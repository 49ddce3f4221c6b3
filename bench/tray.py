"""The tray on a real bus: from a status file replaced to a panel that has what it draws, and its cost at rest."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import psutil

from bench import cpu, place, race
from bench.figure import Figure, Missing
from bench.place import PROJECT, Place
from bench.screen import (
    BEAT_S,
    LATELY_S,
    LONG_AGO_S,
    MANY,
    PATIENCE_S,
    PAUSE_S,
    QUIET,
    Watched,
    late,
    left_alone,
    session,
)
from contract import store
from contract.status import NEEDS_APPROVAL, WORKING
from statusbar.tray import icon

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterator

    from bench.dose import Dose
    from bench.panel import Panel

ROUNDS = 40
SECONDS = 30.0
MOST_MS = 300.0
TRAY = [sys.executable, "-E", "-c", "import sys; from statusbar.tray import tray; sys.exit(tray.run(None))"]


class Delay(NamedTuple):
    """Milliseconds until a panel has what it needs to draw a change."""

    menu: float
    icon: float


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    if not shutil.which("dbus-daemon") or not importlib.util.find_spec("dbus_fast"):
        yield Missing("the tray", "there is no dbus-daemon or no dbus-fast")
        return
    rounds = dose.rounds(ROUNDS)
    for number in (QUIET, MANY):
        taken = asyncio.run(delays(number, rounds))
        first = asyncio.run(first_drawings(number, min(rounds, number)))
        key, what = f"screen.tray.{number}", f"status file to the tray, {number} sessions"
        yield late(f"{key}.menu", f"{what}: menu", [one.menu for one in taken], MOST_MS)
        yield late(f"{key}.icon", f"{what}: icon", [one.icon for one in taken], MOST_MS)
        yield late(f"{key}.new", f"{what}: new icon", first, MOST_MS)
    yield from left_alone("tray", "the tray", *asyncio.run(rest(dose.seconds(SECONDS))))


async def delays(number: int, rounds: int) -> list[Delay]:
    async with tray(number) as (where, panel, _):
        return [await delay(where, panel, k) for k in range(rounds + 1)][1:]


async def delay(where: Watched, panel: Panel, number: int) -> Delay:
    """A session becomes blocked, which changes both; then it works again. Both are fetched at once, as panels do it."""
    changed = session(0, NEEDS_APPROVAL, f"Bash: step {number}")
    began = time.perf_counter()
    where.put(changed)
    found = await fetched(panel, began, changed.detail)
    where.put(session(0, WORKING, "-"))
    await panel.next_signal("NewIcon")
    await quiet(panel)
    where.beat()
    return found


async def fetched(panel: Panel, began: float, detail: str) -> Delay:
    """Once the panel has both, the menu with these words: a signal may still be of what was before."""
    menus: list[asyncio.Task[tuple[float, str]]] = []
    icons: list[asyncio.Task[tuple[float, str]]] = []
    while True:
        message = await asyncio.wait_for(panel.heard.get(), PATIENCE_S)
        if message.member in ("ItemsPropertiesUpdated", "LayoutUpdated"):
            menus.append(asyncio.create_task(timed(panel.layout(), began)))
        elif message.member == "NewIcon":
            icons.append(asyncio.create_task(timed(panel.get("IconPixmap"), began)))
        menu = [taken for taken, shown in [await one for one in menus if icons] if detail in shown]
        if menu:
            return Delay(menu=menu[0], icon=(await icons[-1])[0])


async def first_drawings(number: int, rounds: int) -> list[float]:
    """One more session is blocked each time, so that no picture was drawn before."""
    taken, pictures = [], set()
    async with tray(number) as (where, panel, _):
        for k in range(rounds):
            began = time.perf_counter()
            where.put(session(k, NEEDS_APPROVAL, "Bash: ls"))
            await panel.next_signal("NewIcon")
            spent, picture = await timed(panel.get("IconPixmap"), began)
            taken.append(spent)
            pictures.add(picture)
            await quiet(panel)
            where.beat()
    assert len(pictures) == min(rounds, icon.MOST), "a picture came twice"
    return taken


async def timed(answer: Awaitable[object], began: float) -> tuple[float, str]:
    found = await answer
    taken = (time.perf_counter() - began) * race.MS
    return taken, str(found)


async def quiet(panel: Panel) -> None:
    """Until nothing more is told, so that what comes next is told of the next change."""
    with contextlib.suppress(TimeoutError):
        while True:
            await asyncio.wait_for(panel.heard.get(), PAUSE_S)


async def rest(seconds: float) -> tuple[float, int]:
    """The share of one core it takes while nothing but a heartbeat happens, in percent, and its memory."""
    async with tray(QUIET, LATELY_S) as (where, _, process):
        began, before = time.monotonic(), cpu.spent(process.pid)
        end = began + seconds
        while (left := end - time.monotonic()) > 0:
            where.beat()
            await asyncio.sleep(min(left, BEAT_S))
        assert process.poll() is None, "it did not live that long"
        spent, took = cpu.spent(process.pid) - before, time.monotonic() - began
        return spent / took * 100, psutil.Process(process.pid).memory_info().rss


@contextlib.asynccontextmanager
async def tray(number: int, ago: float = LONG_AGO_S) -> AsyncIterator[tuple[Watched, Panel, subprocess.Popen[bytes]]]:
    from bench.panel import Panel, bus  # noqa: PLC0415 - it needs dbus-fast

    with place.folder() as path, Watched(Place(path), number, ago) as where, bus(where.environment()) as address:
        async with Panel(address) as panel:
            with started(where, address) as process:
                await panel.wait_for_item()
                await panel.next_signal("NewIcon")
                await quiet(panel)
                yield where, panel, process


@contextlib.contextmanager
def started(where: Place, address: str) -> Iterator[subprocess.Popen[bytes]]:
    env = where.environment(DBUS_SESSION_BUS_ADDRESS=address)
    store.replace(f"{where.state}/config.toml", b"[notify]\nenabled = false\n")
    with subprocess.Popen(TRAY, env=env, cwd=PROJECT) as process:
        try:
            yield process
        finally:
            process.terminate()
