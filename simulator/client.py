"""A client: one process with a session, its agents, the dialogs it shows and what it says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from simulator.dialog import Dialog, Dialogs
from simulator.mainagent import MainAgent
from simulator.outlet import EscapeError, Outlet, shell
from simulator.program import NO
from simulator.stage import Actor, Gate
from simulator.subagent import SubAgent
from simulator.truth import Episode

if TYPE_CHECKING:
    from simulator.agent import Agent
    from simulator.lines import Record
    from simulator.program import Move, Spawn
    from simulator.stage import Play
    from simulator.truth import Key
    from simulator.world import World

KILLED = "killed"
DUST_S = 0.001


class Client:
    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.pid = world.pid()
        self.began = world.now
        self.session = str(UUID(int=(world.program.seed << 32) + world.number("session"), version=4))
        self.outlet, self.gate = Outlet(world, self.pid), Gate()
        self.subs: list[SubAgent] = []
        self.main = MainAgent(self)
        self.dialogs = Dialogs(world.stage, self._notify)
        self.is_alive, self.has_begun = True, False
        self._told = self._due = ("", "")
        self._registry_at = 0.0
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
        if not self.dialogs.shown and not self.main.is_in_turn:
            self.main.begin(script)

    def escape(self) -> None:
        if self.dialogs.shown:
            self.dialogs.shown.answered.give(NO)
        elif self.main.is_in_turn:
            self.main.throw(EscapeError())

    def kill(self) -> None:
        """As SIGKILL does it: nothing more is said, and the registry's file stays."""
        self.is_alive = False
        self.world.truth.episodes.append(Episode(KILLED, (self.session, ""), self.world.now, float("inf")))
        for actor in self._actors:
            actor.end()
        self.outlet.ends(self.pid)

    # --- dialogs

    def show(self, dialog: Dialog) -> None:
        if self.is_alive:
            self.dialogs.show(dialog)

    def _notify(self, _: Dialog) -> None:
        if self.is_alive:
            more = {"message": "Claude needs your permission", "notification_type": "permission_prompt"}
            self.outlet.async_hook(self.payload("Notification", **more))

    # --- agents

    @property
    def agents(self) -> dict[str, Agent]:
        return {agent.key: agent for agent in (self.main, *self.subs)}

    def spawn(self, parent: Agent, move: Spawn, call_id: str) -> SubAgent:
        sub = SubAgent(self, parent, move, call_id)
        self.subs.append(sub)
        sub.live()
        return sub

    @property
    def tasks(self) -> list[Record]:
        """What runs in the background, as the client lists it when an agent stops."""
        return [sub.task for sub in self.subs if sub.is_listed]

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
        """What its status is when the dust has settled: what lasts no time at all is never written."""
        if (self.is_alive and self.has_begun) and self.status() != self._due:
            self._due = self.status()
            self.world.stage.after(DUST_S, self._change_registry)

    def _change_registry(self) -> None:
        if self.is_alive and (status := self.status()) != self._told:
            self._told = status
            delay = self.world.delay("registry", str(self.world.number("registry")))
            self._registry_at = max(self._registry_at + DUST_S, self.world.now + delay)
            self.world.stage.at(self._registry_at, lambda: self._write_registry(status))

    def _write_registry(self, status: tuple[str, str]) -> None:
        if not self.is_alive:
            return
        wall = self.world.wall
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
        if self.dialogs.shown:
            is_question = self.dialogs.shown.tool == "AskUserQuestion"
            return "waiting", "input needed" if is_question else "permission prompt"
        others = any(agent.is_busy for agent in self.agents.values())
        return ("busy", "") if others else ("idle", "")

    def states(self) -> dict[Key, str]:
        if not (self.is_alive and self.has_begun):
            return {}
        return {agent.truth_key: agent.state for agent in self.agents.values()}
