"""The session bus of a desktop: where it is, and whether a panel on it shows icons."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
PATIENCE_S = 3.0


class NoBus(Exception):  # noqa: N818 - an expected outcome
    """Why the session bus cannot be reached."""


def address(env: Mapping[str, str]) -> str:
    """From the environment, or the usual place; with '' the library looks further."""
    folder, named = env.get("XDG_RUNTIME_DIR", ""), env.get("DBUS_SESSION_BUS_ADDRESS", "")
    has_socket = folder.startswith("/") and os.path.exists(f"{folder}/bus")
    return named or (f"unix:path={folder}/bus" if has_socket else "")


async def connect(env: Mapping[str, str]) -> Any:
    from dbus_fast.aio import MessageBus  # noqa: PLC0415 - expensive, and only a tray needs it
    from dbus_fast.errors import AuthError, InvalidAddressError  # noqa: PLC0415

    try:
        return await MessageBus(bus_address=address(env) or None, auth_timeout=PATIENCE_S).connect()
    except (OSError, AuthError, InvalidAddressError, EOFError, LookupError) as error:
        raise NoBus(str(error) or type(error).__name__) from None


def has_panel(env: Mapping[str, str]) -> bool:
    """Whether a panel on this desktop shows tray icons; a list of icons alone is not enough."""
    import asyncio  # noqa: PLC0415 - as above

    try:
        return asyncio.run(asyncio.wait_for(_has_panel(env), PATIENCE_S))
    except (NoBus, OSError, EOFError, TimeoutError):
        return False


async def _has_panel(env: Mapping[str, str]) -> bool:
    bus = await connect(env)
    try:
        return bool(await ask(bus, "NameHasOwner", WATCHER)) and await has_host(bus)
    finally:
        bus.disconnect()


async def has_host(bus: Any) -> bool:
    """Whether a panel shows the icons in the list. If the list does not say, assume so."""
    read = (WATCHER, WATCHER_PATH, "org.freedesktop.DBus.Properties", "Get")
    answer = await call(bus, read, WATCHER, "IsStatusNotifierHostRegistered")
    return bool(answer is None or answer.value)


async def ask(bus: Any, member: str, argument: str) -> Any:
    """A method of the bus itself."""
    return await call(bus, (BUS, BUS_PATH, BUS, member), argument)


async def call(bus: Any, method: tuple[str, str, str, str], *arguments: str) -> Any:
    """The first value of the answer; None if there is none, or on an error."""
    from dbus_fast import Message, MessageType  # noqa: PLC0415

    reply = await bus.call(Message(*method, signature="s" * len(arguments), body=list(arguments)))
    return reply.body[0] if reply.message_type is MessageType.METHOD_RETURN and reply.body else None
