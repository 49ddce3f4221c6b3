"""One event of a streamed answer, and what all wire formats cut and count alike."""

from __future__ import annotations

import json
import re
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Event(NamedTuple):
    """One server-sent event, and whether the stream may rest before it."""

    data: dict[str, Any] | str
    rest_before: bool = False
    name: str = ""  # '' in formats whose events have none

    def encoded(self) -> bytes:
        data = self.data if isinstance(self.data, str) else json.dumps(self.data)
        return (f"event: {self.name}\n" if self.name else "").encode() + f"data: {data}\n\n".encode()


def words_of(text: str) -> Iterator[tuple[str, bool]]:
    """Each with the white space after it, and whether the stream may rest before it."""
    for number, word in enumerate(found for found in re.findall(r"\S*\s*", text) if found):
        yield word, number > 0


def made_up_id(kind: str) -> str:
    return f"{kind}{uuid.uuid4().hex[:24]}"
