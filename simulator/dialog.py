"""What a client asks a person: one dialog at a time, the others wait behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simulator.stage import Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.agent import Agent
    from simulator.program import Ask
    from simulator.stage import Gate, Stage

NOTIFIED_S = 6.0  # how late the client repeats a request as a notification
BY_HOOK = "hook: "


@dataclass(eq=False)
class Dialog:
    agent: Agent
    tool: str
    ask: Ask
    target: str = ""
    answered: Signal = field(default_factory=Signal)
    opened: Signal = field(default_factory=Signal)


class Dialogs:
    def __init__(self, stage: Stage, gate: Gate, notify: Callable[[Dialog], None]) -> None:
        self._stage, self._gate, self._notify = stage, gate, notify
        self._all: list[Dialog] = []

    @property
    def shown(self) -> Dialog | None:
        return self._all[0] if self._all else None

    def has_equal(self, tool: str, target: str) -> bool:
        """Whether another one asks for the same."""
        return any((dialog.tool, dialog.target) == (tool, target) for dialog in self._all)

    def show(self, dialog: Dialog) -> None:
        if dialog.answered.word is None:
            self._all.append(dialog)
            dialog.answered.wait(lambda _: self._is_answered(dialog))
            self._look()

    def _look(self) -> None:
        dialog = self.shown
        if dialog is None or dialog.opened.word:
            return
        dialog.opened.give("opened")
        if dialog.ask.answer:
            self._stage.after(dialog.ask.after, lambda: self._gate.pass_(lambda: self._answer(dialog)))
        self._stage.after(NOTIFIED_S, lambda: self._notify(dialog) if dialog is self.shown else None)

    def _answer(self, dialog: Dialog) -> None:
        dialog.answered.give(dialog.ask.answer)

    def _is_answered(self, dialog: Dialog) -> None:
        self._all.remove(dialog)
        self._look()
