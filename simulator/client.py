"""A client: one process with a session, its agents, the dialogs it shows and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from simulator.agent import Agent
from simulator.outlet import EscapeError, Outlet, shell
from simulator.program import NO
from simulator.stage import Actor, Gate, Signal
from simulator.truth import OVER

if TYPE_CHECKING:
    from simulator.lines import Record
    from simulator.program import Ask, Move
    from simulator.stage import Play
    from simulator.truth import Key
    from simulator.world import World

NOTIFIED_S = 6.0  # how late the client repeats a request as a notification


@dataclass
class Dialog:
    agent: Agent
    tool: str
    ask: Ask
    answered: Signal = field(default_factory=Signal)


class Client:
    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.pid = world.pid()
        self.began = world.now
        self.session = str(UUID(int=(world.program.seed << 32) + world.number("session"), version=4))
        self.outlet, self.gate = Outlet(world, self.pid), Gate()
        self.main = Agent(self, "main")
        self.agents: dict[str, Agent] = {"main": self.main}
        self.dialogs: list[Dialog] = []
        self.is_alive, self.has_begun = True, False
        self._told = self._due = ("", "")
        self._actors: list[Actor] = []

    @property
    def project(self) -> str:
        return f"{self.world.config}/projects/-home-me-proj"

    def play(self, play: Play) -> Actor:
        self._actors = [actor for actor in self._actors if not actor.is_over]
        actor = Actor(self.world.stage, play, self.gate)
        self._actors.append(actor)
        return actor

    # --- what a person does

    def start(self, source: str = "startup") -> None:
        self.outlet.begins(self.pid, 1, ("claude", "--model", "opus"))
        self.has_begun = True
        self.play(self.outlet.hook(self.payload("SessionStart", source=source)))

    def prompt(self, script: tuple[Move, ...]) -> None:
        """Typed while a dialog is open it would be an answer: people do not do that."""
        if self.is_alive and not self.dialogs and not self.main.is_in_turn:
            self.main.begin(script)

    def escape(self) -> None:
        if self.dialogs:
            self.dialogs[0].answered.give(NO)
        elif self.main.is_in_turn:
            self.main.throw(EscapeError())

    def kill(self) -> None:
        """As SIGKILL does it: nothing more is said, and the registry's file stays."""
        self.is_alive = False
        for actor in self._actors:
            actor.end()
        self.outlet.ends(self.pid)

    # --- dialogs

    def show(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog)
        if self.dialogs[0] is dialog:
            self._is_shown(dialog)

    def _is_shown(self, dialog: Dialog) -> None:
        stage = self.world.stage
        if dialog.ask.answer:
            stage.after(dialog.ask.after, lambda: self._answer(dialog))
        stage.after(NOTIFIED_S, lambda: self._notify(dialog))
        dialog.answered.wait(lambda _: self._is_answered(dialog))

    def _answer(self, dialog: Dialog) -> None:
        if self.is_alive:
            self.gate.pass_(lambda: dialog.answered.give(dialog.ask.answer))

    def _is_answered(self, dialog: Dialog) -> None:
        self.dialogs.remove(dialog)
        if self.dialogs:
            self._is_shown(self.dialogs[0])

    def _notify(self, dialog: Dialog) -> None:
        if self.is_alive and dialog in self.dialogs:
            more = {"message": "Claude needs your permission", "notification_type": "permission_prompt"}
            self.outlet.async_hook(self.payload("Notification", **more))

    # --- commands

    def command(self, text: str) -> int:
        pid = self.world.pid()
        self.outlet.begins(pid, self.pid, shell(text))
        return pid

    # --- what it says of itself

    def payload(self, event: str, **more: object) -> Record:
        base = {"session_id": self.session, "transcript_path": self.main.path, "cwd": "/home/me/proj"}
        return {**base, "hook_event_name": event, **more}

    def tell_registry(self) -> None:
        """A moment after its status has changed; what lasts no longer than that is never written."""
        if (self.is_alive and self.has_begun) and (status := self.status()) != self._due:
            self._due = status
            delay = self.world.delay("registry", str(self.world.number("registry")))
            self.world.stage.after(delay, self._write_registry)

    def _write_registry(self) -> None:
        status = self.status()
        if not self.is_alive or status == self._told:
            return
        self._told, wall = status, self.world.wall
        entry = {
            "pid": self.pid,
            "sessionId": self.session,
            "cwd": "/home/me/proj",
            "startedAt": int(wall(self.began) * 1000),
            "procStart": str(round(self.world.tick(self.began) * 100)),
            "version": "2.1.325",
            "kind": "interactive",
            "entrypoint": "cli",
            "name": f"proj-{self.name}",
            "status": status[0],
            "statusUpdatedAt": int(wall(self.world.now) * 1000),
        }
        self.outlet.registry({**entry, **({"waitingFor": status[1]} if status[1] else {})})

    def status(self) -> tuple[str, str]:
        if self.dialogs:
            is_question = self.dialogs[0].tool == "AskUserQuestion"
            return "waiting", "input needed" if is_question else "permission prompt"
        others = any(agent.is_busy for agent in self.agents.values())
        return ("busy", "") if others else ("idle", "")

    def states(self) -> dict[Key, str]:
        if not (self.is_alive and self.has_begun):
            return {}
        return {(self.session, key): agent.state for key, agent in self.agents.items() if agent.state != OVER or key}
