"""An agent: its turns, what it does in them, and how they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator import lines
from simulator.calls import Batch
from simulator.outlet import EscapeError
from simulator.program import Call, Say, Spawn, Together
from simulator.truth import NEEDS_APPROVAL, OVER, WAITING, WORKING, Episode

if TYPE_CHECKING:
    from simulator.client import Client
    from simulator.lines import Record
    from simulator.program import Move
    from simulator.stage import Actor, Play
    from simulator.truth import Key

# Where in its turn an agent is: an interruption leaves other traces in each.
FIRST, STREAM, BETWEEN, TOOL, STOP = "before any output", "in stream", "between", "in a tool", "at its end"


class Agent:
    def __init__(self, client: Client, key: str) -> None:
        self.client, self.key, self.world = client, key, client.world
        self.is_in_turn, self.is_asking, self.is_over = False, False, False
        self.phase = FIRST
        self.prompt_id = ""
        self.batch: Batch | None = None
        self._actor: Actor | None = None

    @property
    def path(self) -> str:
        return f"{self.client.project}/{self.client.session}.jsonl"

    @property
    def truth_key(self) -> Key:
        return self.client.session, self.key

    @property
    def goes_on(self) -> bool:
        return self.is_in_turn and not self.is_over

    @property
    def is_busy(self) -> bool:
        """As the registry has it: Stop hooks belong to the turn."""
        return self.goes_on or (self.phase == STOP and self._actor is not None and not self._actor.is_over)

    @property
    def state(self) -> str:
        if self.is_over:
            return OVER
        if self.is_asking:
            return NEEDS_APPROVAL
        return WORKING if self.goes_on else WAITING

    # --- what leaves it

    def payload(self, event: str, **more: Any) -> Record:
        return self.client.payload(event, prompt_id=self.prompt_id, permission_mode="default", **more)

    def hook(self, event: str, **more: Any) -> Play:
        yield from self.client.outlet.hook(self.payload(event, **more))

    def async_hook(self, event: str, **more: Any) -> None:
        self.client.outlet.async_hook(self.payload(event, **more))

    def line(self, record: Record) -> None:
        self.client.outlet.line(self.path, {"isSidechain": False, **record})

    def delay(self, name: str) -> float:
        return self.world.delay(name, f"{self.key} {self.world.number('delay ' + self.key)}")

    # --- a turn

    def begin(self, script: tuple[Move, ...]) -> None:
        self.is_in_turn, self.phase = True, FIRST
        self.prompt_id = f"prompt-{self.world.number('prompt')}"
        self._actor = self.client.play(self._turn(script))

    def throw(self, error: Exception) -> None:
        if self._actor:
            self._actor.throw(error)

    def _turn(self, script: tuple[Move, ...]) -> Play:
        try:
            yield from self._whole_turn(script)
        except EscapeError:
            self._is_interrupted()
        self.is_in_turn = self.is_asking = False

    def _whole_turn(self, script: tuple[Move, ...]) -> Play:
        yield from self.hook("UserPromptSubmit", prompt="please do it")
        self.line(lines.prompt("please do it", self.prompt_id))
        yield from self._work(script)
        yield from self._stop()

    def _work(self, script: tuple[Move, ...]) -> Play:
        moves = script if script and isinstance(script[-1], Say) else (*script, Say(0.1))
        for move, after in zip(moves, (*moves[1:], None), strict=True):
            yield self.delay("first word")
            if isinstance(move, Say):
                yield from self._say(move, "end_turn" if after is None else "tool_use")
            else:
                yield from self._call(move)

    def _say(self, move: Say, stop_reason: str) -> Play:
        self.phase = STREAM
        yield move.takes
        self.line(lines.words(stop_reason))
        self.phase = BETWEEN

    def _call(self, move: Call | Together | Spawn) -> Play:
        self.phase = TOOL
        self.batch = Batch(self, move.calls if isinstance(move, Together) else (move,))
        yield from self.batch.play()
        self.batch, self.phase = None, BETWEEN

    def _stop(self) -> Play:
        """The words are all said: it is the person's turn while the Stop hooks run."""
        self.phase, self.is_in_turn = STOP, False
        more = {"stop_hook_active": False, "background_tasks": [], "session_crons": []}
        yield from self.hook("Stop", last_assistant_message="some words", **more)
        self.line(lines.stop_summary())
        self.line(lines.turn_duration())

    def _is_interrupted(self) -> None:
        if self.phase == FIRST:
            self.world.truth.episodes.append(Episode(FIRST, self.truth_key, self.world.now, float("inf")))
        elif self.phase == STREAM:
            self.line(lines.aborted())
            self.line(lines.interruption(self.prompt_id))
        elif self.phase == BETWEEN:
            self.line(lines.interruption(self.prompt_id))
        elif self.batch:
            was_asked = self.is_asking
            self.batch.is_cut_off()
            self.line(lines.interruption(self.prompt_id, lines.INTERRUPTED_TOOL))
            if was_asked:
                self.line(lines.turn_duration())
