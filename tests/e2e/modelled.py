"""A program on the model of the client: what it shows, and when a person, the API or a command has to do something."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from e2e.kinds import CUE, Shown, Streams, streams
from e2e.staged import moves_of
from simulator.agent import Agent, ApiError
from simulator.client import Client
from simulator.dialog import Dialog, Dialogs
from simulator.model import play
from simulator.observation import File, Hook, Line, Observation
from simulator.program import Call, Compact, Deed, Program
from simulator.running import Running

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG = "/modelled"
DEED, BEGUN, GATE, DOOR, ANSWER = "deed", "begun", "gate", "door", "answer"


class Cue(NamedTuple):
    """Something that does not happen by itself: `what` is a deed, a move that ends, or a dialog that is answered."""

    at: float
    kind: str
    session: str
    what: Any


class Modelled(NamedTuple):
    seen: list[Observation]
    cues: list[Cue]

    def streams(self, before: float = float("inf")) -> Streams:
        return streams(shown(self.seen, before, [cue.at for cue in self.cues]))


def modelled(program: Program) -> Modelled:
    with pytest.MonkeyPatch.context() as patch:
        cues = list(_noted(patch, program))
        played = play(program, CONFIG)
        return Modelled(played.seen, sorted(cues[0], key=lambda cue: cue.at))


def _noted(patch: pytest.MonkeyPatch, program: Program) -> Iterator[list[Cue]]:
    """Notes of everything that takes time in the model, taken while it plays."""
    cues = [Cue(deed.at, DEED, deed.session, deed) for deed in program.deeds]
    cues += [Cue(deed.at + deed.takes, GATE, deed.session, deed) for deed in deeds_of(program, "compact")]
    calls: dict[str, Call] = {}
    known = {id(move) for move in moves_of(program)}  # but not the words that end every turn
    do, waits, runs, ends, answer = Agent._do, Running._waits, Running._run, Client._shell_ends, Dialogs._answer

    def noting_do(self: Agent, move: Any, stop_reason: str) -> Any:
        if id(move) in known:
            cues.append(Cue(self.world.now, BEGUN, self.client.name, move))
        if isinstance(move, Compact):  # its summary comes before the rest of it
            cues.append(Cue(self.world.now + move.takes, GATE, self.client.name, move))
        try:
            yield from do(self, move, stop_reason)
        except ApiError:
            cues.append(Cue(self.world.now, GATE, self.client.name, move))
            raise
        cues.append(Cue(self.world.now, GATE, self.client.name, move))

    def noting_waits(self: Running, takes: float) -> Any:
        word = yield from waits(self, takes)
        if word == "ended":
            cues.append(Cue(self._world.now, DOOR, self._agent.client.name, self._move))
        return word

    def noting_runs(self: Running) -> Any:
        calls[self.id] = self._move
        yield from runs(self)

    def noting_ends(self: Client, name: str, call_id: str) -> None:
        cues.append(Cue(self.world.now, DOOR, self.name, calls[call_id]))
        ends(self, name, call_id)

    def noting_answer(self: Dialogs, dialog: Dialog) -> None:
        if dialog is self.shown:
            cues.append(Cue(self._stage.now, ANSWER, dialog.agent.client.name, dialog))
        answer(self, dialog)

    patch.setattr(Agent, "_do", noting_do)
    patch.setattr(Running, "_waits", noting_waits)
    patch.setattr(Running, "_run", noting_runs)
    patch.setattr(Client, "_shell_ends", noting_ends)
    patch.setattr(Dialogs, "_answer", noting_answer)
    yield cues


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


def deeds_of(program: Program, do: str) -> list[Deed]:
    return [deed for deed in program.deeds if deed.do == do]
