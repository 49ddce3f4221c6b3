"""The notification server of a desktop, org.freedesktop.Notifications, over the session bus."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

from statusbar.notifications.buttons import OFFERED, deed_of
from statusbar.notifications.message import CLICKED, message
from statusbar.system import bus
from statusbar.system.bus import BUS, NoBus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statusbar.notifications.rules import Notice
    from statusbar.notifications.screen import Sound

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
PATIENCE_S = 3.0
QUIET = "do not disturb is on, so the desktop may hold it back"
SIGNALS = f"type='signal',sender='{NAME}',interface='{NAME}'"
OWNERS = f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{NAME}'"


class NoServer(Exception):  # noqa: N818 - an expected outcome
    """Why nothing can be shown."""


class Number(NamedTuple):
    """Of a notification. Another server may give the same number to another one."""

    server: tuple[int, str]
    number: int


class Server:
    """Found again after it, or the bus, was restarted."""

    def __init__(
        self, env: Mapping[str, str], clicked: Callable[[Number, str], None], closed: Callable[[Number], None]
    ) -> None:
        """`clicked` is told on which button."""
        self._env = env
        self._clicked, self._closed = clicked, closed
        self._bus: Any = None
        self._connections = 0
        self._owner = ""  # the server that was asked for its capabilities; '' until then
        self._can: frozenset[str] = frozenset()
        self._tells_quiet = False  # whether it says when the person wants not to be disturbed

    async def show(self, notice: Notice, sound: Sound, replaces: Number | None = None) -> tuple[Number, str]:
        """Its number, and a remark for the person. Raises NoServer."""
        async with self._patience():
            await self._meet()
            is_quiet = await self._is_quiet()
            words = message(notice, sound and not is_quiet, self._can)
            old = replaces.number if replaces and replaces == self._numbered(replaces.number) else 0
            number = await self._call("Notify", "susssasa{sv}i", *words.arguments(old))
            return self._numbered(number), QUIET if is_quiet else ""

    async def close(self, number: Number) -> None:
        """With its server, a notification has gone by itself. Raises NoServer."""
        if number == self._numbered(number.number):
            async with self._patience():
                await self._call("CloseNotification", "u", number.number)

    async def disconnect(self) -> None:
        """Wait for the end too: only then is the socket closed."""
        left, self._bus, self._owner = self._bus, None, ""
        if left is not None and left.connected:
            left.disconnect()
            with contextlib.suppress(Exception):
                await left.wait_for_disconnect()

    def _numbered(self, number: int) -> Number:
        return Number((self._connections, self._owner), number)

    @contextlib.asynccontextmanager
    async def _patience(self) -> Any:
        """A bus or a server that does not answer is left; the next notification looks for it again."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                yield
        except TimeoutError:
            await self.disconnect()
            raise NoServer("the program that shows notifications does not answer") from None
        except (NoBus, OSError, EOFError) as error:
            await self.disconnect()
            raise NoServer(f"the session bus cannot be reached ({error})") from None

    async def _meet(self) -> None:
        if self._bus is None or not self._bus.connected:
            self._owner = ""
            self._connections += 1
            self._bus = await bus.connect(self._env)
            self._bus.add_message_handler(self._hear)
            for rule in (SIGNALS, OWNERS):
                await bus.ask(self._bus, "AddMatch", rule)
        if not self._owner:
            self._can = frozenset(await self._call("GetCapabilities", ""))
            self._tells_quiet = True

    async def _is_quiet(self) -> bool:
        """Asked only as long as the server has this property: it is not in every specification."""
        if not self._tells_quiet:
            return False
        answer = await bus.call(self._bus, (NAME, PATH, "org.freedesktop.DBus.Properties", "Get"), NAME, "Inhibited")
        self._tells_quiet = answer is not None
        return bool(answer and answer.value)

    async def _call(self, member: str, signature: str, *body: Any) -> Any:
        """The first value of the answer."""
        from dbus_fast import Message, MessageType, Variant  # noqa: PLC0415 - expensive, and only needed here

        values = [_variants(value, Variant) if isinstance(value, dict) else value for value in body]
        reply = await self._bus.call(Message(NAME, PATH, NAME, member, signature=signature, body=values))
        if reply is None or reply.message_type is MessageType.ERROR:
            raise NoServer(f"no program on this desktop shows them ({reply.error_name if reply else 'no answer'})")
        self._owner = reply.sender
        return reply.body[0] if reply.body else None

    def _hear(self, heard: Any) -> None:
        """Only the server's own words: anybody on the bus can send us a signal."""
        if heard.sender == BUS and heard.member == "NameOwnerChanged" and heard.body[0] == NAME:
            self._owner = self._owner if heard.body[2] == self._owner else ""
        elif heard.sender == self._owner and heard.interface == NAME:
            if heard.member == "ActionInvoked" and deed_of(heard.body[1]) in (CLICKED, *OFFERED):
                self._clicked(self._numbered(heard.body[0]), heard.body[1])
            elif heard.member == "NotificationClosed":
                self._closed(self._numbered(heard.body[0]))


def _variants(hints: Mapping[str, tuple[str, Any]], variant: Any) -> dict[str, Any]:
    return {name: variant(signature, value) for name, (signature, value) in hints.items()}
