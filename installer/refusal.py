"""The one expected error of this room."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - nothing went wrong: we decline, and say what to do
    """What is in the way, and the remedy; nothing was changed."""

    def __init__(self, trouble: str, remedy: str) -> None:
        super().__init__(f"{trouble}\n  {remedy}")
        self.trouble = trouble
        self.remedy = remedy
