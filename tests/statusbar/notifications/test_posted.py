"""Notifications that are taken off the screen once they are answered: programs of ours, then a real bus."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract import store
from contract.status import SessionStatus
from statusbar.notifications import desktop
from statusbar.notifications.desktop import Way
from statusbar.notifications.notify import Notifier
from statusbar.notifications.rules import SETTLE_S
from support.desktop_programs import BUS, calls, program
from support.needs import need
from support.noticing import ASKS, WAITS, WORKS
from support.patience import PATIENCE_S, until
from support.showing import NOW, statuses

WAITS_FOR_A_CLICK = "import time; print(7, flush=True); time.sleep(3600)"
SERVER = """
import asyncio, json, sys
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, method

class Desktop(ServiceInterface):
    number = 0
    @method()
    def Notify(self, app: "s", old: "u", icon: "s", title: "s", body: "s", acts: "as", hints: "a{sv}", ms: "i") -> "u":
        self.number += 1
        urgency = hints["urgency"].value
        print(json.dumps({"shown": self.number, "title": title, "body": body, "urgency": urgency}), flush=True)
        return self.number
    @method()
    def CloseNotification(self, number: "u"):
        print(json.dumps({"closed": number}), flush=True)

async def main():
    bus = await MessageBus(bus_address=sys.argv[1]).connect()
    bus.export("/org/freedesktop/Notifications", Desktop("org.freedesktop.Notifications"))
    await bus.request_name("org.freedesktop.Notifications")
    print("{}", flush=True)
    await bus.wait_for_disconnect()

asyncio.run(main())
"""


class Screen:
    """A person's screen: what is told to the desktop, one look after the other."""

    def __init__(self, home: Path, env: dict[str, str]) -> None:
        store.private_folder(str(home))
        self.told: list[str] = []
        self.notifier = Notifier(str(home), {"YOURTURN_HOME": str(home), **env}, tell=self.told.append)
        self.now = NOW
        self.notifier.look(statuses(), self.now)

    def look(self, *sessions: SessionStatus) -> None:
        found = statuses(*sessions)
        for moment in (self.now, self.now + SETTLE_S):
            self.notifier.look(found, moment)
        self.now += 10

    def hear(self) -> None:
        """What the oldest program says, up to its number or its end: the words may come one by one."""
        oldest = self.notifier._waiting[0]
        while not oldest.id and not oldest.is_over:
            self.notifier.read([oldest.fileno()])


@pytest.fixture
def screen(tools: Path, tmp_path: Path) -> Iterator[Screen]:
    program(tools, "notify-send", WAITS_FOR_A_CLICK)
    program(tools, "gdbus")
    made = Screen(tmp_path, BUS)
    with made.notifier:
        yield made


def closed(tools: Path) -> list[str]:
    return [argv[-1] for argv in calls(tools / "gdbus.calls") if desktop.CLOSE in argv]


def test_what_was_answered_is_taken_away_by_its_number_and_nobody_waits_for_a_click(
    screen: Screen, tools: Path
) -> None:
    screen.look(ASKS)
    screen.hear()
    (shown,) = screen.notifier._waiting
    assert closed(tools) == []
    screen.look(WORKS)
    until(lambda: closed(tools) == ["uint32 7"])
    assert shown.process.returncode is not None
    assert screen.notifier.descriptors() == []
    screen.look(WORKS)
    screen.look()
    assert closed(tools) == ["uint32 7"], "once"


def test_what_was_answered_before_its_number_was_known_is_taken_away_as_soon_as_it_is(
    screen: Screen, tools: Path
) -> None:
    screen.look(ASKS)
    screen.look(WORKS)
    assert closed(tools) == []
    screen.hear()
    until(lambda: closed(tools) == ["uint32 7"])


def test_a_request_that_another_one_follows_is_taken_away(screen: Screen, tools: Path) -> None:
    screen.look(ASKS)
    screen.hear()
    screen.look(ASKS._replace(agents=(ASKS.agents[0]._replace(since=NOW + 5, detail="Bash: ls"),)))
    until(lambda: closed(tools) == ["uint32 7"])
    assert [one.notice.body for one in screen.notifier._requests] == ["Bash: ls"]


