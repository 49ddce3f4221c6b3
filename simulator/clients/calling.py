"""What the agents of another client do in a turn: calls, the dialogs for them, and sub-agents.

What it tells of a step is up to each client's own class, see `simulator.clients.telling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.clients.calls import Answer, Running, beside
from simulator.clients.doubts import WHICH
from simulator.clients.telling import Telling
from simulator.dialog import Dialog
from simulator.outlet import EscapeError
from simulator.program import YES, Ask, Call
from simulator.stage import Signal

if TYPE_CHECKING:
    from collections.abc import Generator

    from simulator.clients.agent import Agent
    from simulator.dialog import Dialogs
    from simulator.program import Spawn
    from simulator.stage import Actor, Play
    from simulator.world import World


class Calling(Telling):
    in_background = False  # so its sub-agents go on
    world: World
    dialogs: Dialogs
    main: Agent
    subs: list[Agent]

    def play(self, play: Play) -> Actor:
        raise NotImplementedError

    def below(self, parent: Agent, name: str) -> Agent:
        """A new sub-agent."""
        raise NotImplementedError

    def call(self, running: Running) -> Play:
        if running.is_question:
            running.asks()
        yield from self.calls(running)
        yield from self.asked_for(running)
        yield from self.runs(running)

    def call_in_order(self, all_of_them: list[Running]) -> Play:
        """Nothing runs before everything is answered, and then one after the other."""
        which = self.world.truth.begin(WHICH, all_of_them[0].deal.key, self.world.now)
        for running in all_of_them:
            if running.is_question:
                running.asks()
            yield from self.calls(running)
        yield from beside(all_of_them[0].agent, [self.asked_for(running) for running in all_of_them])
        which.end = self.world.now
        self.all_answered(all_of_them)
        for running in all_of_them:
            if running.is_open:
                yield from self.runs(running)

    def asked_for(self, running: Running) -> Play:
        """Until a person has allowed it."""
        if running.move.ask:
            answer = yield from self.answer(running)
            if answer != YES:
                yield from self.is_refused(running)

    def answer(self, running: Running) -> Generator[float | Signal, Any, str]:
        running.asks()
        yield from self.asks(running)
        ask = self.ask_of(running) or Ask("")
        dialog = running.dialog = Dialog(running.agent, running.move.tool, ask, running.move.target)  # type: ignore[arg-type]
        self.dialogs.show(dialog)
        self.shows(running)
        answer: str = yield dialog.answered
        running.answered(answer)
        return answer

    def ask_of(self, running: Running) -> Ask | None:
        """How a person will answer."""
        return running.move.ask

    def is_refused(self, _running: Running) -> Play:
        """It ends the turn."""
        self.world.stage.after(0.0, lambda: self.main.throw(EscapeError(at_dialog=True)))
        yield Signal()

    def runs(self, running: Running) -> Play:
        yield from self.allowed(running)
        running.was_allowed = True
        if self.may_be_anothers(running):
            running.doubt = self.world.truth.begin(WHICH, running.deal.key, self.world.now)
        yield self.world.delay("command starts", running.id)
        if running.move.tool == "Bash":
            running.starts(self.shell(running.move.target))
            self.command_runs(running)
        yield running.move.takes
        running.stops()
        yield self.world.delay("result", running.id)
        running.ends()
        yield from self.ran(running)

    def may_be_anothers(self, running: Running) -> bool:
        """Whether nobody can say whose its command is: another agent asks for an equal one."""
        others = [one.move for agent in (self.main, *self.subs) if agent is not running.agent for one in agent.asking]
        return any((one.tool, one.target) == ("Bash", running.move.target) for one in others)

    def shell(self, command: str) -> tuple[str, ...]:
        return ("/bin/bash", "-c", command)

    # --- sub-agents

    def spawn(self, agent: Agent, move: Spawn) -> Play:
        running = Running(agent, Call("Agent", move.name, 0.0))
        self.said(agent, Answer((running,)))
        yield from self.calls(running)
        yield from self.allowed(running)
        running.was_allowed = True
        sub = self.below(agent, move.name)
        sub.is_in_turn, sub.turn = True, f"turn of {sub.key}"
        self.subs.append(sub)
        done = Signal()
        yield from self.sub_begins(sub, running)
        sub.actor = self.play(self._lives(sub, move, done))
        if not self.goes_on(move):
            yield done
        running.ends()
        yield from self.ran(running)
        self.took_in(agent, [running])

    def goes_on(self, _move: Spawn) -> bool:
        """Whether its parent does not wait for it."""
        return self.in_background

    def _lives(self, sub: Agent, move: Spawn, done: Signal) -> Play:
        try:
            yield from self.sub_prompted(sub)
            yield from sub.work(move.script)
            yield from self.sub_ends(sub)
        except EscapeError:
            if sub.is_over:
                return
            self.drop(sub)
            yield from self.sub_cut_off(sub)
        sub.is_in_turn, sub.is_over = False, True
        done.give("done")

    def drop(self, agent: Agent) -> list[Running]:
        """What an interruption takes along: the calls that were open."""
        below = [] if self.in_background else agent.company
        for sub in below:
            sub.end()
        agent.leave_calls()
        cut = [call for one in (*below, agent) for call in list(one.calls)]
        for call in cut:
            call.ends()
        return cut
