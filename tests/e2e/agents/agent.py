"""A coding agent of any client, in a terminal of its own."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Self

import psutil

from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.subject import Timed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from e2e.agents.clients import Kind
    from e2e.harness.place import Place
    from e2e.harness.subject import Moments


class Agent(Timed):
    def __init__(
        self, kind: Kind, moments: Moments, argv: list[str], place: Place, environment: Mapping[str, str]
    ) -> None:
        self._kind, self._moments = kind, moments
        super().__init__(argv, place.project, environment)

    def starts(self, shown: str) -> Self:
        """Wait until it does; the screen shows this then."""
        self.ready(shown)
        try:
            self._process = _inner(self._process, self._kind.PROCESS)
        except BaseException:
            self.close()
            raise
        self.pid = self._process.pid
        return self

    def say(self, words: str) -> None:
        """Type a prompt and send it."""
        self.terminal.type(words)
        # Keys that come in one gulp with the text are part of the text: first see it, then press Enter.
        until(lambda: self._is_typed(words), PATIENCE_S, lambda: f"{words!r} was not typed:\n{self.screen()}")
        self._press_until(lambda: not self._is_typed(words), "Enter")

    def wait_for_request(self) -> None:
        self.wait(self._kind.ASKS)

    def answer(self, *keys: str) -> None:
        """Answer the dialog that asks for an approval: Enter approves, Escape rejects."""
        self.wait_for_request()
        self._press_until(lambda: re.search(self._kind.ASKS, self.screen()) is None, *keys)

    def press_until_shown(self, pattern: str, *keys: str) -> None:
        """A dialog that has just been drawn may not hear the first key."""
        self._press_until(lambda: re.search(pattern, self.screen()) is not None, *keys)

    def _is_typed(self, words: str) -> bool:
        typed = self._kind.TYPED.replace("{}", re.escape(words))
        return re.search(typed, self.screen(), re.MULTILINE) is not None


def _inner(process: psutil.Process, name: str) -> psutil.Process:
    """The agent: of this name where a launcher has started it, else the program itself, or its first child.

    Some clients are a program that starts itself once more, with other options, before it does anything else. What it
    starts later may bear its name for a moment, and be gone in the next.
    """
    wanted, found = name or process.name(), []
    for child in process.children():
        with contextlib.suppress(psutil.NoSuchProcess):
            found += [(child.create_time(), child)] if child.name() == wanted else []
    return min(found, key=lambda pair: pair[0])[1] if found else process
