"""What a person does in a client's terminal: types, opens menus, interrupts, runs commands of the client's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import lines
from simulator.compaction import by_hand
from simulator.outlet import EscapeError
from simulator.program import ESCAPE

if TYPE_CHECKING:
    from simulator.client import Client
    from simulator.program import Move

TYPED_S = 0.8  # nobody types a prompt sooner


class Keyboard:
    def __init__(self, client: Client) -> None:
        self._client = client
        self.has_menu = self._menu_is_told = False  # of the client's own, such as /model
        self.is_compacting = self.is_at_command = False
        self._typed = float("-inf")  # when the last prompt was

    def prompt(self, script: tuple[Move, ...]) -> None:
        """Typed while a dialog is open it would be an answer: people do not do that."""
        self._typed = max(self._client.world.now, self._typed + TYPED_S)
        self._client.world.stage.at(self._typed, lambda: self._client.when_ready(lambda: self._enter(script)))

    def _enter(self, script: tuple[Move, ...]) -> None:
        if not self._client.dialogs.shown and self._client.speaks:
            self.close_menu()
            self._client.main.begin(script)

    def goal(self, script: tuple[Move, ...]) -> None:
        client = self._client
        is_free = not (client.main.is_busy or client.dialogs.shown or client.is_clearing or self.has_menu)
        if is_free and client.is_ready.word:
            client.main.set_goal(script)

    def open_menu(self) -> None:
        """What waits for the end of a turn waits for its end too: people do not let it.

        Nor while a hook of theirs may refuse a prompt, if another terminal has the session: nobody would tell of that.
        """
        client = self._client
        if client.main.is_in_turn and client.world.program.own.prompt_blocks:
            return
        is_free = not (client.dialogs.shown or client.main.has_next or client.is_clearing or self.is_compacting)
        if is_free and client.is_ready.word and not self.has_menu:
            self.has_menu, self._menu_is_told = True, not client.main.is_busy

    def close_menu(self) -> None:
        """One that was opened in mid-turn leaves no line."""
        if self.has_menu and self._menu_is_told:
            self._client.main.line(lines.local("/model"))
            self._client.main.line(lines.local("Kept model"))
        self.has_menu = False

    def escape(self) -> None:
        if self._client.dialogs.shown:
            self._client.dialogs.shown.answered.give(ESCAPE)
        elif self.has_menu:
            self.close_menu()
        elif self._client.main.is_in_turn:
            self._client.main.throw(EscapeError())

    def background(self) -> None:
        """Ctrl-B."""
        self._client.main.move_to_background()

    def local(self) -> None:
        """A command of the client's own, and a title that comes later; one at a time."""
        if self.is_compacting or self.has_menu:
            return
        for record in (lines.local("/rename"), lines.local("Renamed"), lines.reminder("its name"), lines.title()):
            self._client.main.line(record)
        if not self._client.entry.has_rested(TYPED_S):
            return
        self.is_at_command = True
        takes = self._client.world.delay("local command", str(self._client.world.number("local")))
        self._client.world.stage.after(takes, self._command_ends)

    def _command_ends(self) -> None:
        self.is_at_command = False

    def compact(self, how: str, takes: float) -> None:
        self._client.when_ready(lambda: self._compact(how, takes))

    def _compact(self, how: str, takes: float) -> None:
        client = self._client
        if client.speaks and not (client.main.is_busy or client.dialogs.shown or self.has_menu):
            self.is_compacting = True
            client.main.run(by_hand(client, how, takes))
