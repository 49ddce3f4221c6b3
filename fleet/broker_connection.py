"""The connection to a broker: made, cut and made again, in the thread of whoever uses it.

Each connection has a client of its own: one that comes back would first send what it could not send before, which is
older than what is said now.
"""

from __future__ import annotations

import contextlib
import math
import random
import select
import ssl
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from fleet import broker_address, credentials

if TYPE_CHECKING:
    from collections.abc import Iterable

    from paho.mqtt.reasoncodes import ReasonCode

    from fleet.credentials import Credentials

KEEPALIVE_S = 7  # a broker that is silent for twice as long is gone, and so are we for it
CONNECT_S, ANSWER_S = 5.0, 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
LARGEST = 256 << 10  # bytes of a packet: the broker sends us no larger one
KEPT_S = 7 * 86400  # a broker forgets what it keeps for a machine that has not spoken for so long
PORTION = 500  # packets that are read before the rest of the work goes on
AT_ONCE = 65535  # messages that are on their way to us: of more than it may send, a broker throws some away


class Message(NamedTuple):
    topic: str
    payload: bytes
    is_kept: bool  # the broker had it before we asked, so it is not news
    age_s: float  # how long the broker has had it


class Will(NamedTuple):
    """What the broker says in our name when we are gone without a word."""

    topic: str
    payload: bytes


class User(Protocol):
    def is_up(self) -> None: ...
    def is_down(self, why: str) -> None: ...
    def is_refused(self, why: str) -> None: ...
    def hears(self, message: Message) -> None: ...


class Way(NamedTuple):
    """How to reach a broker, and who we are there."""

    url: str
    credentials: str = ""  # files
    ca: str = ""

    @property
    def words(self) -> str:
        found = broker_address.of(self.url)
        return f"the broker at {found.host}:{found.port}"


