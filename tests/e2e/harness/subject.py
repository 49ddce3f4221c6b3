"""A client whose every key, and all that is seen of it, is a moment to measure from."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from e2e.harness.client import Client
from e2e.harness.driven import Driven
from e2e.harness.patience import PATIENCE_S, until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from e2e.harness.home import Home


class Moments:
    """When the test last did something, and when it saw what came of it."""

    def __init__(self, before: Callable[[], None]) -> None:
        self._before = before  # to be called before something changes
        self.acted = self.last = 0.0

    def acts(self) -> None:
        self._before()
        self.acted = self.last = time.time()

    def sees(self, at: float | None = None) -> None:
        """`at` is when it began, where that is known."""
        self.last = max(self.last, at or time.time())


class Timed(Driven):
    """Who is made of it sets `_moments` first."""

    _moments: Moments

    def key(self, *keys: str) -> None:
        self._moments.acts()
        super().key(*keys)

    def kill9(self) -> None:
        self._moments.acts()
        super().kill9()

    def hang_up(self) -> None:
        self._moments.acts()
        super().hang_up()
        self._moments.sees()

    def wait(self, pattern: str, seconds: float = PATIENCE_S) -> None:
        super().wait(pattern, seconds)
        self._moments.sees()


class Subject(Timed, Client):
    def __init__(
        self, moments: Moments, program: str | Sequence[str], api_url: str, home: Home, *args: str, **more: Any
    ) -> None:
        self._moments = moments
        super().__init__(program, api_url, home, *args, **more)

    def wait_for_dialog(self, words: str = "", seconds: float = PATIENCE_S) -> None:
        super().wait_for_dialog(words, seconds)
        self._moments.sees(self._said("waiting"))

    def wait_for_status(self, status: str, seconds: float = PATIENCE_S) -> None:
        """Said after the last key: what it was before does not count."""

        def said() -> bool:
            return (self._said(status) or 0.0) > self._moments.acted

        until(said, seconds, lambda: f"never {status}: {self.registry()}\n{self.screen()}")
        self._moments.sees(self._said(status))

    def _said(self, status: str) -> float | None:
        """When the client itself took note of it: before it drew anything."""
        found = self.registry()
        return found["statusUpdatedAt"] / 1000 if found.get("status") == status else None
