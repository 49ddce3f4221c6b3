"""What shows notifications to the person, as the notifier sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from statusbar.notifications import buttons

if TYPE_CHECKING:
    from collections.abc import Iterable

    from answers.request import Request
    from statusbar.notifications.rules import Notice

    Sound = bool | str  # on or off, or the name of a sound


@dataclass(eq=False)
class Shown:
    """One notification on the screen; its words may change while it is there."""

    notice: Notice
    request: Request | None = None  # that it is about, if that can be answered from here

    @property
    def told(self) -> Notice:
        """With the whole of the request, and its answers."""
        return buttons.with_answers(self.notice, self.request) if self.request else self.notice


class What(Enum):
    IS_SHOWN = "is shown"
    CLICKED = "was clicked"
    CLOSED = "is gone: the person dismissed it, or its time was over"
    FAILED = "could not be shown"


class Happened(NamedTuple):
    what: What
    shown: Shown
    words: str = ""  # more about it, for the person; of a click, the button


class Screen(Protocol):
    """No call blocks for longer than it takes to start a program."""

    def show(self, shown: Shown, *, sound: Sound) -> bool:
        """False if it is certain at once that it cannot be shown; if that turns out later, `read` tells."""

    def replace(self, shown: Shown) -> None:
        """Its words have changed: show them in the same place, quietly."""

    def withdraw(self, shown: Shown) -> None: ...

    def descriptors(self) -> list[int]:
        """`read` has news when one of these can be read."""

    def read(self, ready: Iterable[int]) -> list[Happened]: ...

    def close(self, patience_s: float) -> None:
        """Finish what was asked, for so long at most."""


class NoScreen:
    """Where nothing shows notifications."""

    def show(self, _shown: Shown, *, sound: Sound) -> bool:  # noqa: ARG002 - as every screen
        return False

    def replace(self, shown: Shown) -> None: ...

    def withdraw(self, shown: Shown) -> None: ...

    def descriptors(self) -> list[int]:
        return []

    def read(self, _ready: Iterable[int]) -> list[Happened]:
        return []

    def close(self, patience_s: float) -> None: ...
