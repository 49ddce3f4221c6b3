"""The tray on a real bus: from a status file replaced to a panel that has what it draws, and its cost at rest."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import psutil

from bench import place, race
from bench.place import PROJECT, Place
from bench.screen import (
    BEAT_S,
    LATELY_S,
    LONG_AGO_S,
    MANY,
    PATIENCE_S,
    PAUSE_S,
    QUIET,
    SHARE,
    Watched,
    delay_row,
    session,
)
from bench.table import Budget, Row, Table, show
from contract import store
from contract.status import NEEDS_APPROVAL, WORKING
from statusbar import icon

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterator

    from bench.panel import Panel

ROUNDS = 100
SECONDS = 60.0
MOST_MS = 300.0
TRAY = [sys.executable, "-E", "-c", "import sys; from statusbar import tray; sys.exit(tray.run(None))"]


class Delay(NamedTuple):
    """Milliseconds until a panel has what it needs to draw a change."""

    menu: float
    icon: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench tray", description=__doc__)
    parser.add_argument("--rounds", type=race.positive, default=ROUNDS, help="changes (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="to leave it alone (default: %(default)s)")
    args = parser.parse_args()
    if not shutil.which("dbus-daemon") or not importlib.util.find_spec("dbus_fast"):
        print("The tray was NOT MEASURED, because there is no dbus-daemon or no dbus-fast.")
        return 0
    return show(measure(args.rounds, args.seconds))


def measure(rounds: int, seconds: float) -> Iterator[Table]:
    rows = []
    for number in (QUIET, MANY):
        taken = asyncio.run(delays(number, rounds))
        rows.append(delay_row(f"{number} sessions, the whole menu", [one.menu for one in taken], MOST_MS))
        rows.append(delay_row(f"{number} sessions, icon drawn before", [one.icon for one in taken], MOST_MS))
        first = asyncio.run(first_drawings(number, min(rounds, number)))
        rows.append(delay_row(f"{number} sessions, icon never drawn before", first, MOST_MS))
    title = f"From a status file replaced to a panel that has fetched what changed, up to {rounds} changes"
    yield Table(title, ("median", "p95", "worst"), rows)
    share, memory = asyncio.run(rest(seconds))
    row = Row(f"{QUIET} quiet sessions", (f"{share:.3f} %", f"{memory / 2**20:.1f} MB"), [Budget(share, SHARE, "%")])
    yield Table(f"The tray left alone for {seconds:g} s, only ages grow", ("of one core", "memory"), [row])


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
        seen = psutil.Process(process.pid)
        began, before = time.monotonic(), sum(seen.cpu_times()[:2])
        end = began + seconds
        while (left := end - time.monotonic()) > 0:
            where.beat()
            await asyncio.sleep(min(left, BEAT_S))
        assert process.poll() is None, "it did not live that long"
        spent, took = sum(seen.cpu_times()[:2]) - before, time.monotonic() - began
        return spent / took * 100, seen.memory_info().rss


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