class BrokerConnection:
    def __init__(self, way: Way, user: User, will: Will | None = None) -> None:
        self._way, self._user, self._will = way, user, will
        self._client: mqtt.Client | None = None
        self._last: mqtt.MQTTMessageInfo | None = None
        self._answer: ReasonCode | None = None
        self._end: ReasonCode | None = None
        self._messages: list[Message] = []
        self._refused: str | None = None
        self._pause_s, self._due, self._deadline = FIRST_PAUSE_S, -math.inf, math.inf
        self.is_connected = False

    @property
    def descriptors(self) -> list[int]:
        """What to wait for besides."""
        sock = self._client.socket() if self._client else None
        return [sock.fileno()] if sock else []

    def turn(self, wait_s: float) -> None:
        """Do what is to be done now, or wait so long for something."""
        now = time.monotonic()
        if self._client is None:
            if now < self._due:
                time.sleep(min(wait_s, self._due - now))
                return
            self._call(now)
        if self._client is not None:
            self._read(wait_s)
        if not self.is_connected and time.monotonic() > self._deadline:
            self._breaks("it does not answer")

    def say(self, topic: str, payload: bytes) -> None:
        """Kept by the broker for those who ask later; an empty payload takes back what it keeps."""
        if self._client:
            self._last = self._client.publish(topic, payload, qos=1, retain=True, properties=_lasting())

    def subscribe(self, filters: Iterable[str], *, own: bool = True) -> None:
        """`own`: whether what we say ourselves comes back to us. A second time, all that is kept comes again."""
        options = SubscribeOptions(qos=1, noLocal=not own)
        wanted = [(topic, options) for topic in filters]
        if self._client and wanted:
            self._client.subscribe(wanted)

    def settle(self, seconds: float) -> None:
        """Wait until the broker has all that was said, but not longer than this."""
        end = time.monotonic() + seconds
        while not self.has_all and time.monotonic() < end:
            self.turn(0.05)

    @property
    def has_all(self) -> bool:
        """Whether the broker has all that was said, or can get no more, because the connection is gone."""
        with contextlib.suppress(RuntimeError, ValueError):  # it could not even be sent
            return self._last is None or self._last.is_published()
        return True

    def close(self) -> None:
        """With a word of our own, so that the broker says none in our name."""
        client, self._client, self.is_connected = self._client, None, False
        if client:
            with contextlib.suppress(OSError, ValueError):
                client.disconnect()
                client.loop_write()
            _let_go(client)

    def _call(self, now: float) -> None:
        self._deadline = now + ANSWER_S
        try:
            who = credentials.read(self._way.credentials)
            self._client = self._made(who)
            address = broker_address.of(self._way.url)
            self._client.connect(
                address.host, address.port, keepalive=KEEPALIVE_S, clean_start=True, properties=_connecting()
            )
        except (OSError, ValueError, credentials.Unusable) as error:
            self._breaks(_words(error))

    def _made(self, who: Credentials) -> mqtt.Client:
        made = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5, reconnect_on_failure=False)
        made.connect_timeout = CONNECT_S
        if broker_address.of(self._way.url).is_encrypted:
            made.tls_set_context(_trust(self._way.ca, who))
        if who.user:
            made.username_pw_set(who.user, who.password or None)
        if self._will:
            lasting = _lasting(PacketTypes.WILLMESSAGE)
            made.will_set(self._will.topic, self._will.payload, qos=1, retain=True, properties=lasting)
        made.on_connect, made.on_disconnect, made.on_message = self._answered, self._ended, self._heard
        made.on_publish, made.on_subscribe = self._taken, self._subscribed
        return made

    def _read(self, wait_s: float) -> None:
        """Everything that has come, up to a portion."""
        for number in range(PORTION):
            client = self._client
            if client is None:
                return
            sock = client.socket()
            if sock is None:  # our last message found the connection cut; nothing to read would tell us
                self._hand_on()
                return
            ready = _ready(sock, 0.0 if number else wait_s, writes=client.want_write())
            if ready & select.POLLOUT:
                client.loop_write()
            if ready & ~select.POLLOUT:
                client.loop_read()
            client.loop_misc()
            self._hand_on()
            if not ready & ~select.POLLOUT:
                return

    def _hand_on(self) -> None:
        """What the client's callbacks have noted: none of it is done inside of them, where an error would be lost."""
        answer, end, messages, refused = self._answer, self._end, self._messages, self._refused
        self._answer, self._end, self._messages, self._refused = None, None, [], None
        if answer is not None and not answer.is_failure:
            self.is_connected, self._pause_s, self._deadline = True, FIRST_PAUSE_S, math.inf
            self._user.is_up()
        for message in messages:
            self._user.hears(message)
        if refused is not None:
            self._user.is_refused(f"it does not let us {refused}")
        if answer is not None and answer.is_failure:
            self._breaks(f"it refuses us: {answer}")
        elif end is not None:
            self._breaks(f"the connection was cut ({end})" if self.is_connected else f"it refuses us: {end}")

    def _answered(self, _client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        self._answer = code

    def _ended(self, _client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        self._end = code

    def _taken(self, _client: mqtt.Client, _data: Any, _number: int, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            self._refused = f"write ({code})"

    def _subscribed(self, _client: mqtt.Client, _data: Any, _n: int, codes: list[ReasonCode], _more: Any) -> None:
        for code in codes:
            if code.is_failure:
                self._refused = f"read ({code})"

    def _heard(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        left = getattr(message.properties, "MessageExpiryInterval", KEPT_S)
        age_s = min(max(float(KEPT_S - left), 0.0), float(KEPT_S))
        with contextlib.suppress(UnicodeDecodeError):  # of a topic that is none of ours
            self._messages.append(Message(message.topic, bytes(message.payload), message.retain, age_s))

    def _breaks(self, why: str) -> None:
        client, self._client, self.is_connected, self._last = self._client, None, False, None
        self._answer, self._end, self._messages = None, None, []
        if client:
            _let_go(client)
        # Some at random: machines that went together must not all come back at one moment.
        self._due = time.monotonic() + self._pause_s * random.uniform(0.75, 1.25)  # noqa: S311 - no secret
        self._pause_s, self._deadline = min(self._pause_s * 2, LONGEST_PAUSE_S), math.inf
        self._user.is_down(why)


class _Socket(ssl.SSLSocket):
    """Closed when there is no agreement: nobody else does that."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except Exception:
            self.close()
            raise


def _connecting() -> Properties:
    wanted = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    wanted.MaximumPacketSize, wanted.ReceiveMaximum = LARGEST, AT_ONCE
    return wanted


def _lasting(kind: int = PacketTypes.PUBLISH) -> Properties:
    """A broker counts this down: whoever reads the message later knows by it how old it is."""
    wanted = Properties(kind)  # type: ignore[no-untyped-call]
    wanted.MessageExpiryInterval = KEPT_S
    return wanted


def _trust(ca: str, who: Credentials) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=ca or None)
    context.sslsocket_class = _Socket
    if who.certificate:
        context.load_cert_chain(who.certificate, who.key or None)
    return context


def _ready(sock: Any, wait_s: float, *, writes: bool) -> int:
    if getattr(sock, "pending", int)():  # what is decrypted already, a poll does not see
        return select.POLLIN
    waiting = select.poll()
    waiting.register(sock, select.POLLIN | (select.POLLOUT if writes else 0))
    found = waiting.poll(wait_s * 1000)
    return found[0][1] if found else 0


def _let_go(client: mqtt.Client) -> None:
    sock = client.socket()
    if sock:
        with contextlib.suppress(OSError):
            sock.close()


def _words(error: Exception) -> str:
    """Why there is no connection, without a value of ours in it."""
    if isinstance(error, credentials.Unusable):
        return str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS fails: {error.reason or 'unknown'}"
    if isinstance(error, TimeoutError):
        return "it does not answer"
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else type(error).__name__
