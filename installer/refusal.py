"""The one expected error of this package."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - an expected outcome
    """What is wrong, and what to do; nothing was changed."""

    def __init__(self, trouble: str, remedy: str) -> None:
        super().__init__(f"{trouble}\n  {remedy}")
        self.trouble = trouble
        self.remedy = remedy
