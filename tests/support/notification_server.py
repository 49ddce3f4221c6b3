"""A notification server of our own on a real bus: a process that prints what it is asked, and does what it is told.

Its arguments are the address of the bus and its looks as JSON: "can", "inhibited", and "slow", with which it answers
nothing before it is told "answer". Told on its standard input, one a line: "click 1", "click 1 allow", "dismiss 1",
"answer".
"""

# No postponed annotations: dbus-fast reads the signatures from them when the class is made.

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Annotated, Any

from dbus_fast import PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusInt32, DBusSignature, DBusStr, DBusUInt32
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

PATIENCE_S = 60.0  # used up only by what will never come
NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
ALL = ["actions", "body", "body-markup", "persistence"]
Names = Annotated[list[str], DBusSignature("as")]
Hints = Annotated[dict[str, Any], DBusSignature("a{sv}")]


class Desktop(ServiceInterface):
    def __init__(self, *, can: list[str], slow: bool) -> None:
        super().__init__(NAME)
        self.can = can
        self.answers = asyncio.Event()
        self.number = 0
        if not slow:
            self.answers.set()

    @dbus_method("GetCapabilities")
    def get_capabilities(self) -> Names:
        say(asked="capabilities")
        return self.can

    @dbus_method("Notify")
    async def notify(  # noqa: PLR0913, PLR0917 - as the specification has it
        self,
        app: DBusStr,
        replaces: DBusUInt32,
        icon: DBusStr,
        title: DBusStr,
        body: DBusStr,
        actions: Names,
        hints: Hints,
        expires: DBusInt32,
    ) -> DBusUInt32:
        plain = {name: hint.value for name, hint in hints.items()}
        self.number += not replaces
        number = replaces or self.number
        say(shown=number, app=app, title=title, body=body, actions=actions, hints=plain, expires=expires)
        await self.answers.wait()
        return number

    @dbus_method("CloseNotification")
    def close_notification(self, number: DBusUInt32) -> None:
        say(closed=number)
        self.notification_closed(number, 3)

    @dbus_signal("ActionInvoked")
    def action_invoked(self, number: int, action: str) -> Annotated[list[Any], DBusSignature("us")]:
        return [number, action]

    @dbus_signal("NotificationClosed")
    def notification_closed(self, number: int, reason: int) -> Annotated[list[Any], DBusSignature("uu")]:
        return [number, reason]


class ThatTellsQuiet(Desktop):
    @dbus_property(PropertyAccess.READ, "Inhibited")
    def inhibited(self) -> DBusBool:
        return True


def say(**words: Any) -> None:
    print(json.dumps(words), flush=True)


async def main(address: str, looks: dict[str, Any]) -> None:
    bus = await MessageBus(bus_address=address).connect()
    desktop = (ThatTellsQuiet if looks["inhibited"] else Desktop)(can=looks["can"], slow=looks["slow"])
    bus.export(PATH, desktop)
    await bus.request_name(NAME)
    say(ready=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        word, number, button = [*line.split(), "", ""][:3]
        if word == "click":
            desktop.action_invoked(int(number), button or "default")
        elif word == "dismiss":
            desktop.notification_closed(int(number), 2)
        else:
            desktop.answers.set()
    bus.disconnect()


class Desk:
    """The process, as a test sees it."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self._lines: Queue[str] = Queue()
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            self._lines.put(line)

    def end(self) -> None:
        """Nobody may close its stream while somebody listens."""
        self.process.kill()
        self._ear.join()

    def heard(self) -> dict[str, Any]:
        """What it was asked next."""
        found: dict[str, Any] = json.loads(self._lines.get(timeout=PATIENCE_S))
        return found

    def shown(self) -> dict[str, Any]:
        """The next notification that it was asked to show."""
        while "shown" not in (found := self.heard()):
            assert found == {"asked": "capabilities"}, found
        return found

    def do(self, words: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()


@contextlib.contextmanager
def desk(address: str, *, can: list[str] = ALL, inhibited: bool = False, slow: bool = False) -> Iterator[Desk]:
    argv = [
        sys.executable,
        str(Path(__file__)),
        address,
        json.dumps({"can": can, "inhibited": inhibited, "slow": slow}),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True) as process:
        made = Desk(process)
        try:
            assert made.heard() == {"ready": True}
            yield made
        finally:
            made.end()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