def test_who_ends_takes_along_what_asks_and_leaves_the_rest(
    screen: Screen, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that was sent a moment ago, and whose number nobody has heard yet."""
    monkeypatch.setattr(screen.notifier, "_ending_s", PATIENCE_S)
    screen.look(WORKS)
    screen.look(WAITS)
    screen.look(WAITS, ASKS._replace(session_id="b"))
    assert len(screen.notifier.descriptors()) == 2
    with screen.notifier:
        pass
    assert closed(tools) == ["uint32 7"]
    assert not screen.notifier.descriptors()


def test_one_that_was_dismissed_is_not_taken_away_again(tools: Path, tmp_path: Path) -> None:
    program(tools, "notify-send", "print(7)")
    program(tools, "gdbus")
    screen = Screen(tmp_path, BUS)
    screen.look(ASKS)
    while waiting := screen.notifier.descriptors():
        screen.notifier.read(waiting)
    screen.look(WORKS)
    with screen.notifier:
        pass
    assert closed(tools) == []


def test_one_for_several_goes_when_the_last_of_them_is_answered(tools: Path, tmp_path: Path) -> None:
    """It cannot be clicked, so its program does not stay."""
    program(tools, "notify-send", "print(7)")
    program(tools, "gdbus")
    screen = Screen(tmp_path, BUS)
    some = [ASKS._replace(session_id=f"s{k}") for k in range(5)]
    with screen.notifier:
        screen.look(*some)
        while waiting := screen.notifier.descriptors():
            screen.notifier.read(waiting)
        screen.look(some[4])
        assert len(screen.notifier._requests) == 1
        screen.look()
        assert screen.notifier._requests == []
    assert closed(tools) == ["uint32 7"]


@pytest.mark.parametrize("tool", ["gdbus", "busctl", "dbus-send"])
def test_whatever_can_speak_over_the_bus_is_used(tool: str, tools: Path) -> None:
    assert desktop.closing(7) is None
    program(tools, tool)
    argv = desktop.closing(7)
    assert argv
    assert (argv[0], argv[-1][-1]) == (tool, "7")


# A real bus


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[str]"]:
    """Somebody on a real bus who shows notifications, and writes down what is asked."""
    pytest.importorskip("dbus_fast", reason="NOTIFICATIONS WERE NOT TESTED ON A BUS: pip install dbus-fast")
    need("gdbus")
    from bench.panel import bus  # noqa: PLC0415 - needs dbus_fast

    with bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        argv = [sys.executable, "-c", SERVER, address]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            assert server.stdout.readline() == "{}\n"
            try:
                yield server
            finally:
                server.kill()


@pytest.mark.parametrize("how", ["answered", "ended"])
def test_a_real_desktop_is_told_to_show_it_and_to_take_it_away(
    how: str, desk: "subprocess.Popen[str]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop, "way", lambda _env: Way.GDBUS)
    assert desk.stdout
    screen = Screen(tmp_path, {})
    with screen.notifier:
        screen.look(ASKS)
        shown = {"shown": 1, "title": "a needs approval", "body": "Bash: npm test", "urgency": 2}
        assert json.loads(desk.stdout.readline()) == shown
        while waiting := screen.notifier.descriptors():
            screen.notifier.read(waiting)
        if how == "answered":
            screen.look(ASKS._replace(status="working", agents=()))
            assert json.loads(desk.stdout.readline()) == {"closed": 1}
            return
    assert json.loads(desk.stdout.readline()) == {"closed": 1}


def test_a_request_that_is_answered_at_once_never_reaches_the_desktop(screen: Screen, tools: Path) -> None:
    screen.notifier.look(statuses(ASKS), NOW)
    assert screen.notifier.rest(NOW) == pytest.approx(SETTLE_S)
    screen.look(WORKS)
    assert calls(tools / "notify-send.calls") == []
