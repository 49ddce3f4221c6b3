"""One answer of a model as one line of a transcript tells of it, in our own words."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from usage.tokens import Tokens

NEVER = 0  # when the time is not known
EARLIEST, LATEST = 946_684_800_000, 4_102_444_800_000  # the years 2000 to 2100: any other time is a mistake


class Message(NamedTuple):
    digest: int
    at: int  # milliseconds since 1970, or NEVER
    model: str
    tokens: Tokens

    def merged(self, other: Message) -> Message:
        """Another record of the same message, in any order. It counts for the time of its oldest line."""
        return self._replace(at=earliest(self.at, other.at), tokens=self.tokens.merged(other.tokens))


class Opening(NamedTuple):
    """What the first lines of a transcript tell of it."""

    began: int = NEVER
    folder: str = ""


def earliest(one: int, other: int) -> int:
    return min(one or other, other or one)


def digest(*names: str) -> int:
    """64 bits, as an integer of SQLite's. Two of a million messages have the same by a chance of 1 in 37 million."""
    whole = "\0".join(names).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(whole, digest_size=8).digest(), "big", signed=True)
