"""A coding agent of any client, in a terminal of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self

from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.subject import Timed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import psutil

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
        self._process = _innermost(self._process)
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

    def _is_typed(self, words: str) -> bool:
        typed = self._kind.TYPED.replace("{}", re.escape(words))
        return re.search(typed, self.screen(), re.MULTILINE) is not None


def _innermost(process: psutil.Process) -> psutil.Process:
    """Some clients are a program that starts itself once more, with other options: the inner one is the agent."""
    children = [child for child in process.children() if child.name() == process.name()]
    return _innermost(children[0]) if children else process
