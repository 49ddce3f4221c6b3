"""Where the page is served, which names that place has, and who can reach it. Pure, except for `outward`."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import NamedTuple

PORT, HIGHEST_PORT = 7414, 65535
HERE = "127.0.0.1"
LOCAL = "localhost"
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")  # of the name of a machine
NOWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is sent there, only a way to it is looked up


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"{bracketed(self.host)}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        ip = _ip(self.host)
        return self.host == LOCAL or bool(ip and ip.is_loopback)

    @property
    def is_everywhere(self) -> bool:
        """Whether it stands for all addresses of this machine."""
        ip = _ip(self.host)
        return bool(ip and ip.is_unspecified)

    def is_named(self, host: str, own: frozenset[str] = frozenset()) -> bool:
        """Whether a request for this Host may be for us; `own`: names of this machine.

        A page of somebody else can make a name of its own point to our address (DNS rebinding), and then the browser
        takes us for that page. It cannot make its name be an address.
        """
        name, port = _parted(host)
        if port != self.port:
            return False
        ip = _ip(name)
        if self.is_loopback:
            return name in (LOCAL, self.host) or bool(ip and ip.is_loopback)
        return name in (self.host, *own) or (ip is not None and self.is_everywhere)


def parse(words: str) -> Address:
    """`127.0.0.1:7414`, `[::1]:7414`, a host alone or a port alone. ValueError for anything else."""
    if words.isascii() and words.isdigit():
        words = f"{HERE}:{words}"
    if _ip(words) or ":" not in words.rpartition("]")[2]:
        words = f"{bracketed(_bare(words))}:{PORT}"
    name, port = _parted(words)
    if not name or port is None or not (_ip(name) or set(name) <= LETTERS):
        raise ValueError(words)
    return Address(name, port)


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def own_names() -> frozenset[str]:
    """What this machine is called in its own network."""
    name = socket.gethostname().lower().rstrip(".")
    return frozenset(filter(None, (name, name.partition(".")[0], f"{name.partition('.')[0]}.local")))


def outward() -> str:
    """The address by which others reach this machine, as far as it knows."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(NOWHERE)
        return str(asked.getsockname()[0])
    return socket.gethostname()


def _parted(words: str) -> tuple[str, int | None]:
    """Host and port; browsers leave port 80 out. None for what is no port."""
    name, colon, port = words.lower().rpartition(":")
    if not colon or port.endswith("]"):
        name, port = words.lower(), "80"
    is_port = port.isascii() and port.isdigit() and int(port[:6]) <= HIGHEST_PORT
    return _bare(name).rstrip("."), int(port) if is_port else None


def _bare(host: str) -> str:
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(_bare(host))
    except ValueError:
        return None
