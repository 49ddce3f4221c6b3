"""Which transcript a message counts for, if it stands in several: in the one where it happened first.

A session that is forked, or resumed under another id, begins with a copy of the one before. The copies have the same
times, so it is the transcript that began first which counts; if that is not known either, the first by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from usage.message import earliest
from usage.tokens import NONE, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Key = tuple[int, int, int]  # transcript, quarter of an hour, model

QUARTER_MS = 900_000  # time zones differ by quarters of an hour: such sums make up local days everywhere
LATER = 1 << 62


class Sighting(NamedTuple):
    """A message in one transcript."""

    file: int
    began: int  # when the transcript did
    path: bytes
    at: int
    model: int
    tokens: Tokens

    def merged(self, other: Sighting) -> Sighting:
        """With another line of the same message."""
        return self._replace(at=earliest(self.at, other.at), tokens=self.tokens.merged(other.tokens))

    def rank(self) -> tuple[int, int, bytes]:
        return self.at or LATER, self.began or LATER, self.path


class Counted(NamedTuple):
    key: Key
    tokens: Tokens


def counted(sightings: Sequence[Sighting]) -> Counted | None:
    """Once, with its final figures. None if nobody has seen it."""
    if not sightings:
        return None
    first = min(sightings, key=Sighting.rank)
    tokens = first.tokens
    for one in sightings:
        tokens = tokens.merged(one.tokens)
    return Counted((first.file, first.at // QUARTER_MS, first.model), tokens)


def without(sightings: Sequence[Sighting], file: int) -> list[Sighting]:
    return [one for one in sightings if one.file != file]


def sums(changes: Iterable[tuple[Sequence[Sighting], Sequence[Sighting]]]) -> dict[Key, Tokens]:
    """What to add where, as messages were seen before and are seen now."""
    found: dict[Key, Tokens] = {}
    for before, now in changes:
        for what, times in ((counted(before), -1), (counted(now), 1)):
            if what:
                found[what.key] = found.get(what.key, NONE).plus(what.tokens, times)
    return found
