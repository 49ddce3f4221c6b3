"""Things that may lie where a file is expected."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HUGE = 1_300_000_000
DEEP = 200_000
HEAD = b'{"v":1,"session":"x","agent":"main","pid":7,"sessionId":"x","type":"user","members":'


def remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        os.rmdir(path)
    elif os.path.lexists(path):
        os.unlink(path)


def _holds(data: bytes) -> Callable[[str], None]:
    def put(path: str) -> None:
        with open(path, "wb") as file:
            file.write(data)

    return put


def _socket(path: str) -> None:
    here = os.getcwd()
    os.chdir(os.path.dirname(path))  # the name of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.basename(path))
    finally:
        os.chdir(here)


def _sparse(path: str) -> None:
    with open(path, "wb") as file:
        file.truncate(HUGE)


def _closed(path: str) -> None:
    _holds(b'{"v": 1}\n')(path)
    os.chmod(path, 0)


THINGS: dict[str, Callable[[str], None]] = {
    "a FIFO": os.mkfifo,
    "a folder": os.mkdir,
    "a socket": _socket,
    "a link to itself": lambda path: os.symlink(path, path),
    "a link to a device": lambda path: os.symlink("/dev/zero", path),
    "a link to nowhere": lambda path: os.symlink("/nowhere/at/all", path),
    "1.3 GB of nothing": _sparse,
    "no permission": _closed,
    "nothing in it": _holds(b""),
    "garbage": _holds(bytes(range(256)) * 64),
    "lists in lists": _holds(HEAD + b"[" * DEEP + b"]" * DEEP + b"}\n"),
    "objects in objects": _holds(HEAD + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}\n"),
    "numbers that are none": _holds(
        b'{"v":NaN,"session":"x","agent":"main","pid":Infinity,"sessionId":"x","seq":-Infinity,"type":"user",'
        b'"timestamp":NaN,"statusUpdatedAt":NaN,"members":NaN,"started":[NaN,Infinity]}\n'
    ),
    "a number of 9,000 digits": _holds(b'{"v":1,"session":"x","agent":"main","pid":' + b"9" * 9000 + b"}\n"),
    "half of a surrogate": _holds(
        b'{"v":1,"session":"\\ud800","agent":"\\udfff","pid":7,"sessionId":"\\ud800","cwd":"\\udc00/x","name":"\\ud800",'
        b'"type":"user","timestamp":"\\ud800","leadSessionId":"\\ud800","members":[{"name":"\\ud800"}]}\n'
    ),
    "half a line": _holds(b'{"v":1,"session":"9df7420c-3c33'),
    "wrong types": _holds(
        b'{"v":1,"session":["x"],"agent":{},"client":[1],"calls":[[]],"turn":"x","last":{"at":["a","b"]},"pid":"7",'
        b'"sessionId":7,"members":[1,null,"x",{"name":{}}],"type":["user"],"message":7,"timestamp":7}\n'
    ),
}
