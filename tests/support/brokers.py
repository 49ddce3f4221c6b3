"""A real mosquitto on a free port of the loopback, with its own settings and folder, and a plain client for it."""

from __future__ import annotations

import contextlib
import getpass
import signal
import socket
import subprocess
from typing import TYPE_CHECKING, Any, Self

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from support.needs import found, need
from support.patience import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPEN = "allow_anonymous true"


class Broker:
    """It keeps what it was told when it is started again, unless told otherwise."""

    def __init__(self, folder: Path, *settings: str, listener: str = "", persistence: bool = True) -> None:
        need("mosquitto")
        folder.mkdir(mode=0o700, exist_ok=True)
        self.folder, self.port = folder, free_port()
        kept = ["persistence true", f"persistence_location {folder}/"] if persistence else ["persistence false"]
        lines = [f"user {getpass.getuser()}", f"listener {self.port} 127.0.0.1", listener, *settings, *kept]
        (folder / "mosquitto.conf").write_text("\n".join(filter(None, lines)) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def secure_url(self) -> str:
        return f"mqtts://localhost:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        program = str(found("mosquitto"))
        with open(self.folder / "said", "ab") as said:
            self._process = subprocess.Popen(
                [program, "-c", str(self.folder / "mosquitto.conf")], stdout=said, stderr=said
            )
        until(self._listens, lambda: f"a broker; {self.said()}")

    def end(self, number: int = signal.SIGTERM) -> None:
        """With SIGTERM it writes down what it keeps; with SIGKILL it does not."""
        if self._process:
            self._process.send_signal(number)
            self._process.wait()
            self._process = None

    def said(self) -> str:
        return (self.folder / "said").read_text(errors="replace")

    def _listens(self) -> bool:
        assert self._process
        assert self._process.poll() is None, self.said()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
            return True
        return False


class Anyone:
    """A plain client that may say and hear what it likes."""

    def __init__(self, broker: Broker, user: str = "", password: str = "", **tls: Any) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.kept: dict[str, bytes] = {}  # the last words on each topic
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.on_message = self._hear
        self.refusals: list[str] = []
        self._client.on_publish = self._published
        self._client.max_inflight_messages_set(0)
        if user:
            self._client.username_pw_set(user, password)
        if tls:
            self._client.tls_set(**tls)
        self._client.connect("localhost" if tls else "127.0.0.1", broker.port)
        self._client.loop_start()

    def __enter__(self) -> Self:
        until(self._client.is_connected, "an answer of the broker")
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def says(self, topic: str, payload: bytes, *, keep: bool = True, expires: int = 0) -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if expires:
            properties.MessageExpiryInterval = expires
        done = self._client.publish(topic, payload, qos=1, retain=keep, properties=properties)
        until(done.is_published, f"that the broker takes {topic}")

    def listens(self, topic: str = "#") -> Self:
        done: list[int] = []
        self._client.on_subscribe = lambda *_: done.append(1)
        self._client.subscribe(topic, qos=1)
        until(lambda: done, "a subscription")
        return self

    def _hear(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        self.heard.append((message.topic, bytes(message.payload)))
        self.kept[message.topic] = bytes(message.payload)

    def _published(self, _client: mqtt.Client, _data: Any, _number: int, code: Any, _more: Any) -> None:
        if code.is_failure:
            self.refusals.append(str(code))


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextlib.contextmanager
def at_work(*threads: Any) -> Iterator[None]:
    """Sources or a share, started, and ended with the test."""
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.stop()
        for thread in threads:
            thread.join(60.0)
            assert not thread.is_alive()
