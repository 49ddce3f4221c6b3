"""Networks of a test's own: namespaces with their own addresses, and links that can be cut or lose packets.

Nothing of the machine's own network is touched: the machine that looks on is in a namespace too.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

import pytest

from support.needs import need

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = itertools.count(1)
NOT_ROOT = "network namespaces need root"
# Hands packets from one namespace to the other, but loses some. Not every kernel has netem.
LOSSY = """
import ctypes, fcntl, os, random, select, struct, sys
libc, share = ctypes.CDLL(None, use_errno=True), float(sys.argv[3])
def tun(name):
    with open(f"/run/netns/{name}") as space:
        assert libc.setns(space.fileno(), 0x40000000) == 0, os.strerror(ctypes.get_errno())
    fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(fd, 0x400454CA, struct.pack("16sH", b"link0", 0x0001 | 0x1000))
    return fd
ends = [tun(name) for name in sys.argv[1:3]]
other = dict(zip(ends, reversed(ends)))
print("stands", flush=True)
lost = handed = 0
while ready := select.select([*ends, 0], [], [])[0]:
    if 0 in ready:
        print(handed, lost, flush=True)
        break
    for end in ready:
        packet = os.read(end, 65536)
        if random.random() < share:
            lost += 1
            continue
        handed += 1
        try:
            os.write(other[end], packet)
        except OSError:
            pass
"""


class Network:
    """`here`, and other machines that it reaches, each over a link of its own."""

    def __init__(self) -> None:
        need("ip")
        if os.getuid() != 0:
            pytest.skip(NOT_ROOT)
        self._prefix = f"yt{os.getpid()}n{next(NUMBERS)}"
        self._stack = ExitStack()
        self._count = 0

    def __enter__(self) -> Self:
        self.here = self._space("here")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def within(self, space: str) -> list[str]:
        """The words that put a command into this namespace."""
        return ["ip", "netns", "exec", space]

    def machine(self, name: str) -> tuple[str, str]:
        """Another machine at the end of a cable: its namespace and its address."""
        space, number = self._space(name), self._count
        near, address = f"10.213.{number}.1", f"10.213.{number}.2"
        ip("link", "add", f"link{number}", "netns", self.here, "type", "veth", "peer", "name", "link0", "netns", space)
        self._address(self.here, f"link{number}", f"{near}/24")
        self._address(space, "link0", f"{address}/24")
        return space, address

    def lossy(self, name: str, share: float) -> tuple[str, str, subprocess.Popen[str]]:
        """The same over a link that loses this share of the packets; who hands them on says how many at its end."""
        space, number = self._space(name), self._count
        argv = [sys.executable, "-c", LOSSY, self.here, space, str(share)]
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._stack.enter_context(process)  # which closes its pipes, too, where the test does not come to that
        self._stack.callback(process.kill)
        assert process.stdout
        assert process.stdout.readline() == "stands\n"
        near, address = f"10.213.{number}.1", f"10.213.{number}.2"
        for end, one, peer in ((self.here, near, address), (space, address, near)):
            ip("-n", end, "addr", "add", one, "peer", peer, "dev", "link0")
            ip("-n", end, "link", "set", "link0", "up")
        return space, address, process

    def cut(self, space: str) -> None:
        ip("-n", space, "link", "set", "link0", "down")

    def mend(self, space: str) -> None:
        ip("-n", space, "link", "set", "link0", "up")

    def _space(self, name: str) -> str:
        space = f"{self._prefix}-{name}"
        self._count += 1
        try:
            ip("netns", "add", space)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
        self._stack.callback(ip, "netns", "del", space)
        ip("-n", space, "link", "set", "lo", "up")
        return space

    @staticmethod
    def _address(space: str, link: str, address: str) -> None:
        ip("-n", space, "addr", "add", address, "dev", link)
        ip("-n", space, "link", "set", link, "up")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


class Disk:
    """A small file system of a test's own, which can be filled."""

    def __init__(self, path: Path, size: str = "512k") -> None:
        self.path, self._size = path, size

    def __enter__(self) -> Self:
        if os.getuid() != 0:
            pytest.skip("to mount a file system needs root")
        self.path.mkdir(parents=True, exist_ok=True)
        argv = ["mount", "-t", "tmpfs", "-o", f"size={self._size},mode=0700", "tmpfs", str(self.path)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", "--lazy", str(self.path)], check=True)

    def fill(self) -> None:
        """Until not one byte more has room."""
        with (self.path / "filler").open("ab", buffering=0) as file:
            for size in (4096, 1):
                try:
                    while file.write(b"x" * size):
                        pass
                except OSError:
                    continue

    def empty(self) -> None:
        (self.path / "filler").unlink()
