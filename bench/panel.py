"""A panel without a screen: it watches for tray icons on a bus of its own and reads them as real panels do."""

# No postponed annotations: dbus-fast reads the signatures from them when the class is made.

import asyncio
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple, Self

from dbus_fast import Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

ITEM, MENU = "org.kde.StatusNotifierItem", "com.canonical.dbusmenu"
PATHS = {ITEM: "/StatusNotifierItem", MENU: "/MenuBar"}
WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
PATIENCE_S = 60.0  # used up only by what will never come


@contextmanager
def bus(env: Mapping[str, str] | None = None, config: str = "") -> Iterator[str]:
    """The address of a session bus that nobody else knows. What it starts by itself lives in this environment."""
    which = f"--config-file={config}" if config else "--session"
    argv = ["dbus-daemon", which, "--nofork", "--nopidfile", "--print-address"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=quiet, text=True) as daemon:
        try:
            assert daemon.stdout
            yield daemon.stdout.readline().strip()
        finally:
            daemon.terminate()


class Node(NamedTuple):
    """An item of a menu as it came over the bus."""

    number: int
    properties: dict[str, Any]
    children: list["Node"]

    @property
    def label(self) -> str:
        """As it is shown: a doubled underscore is one."""
        return str(self.properties.get("label", "")).replace("__", "_")

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.children]

    def find(self, words: str) -> "Node":
        """The first item anywhere below whose label has these words."""
        for one in self.children:
            if words in one.label:
                return one
            try:
                return one.find(words)
            except LookupError:
                continue
        raise LookupError(words)


class _Watcher(ServiceInterface):
    def __init__(self, found: asyncio.Queue[str]) -> None:
        super().__init__(WATCHER)
        self.found = found
        self.is_shown = True

    @dbus_method("RegisterStatusNotifierItem")
    def register(self, name: DBusStr) -> None:
        self.found.put_nowait(name)

    @dbus_property(PropertyAccess.READ, "IsStatusNotifierHostRegistered")
    def host(self) -> DBusBool:
        return self.is_shown

    @dbus_property(PropertyAccess.READ, "RegisteredStatusNotifierItems")
    def items(self) -> Annotated[list[str], DBusSignature("as")]:
        return []


class Panel:
    """Owns the watcher's name as long as it is open. `heard` are the signals of the icon and its menu."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard: asyncio.Queue[Message] = asyncio.Queue()
        self.found: asyncio.Queue[str] = asyncio.Queue()
        self.watcher = _Watcher(self.found)
        self.name = ""

    async def __aenter__(self) -> Self:
        self.connection = await MessageBus(bus_address=self.address).connect()
        self.connection.add_message_handler(self._hear)
        self.connection.export(WATCHER_PATH, self.watcher)
        for interface in PATHS:
            await self.call("AddMatch", "s", f"type='signal',interface='{interface}'", to="org.freedesktop.DBus")
        await self.connection.request_name(WATCHER)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.connection.disconnect()

    def _hear(self, message: Message) -> None:
        if message.message_type is MessageType.SIGNAL and message.interface in PATHS:
            self.heard.put_nowait(message)

    async def wait_for_item(self) -> str:
        self.name = await asyncio.wait_for(self.found.get(), PATIENCE_S)
        return self.name

    async def next_signal(self, *members: str, patience: float = PATIENCE_S) -> Message:
        """The next one that is called so; what came before it is passed over."""

        async def find() -> Message:
            while True:
                message = await self.heard.get()
                if message.member in members:
                    return message

        return await asyncio.wait_for(find(), patience)

    async def get(self, name: str, interface: str = ITEM) -> Any:
        found = await self.call("Get", "ss", interface, name, of="org.freedesktop.DBus.Properties", at=PATHS[interface])
        return found[0].value

    async def layout(self, number: int = 0, depth: int = -1) -> Node:
        found = await self.call("GetLayout", "iias", number, depth, [], of=MENU)
        return _node(found[1])

    async def click(self, number: int) -> list[Any]:
        """As libdbusmenu does it: in a group of one."""
        event = [number, "clicked", Variant("i", 0), 0]
        return await self.call("EventGroup", "a(isvu)", [event], of=MENU)

    async def call(
        self, member: str, signature: str, *body: Any, of: str = "", at: str = "", to: str = ""
    ) -> list[Any]:
        to = to or self.name
        of = of or to
        at = at or PATHS.get(of, "/org/freedesktop/DBus")
        message = Message(to, at, of, member, signature=signature, body=list(body))
        reply = await asyncio.wait_for(self.connection.call(message), PATIENCE_S)
        assert reply is not None
        if reply.message_type is MessageType.ERROR:
            raise RefusedError(f"{reply.error_name}: {reply.body}")
        return list(reply.body)


class RefusedError(Exception):
    """The icon answered with an error."""


def _node(raw: Any) -> Node:
    number, properties, children = raw
    plain = {name: value.value for name, value in properties.items()}
    return Node(number, plain, [_node(child.value) for child in children])
