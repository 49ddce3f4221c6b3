"""Whoever sits at the terminals of another client: what each deed means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.clients import model

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.clients.terminal import Terminal
    from simulator.program import Deed
    from simulator.world import World


class People:
    def __init__(self, world: World) -> None:
        self._world, self._model = world, model(world.program.client)
        self._terminals: dict[str, Terminal] = {}

    def do(self, deed: Deed) -> None:
        if deed.do in ("start", "resume"):
            self._begin(deed)
        elif (terminal := self._terminals.get(deed.session)) and terminal.speaks:
            deeds(terminal, deed)[deed.do]()

    def _begin(self, deed: Deed) -> None:
        """A session is resumed when its process is gone."""
        before = self._terminals.get(deed.word)
        if deed.do == "resume" and (before is None or not self._may_resume(before)):
            return
        terminal = self._model(self._world, deed.session, before.session if before else "")
        self._terminals[deed.session] = terminal
        self._world.clients.append(terminal)
        terminal.start("resume" if before else "startup")

    def _may_resume(self, before: Terminal) -> bool:
        alive = {terminal.session for terminal in self._terminals.values() if terminal.is_alive}
        return before.is_told and not before.is_at_work and before.session not in alive


def deeds(terminal: Terminal, deed: Deed) -> dict[str, Callable[[], None]]:
    return {
        "prompt": lambda: terminal.prompt(deed.script),
        "escape": terminal.escape,
        "kill": terminal.kill,
        "exit": terminal.exit,
        "clear": terminal.clear,
        "compact": lambda: terminal.compact(deed.takes),
    }
