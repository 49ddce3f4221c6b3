"""What keeps installed hooks from working, and what the user can do."""

from __future__ import annotations

from typing import NamedTuple


class Caveat(NamedTuple):
    what: str
    remedy: str
    is_step: bool = False
    """Whether nothing is wrong, and it is a step that only the user can do."""

    @property
    def words(self) -> str:
        return f"{'To do' if self.is_step else 'Warning'}: {self.what}. {self.remedy}"
