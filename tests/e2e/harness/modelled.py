"""A program on the model of the client: what it shows, and when a person, the API or a command has to do something."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from e2e.harness.kinds import CUE, Shown, Streams, streams
from e2e.harness.staged import moves_of
from simulator.agent import Agent, ApiError
from simulator.client import Client
from simulator.dialog import Dialog, Dialogs
from simulator.model import play
from simulator.observation import File, Hook, Line, Observation
from simulator.pane import Pane
from simulator.program import Call, Compact, Deed, Fail, Program, Say, Wait
from simulator.running import Running

if TYPE_CHECKING:
    from simulator.truth import Truth

CONFIG = "/modelled"
DEED, BEGUN, GATE, DOOR, TELLS, ANSWER = "deed", "begun", "gate", "door", "tells", "answer"


class Cue(NamedTuple):
    """Something that does not happen by itself: `what` is a deed, a move that ends, or a dialog that is answered."""

    at: float
    kind: str
    session: str
    what: Any
    is_known: bool = True  # a move of the program, not the words that end every turn

    @property
    def may_begin_a_turn(self) -> bool:
        """That a step has begun is only waited for, and by then the turn before it may not have been seen to end."""
        return self.kind != BEGUN

    @property
    def is_awaited(self) -> bool:
        """Whether the client does nothing until it comes."""
        if self.kind == GATE:
            return isinstance(self.what, Say | Wait | Fail | Compact | Deed) and self.is_known
        return self.kind in (DEED, DOOR, TELLS, ANSWER)


class Modelled(NamedTuple):
    seen: list[Observation]
    cues: list[Cue]
    truth: Truth
    end: float

    def streams(self, before: float = float("inf")) -> Streams:
        return streams(shown(self.seen, before, [cue.at for cue in self.cues if cue.may_begin_a_turn]))


def modelled(program: Program) -> Modelled:
    notes = Notes(program)
    with pytest.MonkeyPatch.context() as patch:
        notes.take(patch)
        played = play(program, CONFIG)
    return Modelled(played.seen, sorted(notes.cues, key=lambda cue: cue.at), played.truth, played.end)


class Notes:
    """Of everything that takes time in the model, taken while it plays."""

    def __init__(self, program: Program) -> None:
        self.cues = [Cue(deed.at, DEED, deed.session, deed) for deed in program.deeds]
        compactions = [deed for deed in program.deeds if deed.do == "compact"]
        self.cues += [Cue(deed.at + deed.takes, GATE, deed.session, deed) for deed in compactions]
        self._known = {id(move) for move in moves_of(program)}  # but not the words that end every turn
        self._calls: dict[str, Call] = {}
        self._monitors: dict[str, Call] = {}

    def take(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Agent, "_do", self._does(Agent._do))
        patch.setattr(Running, "_waits", self._waits(Running._waits))
        patch.setattr(Running, "_run", self._runs(Running._run))
        patch.setattr(Running, "_watch", self._watches(Running._watch))
        patch.setattr(Client, "monitor_tells", self._tells(Client.monitor_tells))
        patch.setattr(Client, "_shell_ends", self._shell_ends(Client._shell_ends))
        patch.setattr(Dialogs, "_answer", self._answers(Dialogs._answer))

    def _note(self, kind: str, client: Client, what: Any, late: float = 0.0) -> None:
        name = client.lead.name if isinstance(client, Pane) else client.name  # the keys go to the lead
        self.cues.append(Cue(client.world.now + late, kind, name, what, id(what) in self._known))

    def _does(self, real: Any) -> Any:
        def do(agent: Agent, move: Any, stop_reason: str) -> Any:
            if id(move) in self._known:
                self._note(BEGUN, agent.client, move)
            if isinstance(move, Compact):  # its summary comes before the rest of it
                self._note(GATE, agent.client, move, move.takes)
            try:
                yield from real(agent, move, stop_reason)
            except ApiError:
                self._note(GATE, agent.client, move)
                raise
            self._note(GATE, agent.client, move)

        return do

    def _waits(self, real: Any) -> Any:
        def waits(running: Running, takes: float) -> Any:
            word = yield from real(running, takes)
            if word == "ended":
                self._note(DOOR, running._agent.client, running._move)
            return word

        return waits

    def _runs(self, real: Any) -> Any:
        def run(running: Running, **how: Any) -> Any:
            self._calls[running.id] = running._move
            yield from real(running, **how)

        return run

    def _watches(self, real: Any) -> Any:
        def watch(running: Running, takes: float) -> str:
            name: str = real(running, takes)
            self._monitors[name] = running._move
            return name

        return watch

    def _tells(self, real: Any) -> Any:
        def tells(client: Client, name: str) -> None:
            self._note(TELLS, client, self._monitors[name])
            real(client, name)

        return tells

    def _shell_ends(self, real: Any) -> Any:
        def ends(client: Client, name: str, call_id: str) -> None:
            self._note(DOOR, client, self._calls[call_id])
            real(client, name, call_id)

        return ends

    def _answers(self, real: Any) -> Any:
        def answer(dialogs: Dialogs, dialog: Dialog) -> None:
            if dialog is dialogs.shown:
                self._note(ANSWER, dialog.agent.client, dialog)
            real(dialogs, dialog)

        return answer


def shown(seen: list[Observation], before: float, cued: list[float]) -> Shown:
    """Hooks count by their stamps, as those of the real client do."""
    marks: list[Observation] = [File(at, CUE, None) for at in cued]
    seen = sorted([*seen, *marks], key=lambda one: one.at)
    found = Shown()
    hooks = [one for one in seen if isinstance(one, Hook) and one.at < before]
    found.hooks = [dict(one.payload) for one in sorted(hooks, key=lambda one: one.stamp[1])]
    for one in seen:
        if isinstance(one, Line) and one.at < before:
            found.lines.append((one.path, json.loads(one.data)))
        elif isinstance(one, File) and one.at < before:
            _file(found, one)
    return found


def _file(found: Shown, one: File) -> None:
    name = os.path.basename(one.path)
    if one.path == CUE:
        found.registry.append(("", CUE))
        return
    record = json.loads(one.data) if one.data else {}
    if name.endswith(".meta.json"):
        found.agents[name.removeprefix("agent-").removesuffix(".meta.json")] = record["description"]
    elif os.path.basename(os.path.dirname(one.path)) == "sessions":
        waiting = f" ({record['waitingFor']})" if record.get("waitingFor") else ""
        found.registry.append((name, f"{record['status']}{waiting}" if record else "removed"))
