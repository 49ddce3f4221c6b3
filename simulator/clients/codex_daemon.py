"""Codex with its daemon: the agents live there, and outlive the terminals that show them.

What a visit to the daemon would be told is told whenever it changes. Hooks and commands are the daemon's children.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from simulator.clients.codex import Codex
from simulator.clients.doubts import HIDDEN, LEFT
from simulator.clients.terminal import FOLDER
from simulator.observation import BOOT, Threads
from simulator.program import Ask
from simulator.running import WHOSE, WHOSE_S
from simulator.stage import Signal
from simulator.truth import FAILED, WAITING, Episode

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Running
    from simulator.lines import Record
    from simulator.stage import Play
    from simulator.truth import Key
    from simulator.world import World

SERVES = ("/usr/local/bin/codex", "app-server", "--listen", "unix://", "--managed-daemon")
OTHER_FOLDER = "/home/me/other"
TITLE_MAKER: Record = {"id": "title", "ephemeral": True, "status": {"type": "idle"}, "cwd": FOLDER}


class Daemon:
    def __init__(self, world: World) -> None:
        self._world = world
        self.pid = world.pid()
        self.is_running = False
        self._told: tuple[Record, ...] = ()
        self._told_at = 0.0

    def start(self, terminal: CodexDaemon) -> None:
        """By the first terminal."""
        if self.is_running:
            return
        self.is_running = True
        terminal.voice.begins(self.pid, 1, SERVES, FOLDER)
        identity = {"startTicks": round((BOOT + self._world.now) * 100)}
        about = json.dumps({"pid": self.pid, "processIdentity": identity}).encode()
        terminal.voice.replace(f"{terminal.home}/.codex/app-server-daemon/daemon.pid", about)

    def tell(self, threads: list[Record]) -> None:
        """A moment after they have changed, and in order."""
        told = (*threads, TITLE_MAKER)
        if told == self._told:
            return
        self._told, world = told, self._world
        delay = world.delay("thread tells", str(world.number("threads")))
        self._told_at = max(self._told_at, world.now + delay)
        world.stage.at(self._told_at, lambda: world.show(Threads(world.now, told)))


class CodexDaemon(Codex):
    program = ("/usr/local/bin/codex",)
    tells_start = tells_clear = True
    is_dated_by_files = True
    told_otherwise = ("PostToolUse", "Interrupt", "Stop")

    def __init__(self, world: World, name: str, session: str = "") -> None:
        others = [one for one in world.clients if isinstance(one, CodexDaemon)]
        self.daemon: Daemon = others[0].daemon if others else Daemon(world)
        self.has_terminal, self.is_replaced = True, False
        self._left_threads: list[Record] = []  # of sessions before
        for other in others:
            other.is_replaced = other.is_replaced or other.session == session
        if name == "b" and world.program.seed % 2:
            self.folder = OTHER_FOLDER
        super().__init__(world, name, session)

    @property
    def host_pid(self) -> int:
        return self.daemon.pid

    # --- its life

    def start(self, source: str) -> None:
        self.daemon.start(self)
        argv = (*self.program, "resume", self.session) if source == "resume" else self.program
        self.voice.begins(self.pid, 1, argv, self.folder)
        if any(other.has_left for other in self._neighbours):
            self.may_be_hidden()
        self.play(self._started(source))

    @property
    def has_left(self) -> bool:
        """A thread that no terminal shows."""
        return not self.has_terminal or bool(self._left_threads)

    def begins(self, source: str) -> Play:
        yield from super().begins(source)
        self._is_loaded = True
        self.voice.replace(f"{self.home}/.codex/thread-writer-locks/{self.session}.lock", b"")

    _is_loaded = False

    def kill(self) -> None:
        """Only the terminal ends: nobody answers what is asked from now on, and what was asked before."""
        self.has_terminal = self.speaks = self.is_alive = False
        for call in (call for agent in self.agents.values() for call in agent.calls):
            if call.dialog:
                call.dialog.answered = Signal()
        self.voice.ends(self.pid)
        self._may_seem_open()
        # What it was told to do a moment ago the daemon has not been asked for yet.
        self.world.truth.episodes.append(Episode(HIDDEN, (self.label, ""), self.world.now, self.world.now))

    def rests(self, agent: Agent, why: str) -> None:
        """Since when is told no better than the time between two visits."""
        super().rests(agent, why)
        agent.ended_at = 0.0

    def exit(self) -> None:
        if not self.is_at_work:
            self.kill()

    def clears(self) -> Play:
        """The thread stays loaded, and no terminal shows it."""
        self._left_threads.append(self._thread(self.main))
        self._may_seem_open()
        yield from ()

    def _may_seem_open(self) -> None:
        """Where another terminal is in the same folder it might show the thread, and not its own."""
        self.world.truth.begin(LEFT, (self.label, ""), self.world.now, "daemon")
        for other in self._neighbours:
            other.may_be_hidden()

    @property
    def _neighbours(self) -> list[CodexDaemon]:
        others = [one for one in self.world.clients if isinstance(one, CodexDaemon) and one is not self]
        return [other for other in others if other.folder == self.folder]

    def may_be_hidden(self) -> None:
        """As long as both are there: what the other one's agents do may be what was done last."""
        self.world.truth.begin(HIDDEN, (self.label, ""), self.world.now)

    def asks(self, running: Running) -> Play:
        """A visit may tell that somebody is asked before the hook tells who."""
        if not running.agent.is_main:
            until = self.world.now + WHOSE_S
            self.world.truth.episodes.append(Episode(WHOSE, self.main.truth_key, self.world.now, until))
        yield from super().asks(running)

    def may_be_anothers(self, running: Running) -> bool:
        """Its command is a child of the daemon's, as those of all others are."""
        return bool(running.agent.asking) or super().may_be_anothers(running)

    def ask_of(self, running: Running) -> Ask | None:
        return running.move.ask if self.has_terminal or running.move.ask is None else Ask("")

    # --- what is true, and what a visit is told

    def states(self) -> dict[Key, str]:
        """Who rests, and is shown by no terminal, is nobody's turn."""
        self.speaks = True
        states = super().states()
        self.speaks = self.has_terminal
        is_left = not self.has_terminal and self.main.state == WAITING
        return {} if is_left or self.is_replaced else states

    def follow(self) -> None:
        all_of_them = [one for one in self.world.clients if isinstance(one, CodexDaemon)]
        self.daemon.tell([thread for one in all_of_them for thread in one.threads])

    @property
    def threads(self) -> list[Record]:
        if not self._is_loaded or self.is_replaced:
            return self._left_threads
        going_on = [agent for agent in self.agents.values() if not agent.is_over]
        return [*self._left_threads, *(self._thread(agent) for agent in going_on)]

    def _thread(self, agent: Agent) -> Record:
        parent = None if agent.is_main else self.session
        about: Record = {"id": self.session if agent.is_main else agent.key, "parentThreadId": parent}
        told = {"ephemeral": False, "cwd": self.folder, "originator": "codex-tui", "name": None}
        return {**about, **told, "createdAt": self.world.wall(self._began), "status": _status(agent)}


def _status(agent: Agent) -> Record:
    """Of this agent alone."""
    if agent.asking:
        is_question = agent.asking[0].is_question
        return {"type": "active", "activeFlags": ["waitingOnUserInput" if is_question else "waitingOnApproval"]}
    if agent.is_in_turn:
        return {"type": "active", "activeFlags": []}
    return {"type": "systemError" if agent.why == FAILED else "idle"}


MODEL = CodexDaemon
