"""The one expected error of this package."""

from __future__ import annotations

COULD_NOT, REFUSED = 1, 3


class Refusal(Exception):  # noqa: N818 - an expected outcome
    """What is wrong, and what to do; nothing was changed."""

    def __init__(self, trouble: str, remedy: str, code: int = COULD_NOT) -> None:
        super().__init__(f"{trouble}\n  {remedy}")
        self.trouble = trouble
        self.remedy = remedy
        self.code = code
