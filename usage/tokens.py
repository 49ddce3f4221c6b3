"""How many tokens, of which kind: the figures of one message, or the sum of many."""

from __future__ import annotations

from typing import NamedTuple


class Tokens(NamedTuple):
    messages: int = 0
    input: int = 0  # neither written to the cache nor read from it
    output: int = 0
    written: int = 0  # to the cache, for five minutes or an hour
    written_1h: int = 0  # of those, for an hour
    read: int = 0  # from the cache
    searches: int = 0  # of the web, which are paid by the piece

    @property
    def context(self) -> int:
        """Of one message: all that the model was given, new or from the cache."""
        return self.input + self.written + self.read

    def plus(self, other: Tokens, times: int = 1) -> Tokens:
        return Tokens(*(mine + times * its for mine, its in zip(self, other, strict=True)))

    def merged(self, other: Tokens) -> Tokens:
        """Of two records of the same message: figures grow while it streams, so the largest of each are the final ones.

        The order in which they are seen makes no difference.
        """
        return Tokens(*map(max, self, other))


NONE = Tokens()
