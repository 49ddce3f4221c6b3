"""Virtual time: what is to happen when, and actors whose lines are generators."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    Play = Generator["float | Signal", Any, None]


MOST = 20_000  # events of one program


class Stage:
    def __init__(self) -> None:
        self.now = 0.0
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._count = count()

    def at(self, when: float, do: Callable[[], None]) -> None:
        heappush(self._agenda, (max(when, self.now), next(self._count), do))

    def after(self, delay: float, do: Callable[[], None]) -> None:
        self.at(self.now + delay, do)

    def run(self, each: Callable[[], None]) -> None:
        """Until nothing is left to happen; `each` is called after every event."""
        for _ in range(MOST):
            if not self._agenda:
                return
            self.now, _, do = heappop(self._agenda)
            do()
            each()
        raise RuntimeError("a program without an end")


class Signal:
    """Something that actors wait for; it comes once, with a word."""

    def __init__(self) -> None:
        self.word: str | None = None
        self._waiting: list[Callable[[str], None]] = []

    def wait(self, do: Callable[[str], None]) -> None:
        if self.word is None:
            self._waiting.append(do)
        else:
            do(self.word)

    def give(self, word: str) -> None:
        if self.word is None:
            self.word = word
            for do in self._waiting:
                do(word)


class Gate:
    """Holds all actors of a process while it is stopped."""

    def __init__(self) -> None:
        self.is_open = True
        self._held: list[Callable[[], None]] = []

    def pass_(self, do: Callable[[], None]) -> None:
        do() if self.is_open else self._held.append(do)

    def open(self) -> None:
        self.is_open = True

    def release(self) -> None:
        """A process that goes on does not do everything in the same instant: this comes a moment later."""
        held, self._held = self._held, []
        for do in held:
            self.pass_(do)


class Actor:
    """Plays a generator: a number it yields is a pause, a signal is waited for."""

    def __init__(self, stage: Stage, play: Play, gate: Gate) -> None:
        self._stage, self._play, self._gate = stage, play, gate
        self._ticket = 0
        self.is_over = False
        self._go_on(None)

    def _go_on(self, word: Any) -> None:
        self._step(lambda: self._play.send(word))

    def throw(self, error: Exception) -> None:
        """Interrupt it, whatever it waits for."""
        if not self.is_over:
            self._step(lambda: self._play.throw(error))

    def end(self) -> None:
        self.is_over = True
        self._play.close()

    def _step(self, advance: Callable[[], float | Signal]) -> None:
        self._ticket += 1
        try:
            wish = advance()
        except StopIteration:
            self.is_over = True
            return
        ticket = self._ticket
        if isinstance(wish, Signal):
            wish.wait(lambda word: self._soon(0.0, ticket, word))
        else:
            self._soon(wish, ticket, None)

    def _soon(self, delay: float, ticket: int, word: Any) -> None:
        self._stage.after(delay, lambda: self._gate.pass_(lambda: self._resume(ticket, word)))

    def _resume(self, ticket: int, word: Any) -> None:
        """Nothing, if it was interrupted meanwhile."""
        if ticket == self._ticket and not self.is_over:
            self._go_on(word)
