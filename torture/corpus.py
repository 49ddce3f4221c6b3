"""The inputs that fuzzing begins with: `corpus/<decoder>.txt`, one after the other with a line of ===== between.

They are what clients and hooks really wrote, cut down. What once broke a decoder is added there.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
BETWEEN = b"\n=====\n"
MOST = 1 << 16
ODD = (
    b"", b"null", b"true", b"-1", b"0", b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 400, b"9" * 5000, b'""',
    b"{}", b"[]", b"[" * 1200, b'{"a":' * 1200, b'"\\ud800"', b'"\\udc00\\ud800"', b"\xff\xfe", b"\0", b"\n", b"\r\n",
    b"\xef\xbb\xbf", b"\xe2\x80\xae", b'"', b"\\", b"=", b"#", b"[x]", b"%", b"'", b",", b":", b" ", b"*/5", b"1-99",
    b'"hooks":{"Stop":[{"hooks":[]}]}', b'"v":1', b"2026-13-99T99:99:99Z", b"9999-12-31T23:59:59+23:59",
    b"0001-01-01T00:00:00+14:00",
)  # fmt: skip


def inputs(name: str) -> list[bytes]:
    with open(f"{FOLDER}/{name}.txt", "rb") as file:
        return file.read().removesuffix(b"\n").split(BETWEEN)


def mutated(name: str, seed: int, number: int) -> Iterator[bytes]:
    """All of them as they are, then so many changes."""
    known = inputs(name)
    yield from known
    chance = Random(f"{name} {seed}")  # noqa: S311 - the same every time is what is wanted
    for _ in range(number):
        data = chance.choice(known)
        for _ in range(chance.randint(1, 4)):
            data = _changed(data, known, chance)
        yield data[:MOST]


def _changed(data: bytes, known: list[bytes], chance: Random) -> bytes:
    one, other = sorted(chance.randint(0, len(data)) for _ in range(2))
    ways = (
        lambda: data[:one],
        lambda: data[:one] + data[other:],
        lambda: data[:other] + data[one:],
        lambda: data[:one] + bytes([chance.randint(0, 255)]) + data[one + 1 :],
        lambda: data[:one] + chance.choice(ODD) + data[one:],
        lambda: _odd_value(data, chance),
        lambda: data[:one] + chance.choice(known)[-chance.randint(1, 200) :],
    )
    return chance.choice(ways)()


def _odd_value(data: bytes, chance: Random) -> bytes:
    """What stands behind a colon or an equals sign becomes something else."""
    marks = [at for at, byte in enumerate(data) if byte in b":="]
    if not marks:
        return data + chance.choice(ODD)
    at = chance.choice(marks) + 1
    ends = [end for end in (data.find(mark, at) for mark in (b",", b"}", b"\n")) if end > 0]
    return data[:at] + chance.choice(ODD) + data[min(ends, default=len(data)) :]
