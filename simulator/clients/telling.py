"""What a client tells of each step: nothing here; each client's own class says what that one does.

What is a play is waited for, as the client waits for its hooks there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Answer, Cut, Running
    from simulator.stage import Play


class Telling:
    def begins(self, _source: str) -> Play:
        yield from ()

    def clears(self) -> Play:
        """Before it has another session."""
        yield from ()

    def leaves(self) -> Play:
        yield from ()

    def prompted(self, _agent: Agent) -> Play:
        yield from ()

    def asks_model_again(self, _agent: Agent) -> Play:
        yield from ()

    def said(self, agent: Agent, answer: Answer) -> None:
        """The model has answered."""

    def calls(self, _running: Running) -> Play:
        """Before anybody is asked for it."""
        yield from ()

    def asks(self, _running: Running) -> Play:
        yield from ()

    def shows(self, running: Running) -> None:
        """Its dialog, perhaps behind others."""

    def all_answered(self, calls: list[Running]) -> None:
        """Of a client that runs nothing before."""

    def allowed(self, _running: Running) -> Play:
        """By a person, or nobody had to be asked."""
        yield from ()

    def command_runs(self, running: Running) -> None:
        """It can be seen among its processes."""

    def ran(self, _running: Running) -> Play:
        yield from ()

    def took_in(self, agent: Agent, calls: list[Running]) -> None:
        """The results of these calls go to the model."""

    def turn_ends(self, _agent: Agent) -> Play:
        yield from ()

    def fails(self, _agent: Agent, _error: str) -> Play:
        yield from ()

    def winds_up(self, _calls: list[Running]) -> Play:
        """A turn that a refusal ends."""
        yield from ()

    def cut_off(self, _agent: Agent, _cut: Cut) -> Play:
        yield from ()

    def sub_begins(self, _sub: Agent, _running: Running) -> Play:
        yield from ()

    def sub_prompted(self, _sub: Agent) -> Play:
        yield from ()

    def sub_ends(self, _sub: Agent) -> Play:
        yield from ()

    def sub_cut_off(self, _sub: Agent) -> Play:
        yield from ()
