"""Where a broker is: its URL, and what may not be in one. Pure."""

from __future__ import annotations

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit

PORTS = {"mqtts": 8883, "mqtt": 1883}
FORM = "it must be mqtts://HOST or mqtts://HOST:PORT"
TOLD_TO_ALL = (
    "the URL holds a user or a password, which other users can read in the list of processes, and which stays in the "
    "history of your shell. Put them into a file, and name it: --credentials FILE"
)
PLAIN = "{} is not encrypted: whoever listens can read what is sent, and change it. Use mqtts://, or say --insecure"
LOCAL = "localhost"


class Address(NamedTuple):
    host: str
    port: int
    is_encrypted: bool

    @property
    def is_loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == LOCAL

    @property
    def is_open(self) -> bool:
        """Whether others can listen."""
        return not self.is_encrypted and not self.is_loopback


def wrong(url: str, *, insecure: bool = False) -> str:
    """What is wrong with it, never with a secret in it; '' if nothing is."""
    try:
        parts = urlsplit(url)
        has_secret = "@" in parts.netloc
        given = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return f"this is no address of a broker: {FORM}"
    if has_secret:
        return TOLD_TO_ALL
    if parts.scheme not in PORTS or not given or parts.path.strip("/") or parts.query or parts.fragment:
        return f"this is no address of a broker: {FORM}"
    return PLAIN.format(url) if of(url).is_open and not insecure else ""


def of(url: str) -> Address:
    """Of a URL with which nothing is wrong."""
    parts = urlsplit(url)
    return Address(parts.hostname or "", parts.port or PORTS[parts.scheme], parts.scheme == "mqtts")
