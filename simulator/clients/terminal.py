"""A process of another client, and the person before it: a session, its agents, its dialogs, its life.

What it tells of a step is up to each client's own class, see `simulator.clients.telling`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from simulator.agent import FIRST, STOP, ApiError
from simulator.clients.agent import Agent
from simulator.clients.calling import Calling
from simulator.clients.calls import Cut
from simulator.clients.doubts import LEFT, LOST, QUEUED, UNBEGUN
from simulator.clients.voice import Voice
from simulator.dialog import Dialogs
from simulator.observation import event_of
from simulator.outlet import EscapeError
from simulator.program import NO
from simulator.stage import Actor, Gate
from simulator.truth import FAILED, INTERRUPTED, PLAIN, PROMPTLY, Episode

if TYPE_CHECKING:
    from simulator.lines import Record
    from simulator.program import Move
    from simulator.stage import Play
    from simulator.truth import Key
    from simulator.world import World

FOLDER = "/home/me/proj"
TYPED_S = 0.8  # nobody types sooner
BEGINS_S = 0.3  # until a person can type
NEXT_S = 0.02  # from the end of a turn to the prompt that waited for it


class Terminal(Calling):
    name = ""  # as its hooks name it
    program: tuple[str, ...] = ()  # its argv
    asks_first = False  # it runs nothing before all that was asked for has been answered
    has_rows = True  # of sub-agents
    subs_ask_on_main = False
    subs_may_be_refused = True  # it is known what happens then
    may_go_on = False  # some of them, if they are told to
    together = False  # calls of one message are known to be asked for at once
    files = True  # calls that change files
    compacts = False  # by hand
    is_dated_by_files = False  # a watcher that begins goes by their times, which nobody can know if the clock was set
    has_queue = False  # for prompts that are typed in mid-turn
    is_one_turn_with_its_queue = False
    tells_start = True  # a session before its first prompt
    tells_clear = True  # that a session was left
    has_entry = True  # for the world: it may say why it rests
    has_bridges = False
    told_otherwise: tuple[str, ...] = ()  # events whose loss does no harm

    def __init__(self, world: World, name: str, session: str = "") -> None:
        self.world, self.of = world, name
        self.pid = world.pid()
        self.voice = Voice(world, self.host_pid, self.name, self._is_lost)
        self.gate = Gate()
        self.is_alive, self.speaks = True, True
        self._typed = self._began = world.now
        self._actors: list[Actor] = []
        self._lost: list[tuple[Episode, int]] = []  # with the turn in which it was
        self._turns = 0
        self.dialogs = Dialogs(world.stage, self.gate, lambda _: None)
        self.queue: list[tuple[Move, ...]] = []
        self.labels: list[str] = []
        self.doubts: list[Episode] = []  # that its next prompt ends
        self._is_new(session or world.session_id())

    def _is_new(self, session: str) -> None:
        self.session = session
        self.is_told = False  # something has told of this session
        self.unbegun: Episode | None = None
        self.labels.append(self.label)
        self.subs: list[Agent] = []
        self.main = Agent(self)

    @property
    def host_pid(self) -> int:
        """Of the process that runs its agents and their hooks."""
        return self.pid

    @property
    def label(self) -> str:
        return f"{self.host_pid} {self.session}"

    @property
    def home(self) -> str:
        return self.world.config.rpartition("/")[0]

    @property
    def agents(self) -> dict[str, Agent]:
        return {agent.key: agent for agent in (self.main, *self.subs)}

    def below(self, parent: Agent, name: str) -> Agent:
        return Agent(self, self.world.session_id(), parent, name)

    @property
    def asks_for_others(self) -> bool:
        return self.subs_ask_on_main and any(sub.asking for sub in self.subs)

    def row_of(self, agent: Agent) -> Key:
        """Where it is shown what it does."""
        return self.main.truth_key if self.subs_ask_on_main and not agent.is_main else agent.truth_key

    def states(self) -> dict[Key, str]:
        if not self.speaks:
            return {}
        rows = {sub.truth_key: sub.state for sub in self.subs} if self.has_rows else {}
        own = {key: "working" if state == "needs_approval" else state for key, state in rows.items()}
        return {**(own if self.subs_ask_on_main else rows), self.main.truth_key: self.main.state}

    def follow(self) -> None:
        """After every event."""

    def play(self, play: Play) -> Actor:
        self._actors = [actor for actor in self._actors if not actor.is_over]
        actor = Actor(self.world.stage, play, self.gate)
        self._actors.append(actor)
        return actor

    # --- its life

    def start(self, source: str) -> None:
        self.voice.begins(self.pid, 1, self.program, FOLDER)
        self._is_begun()
        self.play(self._started(source))

    def _is_begun(self) -> None:
        if not self.tells_start:
            self.unbegun = self.begin_unseen()

    def begin_unseen(self) -> Episode:
        return self.world.truth.begin(UNBEGUN, (self.label, ""), self.world.now)

    def _started(self, source: str) -> Play:
        yield self.world.delay("session", f"start {self.pid}")
        yield from self.begins(source)

    def kill(self) -> None:
        """As SIGKILL does it."""
        self._ends()
        for agent in self.agents.values():
            for call in list(agent.calls):
                call.ends()
        self.voice.is_dead = True
        self.voice.ends(self.pid)

    def exit(self) -> None:
        if self.is_at_work:
            return
        self._ends()
        self.play(self._leaves())

    def _ends(self) -> None:
        self.is_alive = self.speaks = False
        for actor in self._actors:
            actor.end()

    def _leaves(self) -> Play:
        yield from self.leaves()
        self.voice.ends(self.pid)

    def clear(self) -> None:
        """Another session in the same process."""
        if not self.is_at_work and self.world.now - self._began > BEGINS_S:
            self.play(self._cleared())

    def _cleared(self) -> Play:
        before = self.label
        yield from self.clears()
        self._is_new(self.world.session_id())
        if not self.tells_clear:
            episode = self.world.truth.begin(LEFT, (before, ""), self.world.now)
            self._left = episode
        self._is_begun()
        yield from self.begins("clear")

    _left: Episode | None = None

    @property
    def is_at_work(self) -> bool:
        is_in_turn = any(agent.is_in_turn or agent.calls for agent in self.agents.values())
        return is_in_turn or self.dialogs.shown is not None or bool(self.queue) or bool(self.main.company)

    # --- turns

    def prompt(self, script: tuple[Move, ...]) -> None:
        self._typed = max(self.world.now, self._typed + TYPED_S)
        self.world.stage.at(self._typed, lambda: self._enter(script))

    def _enter(self, script: tuple[Move, ...]) -> None:
        if not self.speaks or self.dialogs.shown:
            return
        is_busy = self.main.is_in_turn or (self.main.actor is not None and not self.main.actor.is_over)
        if not is_busy:
            self._begin(script)
        elif self.has_queue and self.main.is_in_turn:
            self.queue.append(script)

    def _begin(self, script: tuple[Move, ...]) -> None:
        self.main.is_in_turn, self.main.phase, self.main.why = True, FIRST, None
        self._turns += 1
        self.main.turn = f"turn {self._turns} {self.session}"
        self.main.actor = self.play(self._turn(self.main, script))

    def _turn(self, agent: Agent, script: tuple[Move, ...]) -> Play:
        self.is_told = True
        try:
            yield from self.prompted(agent)
            self._is_heard()
            yield from agent.work(script)
            while self.queue and self.is_one_turn_with_its_queue:
                yield from agent.work(self.queue.pop(0))
            agent.phase = STOP
            self.rests(agent, PLAIN)
            yield from self.turn_ends(agent)
        except EscapeError as escape:
            phase = agent.phase
            calls = self.drop(agent)
            agent.phase = STOP
            if escape.at_dialog:
                yield from self.winds_up(calls)
            self.rests(agent, INTERRUPTED)
            yield from self.cut_off(agent, Cut(phase, tuple(calls), escape.at_dialog))
        except ApiError as error:
            self.rests(agent, FAILED)
            yield from self.fails(agent, str(error))
        self._turn_is_over()

    def _is_heard(self) -> None:
        """The first prompt has told that there is a session."""
        for episode in (self.unbegun, self._left, *self.doubts):
            if episode:
                episode.end = min(episode.end, self.world.now)
        self.unbegun = self._left = None
        self.doubts.clear()

    def rests(self, agent: Agent, why: str) -> None:
        agent.is_in_turn, agent.ended_at = False, self.world.now
        agent.why = why if why in self.reasons else None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it rests, as far as it tells."""
        return (PLAIN, FAILED)

    def _turn_is_over(self) -> None:
        for episode, turn in self._lost:
            if turn < self._turns:
                episode.end = min(episode.end, self.world.now)
        if self.queue:
            self.world.truth.episodes.append(
                Episode(QUEUED, self.main.truth_key, self.world.now - PROMPTLY, self.world.now + PROMPTLY)
            )
            script = self.queue.pop(0)
            self.main.is_in_turn = True
            self.world.stage.after(NEXT_S, lambda: self._begin(script) if self.speaks else None)

    def escape(self) -> None:
        if shown := self.dialogs.shown:
            if self.subs_may_be_refused or shown.agent.is_main:
                shown.answered.give(NO)
        elif self.main.is_in_turn and self.main.phase != STOP:
            self.main.throw(EscapeError())

    def compact(self, takes: float) -> None:
        """By hand, between two turns."""

    # --- what is lost

    def _is_lost(self, payload: Record) -> None:
        """Of what nothing else tells nobody can know before the next turn is over."""
        event = event_of(payload)
        if event in self.told_otherwise:
            return
        for label in self.labels:
            episode = self.world.truth.begin(LOST, (label, ""), self.world.now)
            self._lost += [] if self.is_told_once(payload) else [(episode, self._turns)]

    def is_told_once(self, _payload: Record) -> bool:
        """Whether after its loss no later turn tells."""
        return False

    # --- words

    @property
    def stamp(self) -> str:
        """Of now, as most of them write it."""
        return stamp(self.world.wall(self.world.now))


def stamp(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
