"""One program on one stage: the clients in it, what they show, and the truth about them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from simulator.bounds import Delays
from simulator.observation import BOOT, NOON, Line, Observation
from simulator.stage import Stage
from simulator.truth import BRIDGED, PROMPTLY, Truth, most_urgent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from simulator.client import Client
    from simulator.pane import Pane
    from simulator.program import Fault, Program, Spawn
    from simulator.truth import Key

LATE_S = 1.0  # what a program's faults may add
FIRST_PID = 5_000_000  # above what a kernel gives, so that no process of this machine is ever meant


class Player(Protocol):
    """A process of any client."""

    has_entry: bool
    is_alive: bool
    session: str

    @property
    def label(self) -> str: ...
    @property
    def speaks(self) -> bool: ...
    @property
    def has_bridges(self) -> bool: ...
    @property
    def agents(self) -> Mapping[str, Any]: ...
    def states(self) -> dict[Key, str]: ...
    def follow(self) -> None: ...


class World:
    def __init__(self, program: Program, config: str) -> None:
        self.program, self.config = program, config
        self.stage, self.delays = Stage(), Delays(program.seed, even=program.even)
        self.seen: list[Observation] = []
        self.truth = Truth(jumps=any(fault.kind == "jump" for fault in program.faults))
        self.clients: list[Player] = []
        self.make_pane: Callable[[Client, Spawn], Pane]  # given by whoever knows both
        self._numbers: Counter[str] = Counter()
        self._written: dict[str, float] = {}

    @property
    def now(self) -> float:
        return self.stage.now

    def number(self, of: str) -> int:
        self._numbers[of] += 1
        return self._numbers[of]

    def pid(self) -> int:
        return FIRST_PID + self.number("pid")

    def session_id(self) -> str:
        """Its first eight letters name a team: no two are alike."""
        number = self.number("session")
        return str(UUID(int=(number << 96) + (self.program.seed << 32) + number, version=4))

    def wall(self, at: float) -> float:
        shift = sum(fault.seconds for fault in self.program.faults if fault.kind == "jump" and fault.at <= at)
        return round(NOON + at + shift, 6)

    def tick(self, at: float) -> float:
        return round(BOOT + at, 6)

    def delay(self, name: str, what: str) -> float:
        return self.delays.draw(name, what)

    def fault(self, kind: str, number: int = 0) -> Fault | None:
        return next((fault for fault in self.program.faults if (fault.kind, fault.number) == (kind, number)), None)

    def has_fault(self, kind: str, number: int = 0) -> bool:
        return self.fault(kind, number) is not None

    def show(self, observation: Observation) -> None:
        self.seen.append(observation)

    def flush(self, path: str, name: str) -> float:
        """When what is added to a file now is there: with what has been waiting already, and never before it."""
        waiting = self._written.get(path, 0.0)
        self._written[path] = (
            waiting if waiting >= self.now else self.now + self.delay(name, f"{path[-12:]} {self.now}")
        )
        return self._written[path]

    def read(self, path: str) -> list[bytes]:
        """The lines of a file that are there by now."""
        return [line.data for line in self.seen if isinstance(line, Line) and line.path == path]

    def flushed(self, path: str) -> float:
        return self._written.get(path, 0.0)

    def settle(self) -> None:
        """After every event: registries follow, and the truth is noted."""
        self.follow()
        states: dict[Key, str] = {}
        for client in self.clients:
            for key, state in client.states().items():
                states[key] = most_urgent([state, *([states[key]] if key in states else [])])
            self._note_rests(client, states)
        for session in {session for session, _ in states}:
            states[session, ""] = most_urgent([state for key, state in states.items() if key[0] == session])
        self.truth.note(self.now, states, {client.label: self._bound(client) for client in self.clients})

    def follow(self) -> None:
        for client in self.clients:
            client.follow()

    def _note_rests(self, client: Player, states: dict[Key, str]) -> None:
        for agent in client.agents.values():
            is_there = client.speaks and client.has_entry and agent.truth_key in states
            why = agent.rest if is_there else None
            self.truth.note_rest(self.now, agent.truth_key, why, agent.ended_at if why is not None else 0.0)

    def _bound(self, client: Player) -> float:
        """News of sub-agents and prompts in a queue are waited for, which the watcher says it does."""
        late = LATE_S if self.program.faults else 0.0
        return late + (BRIDGED if client.has_bridges else PROMPTLY)
