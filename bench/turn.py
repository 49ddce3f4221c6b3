"""What hooks add to a turn of the real client: none, `true`, a bare Python, ours; through a shell and without one."""

from __future__ import annotations

import math
import random
import shlex
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from bench import place, race, together
from bench.budget import Budget
from bench.figure import Figure, Missing
from bench.watching import Watching
from contract.clients.claude import EVENTS
from installer.hooks import entries as hooks
from installer.hooks import program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.client import Client
    from bench.dose import Dose

MOST, GOAL = 4.0, 2.5
ROUNDS, CALLS = 28, 5  # seven turns of 20 calls, in small pieces: a busy machine is busy for a second or two
TURN = 20  # calls of the turn that is told of
SETTLE_S = 0.15  # what one client left to do in the background must not slow down the next one
# Between two questions of the client.
IN_A_CALL = ("PreToolUse", "PostToolUse", "PostToolBatch")
DRAWS = 400
NONE, TRUE, TRUE_ASYNC = "no hooks", "`true` hooks", "`true` hooks, async where ours are"
BARE = "hooks that start a Python and end it, async where ours are"  # what no hook in Python can be below
OURS, OURS_SYNC, OURS_EXEC = "our hooks", "our hooks, none of them async", "our hooks, without a shell"
KEYS = {OURS: "hook.turn", OURS_SYNC: "hook.turn.sync", OURS_EXEC: "hook.turn.exec"}


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    try:
        found = find()
    except MissingError as why:
        yield Missing("a turn of the real client", f"there is no client: {why}")
        return
    with place.folder() as path:
        taken = measure(place.Place(path), found, dose.rounds(ROUNDS))
    if OURS_EXEC not in taken:
        yield Missing(OURS_EXEC, "this client does not know that form")
    yield from told(taken)


def measure(where: place.Place, found: str, rounds: int) -> dict[str, list[float]]:
    from bench.client import Client, Timed  # noqa: PLC0415 - as above

    # The watcher is ours to start and to end: a hook must not start one that outlives us.
    env = {"YOURTURN_HOME": where.state, "YOURTURN_NO_WATCHER": "1"}
    with Timed() as api, ExitStack() as stack:
        homes = {name: f"{where.path}/{number}" for number, name in enumerate(variants())}
        clients = {name: Client(found, api, homes[name], one, env) for name, one in variants().items()}
        assert rehearse(clients[OURS_SYNC], where), "not all events came"
        if not rehearse(clients[OURS_EXEC], where):
            del clients[OURS_EXEC]
        stack.enter_context(Watching(where))
        for client in clients.values():
            stack.enter_context(client.halts(rounds + 1, CALLS))
        for client in clients.values():
            client.arrive()
        return race.interleaved({name: partial(go_on, client) for name, client in clients.items()}, rounds)


def go_on(client: Client) -> float:
    """Milliseconds of one of the next calls, the one in the middle."""
    time.sleep(SETTLE_S)
    return race.median(client.go_on())


def variants() -> dict[str, dict[str, Any]]:
    found = program.find(sys.executable)
    ours, same = hooks.entries(hooks.command_of(found)), hooks.entries("true")
    return {
        NONE: {},
        TRUE: settings(waiting(same)),
        TRUE_ASYNC: settings(same),
        BARE: settings(hooks.entries(f"exec {shlex.quote(found.interpreter)} -I -S -c pass")),
        OURS: settings(ours),
        OURS_EXEC: settings(without_shell(ours, [found.interpreter, "-S", "-E", found.script, hooks.CLIENT])),
        OURS_SYNC: settings(waiting(ours)),
    }


def without_shell(entries: Mapping[str, hooks.Entry], argv: Sequence[str]) -> dict[str, hooks.Entry]:
    return {event: {**entry, "command": argv[0], "args": list(argv[1:])} for event, entry in entries.items()}


def settings(entries: Mapping[str, hooks.Entry]) -> dict[str, Any]:
    return {"hooks": {event: [hooks.group(entry)] for event, entry in entries.items()}}


def waiting(entries: Mapping[str, hooks.Entry]) -> dict[str, hooks.Entry]:
    """The same, none of them async."""
    return {event: {k: v for k, v in entry.items() if k != "async"} for event, entry in entries.items()}


def rehearse(client: Client, where: place.Place) -> bool:
    """Some calls before a watcher runs that could tidy up: whether all events have left a trace."""
    before = together.kept(where)
    with client.halts(1, CALLS):
        client.arrive()
        client.go_on()
    return together.kept(where) - before >= CALLS * sum(not EVENTS[event] for event in IN_A_CALL)


def told(taken: Mapping[str, Sequence[float]]) -> Iterator[Figure]:
    """What each kind of hook adds to a turn, next to what `true` adds."""
    added = {name: added_by_one(many, taken[NONE]) for name, many in taken.items() if name != NONE}
    if added[TRUE] <= 0:
        raise SystemExit("`true` seems to cost nothing: the machine is too busy to measure anything")
    yield Figure("beside.turn", f"a turn of {TURN} calls, {NONE}", race.median(taken[NONE]) * TURN)
    for name, value in added.items():
        yield _figure(taken, name, value, value / added[TRUE])


def _figure(taken: Mapping[str, Sequence[float]], name: str, value: float, ratio: float) -> Figure:
    """Where the doubt reaches over the limit, the run decides nothing: missed is what is surely missed."""
    low, high = likely(taken, name)
    surely = Budget(low, MOST, f"x (nine in ten: {low:.1f} to {high:.1f})")
    budgets = (surely, Budget(ratio, GOAL, hard=False)) if name in (OURS, OURS_EXEC) else ()
    whole = value * len(IN_A_CALL) * TURN
    doubt = whole * min((high - low) / ratio, 1.0) if ratio > 0 else whole
    return Figure(
        KEYS.get(name, f"beside.turn.{name}"), f"{name}: added to it", whole, against=f"{TRUE}: added", ratio=ratio,
        budgets=budgets, grain=doubt,
    )  # fmt: skip


def likely(taken: Mapping[str, Sequence[float]], name: str) -> tuple[float, float]:
    """Between which the ratio lies in nine of ten runs like this one: rounds are drawn again, with the same dice."""
    dice, found = random.Random(0), []  # noqa: S311 - no secret
    rounds = range(len(taken[NONE]))
    for _ in range(DRAWS):
        drawn = [dice.choice(rounds) for _ in rounds]
        true, this = (_added(taken, one, drawn) for one in (TRUE, name))
        found.append(this / true if true > 0 else math.inf)
    found.sort()
    return found[DRAWS // 20], found[-DRAWS // 20]


def _added(taken: Mapping[str, Sequence[float]], name: str, rounds: Sequence[int]) -> float:
    return added_by_one([taken[name][k] for k in rounds], [taken[NONE][k] for k in rounds])


def added_by_one(many: Sequence[float], without: Sequence[float]) -> float:
    """By one event. What was measured in the same round is compared: it met the same machine."""
    return race.median([one - bare for one, bare in zip(many, without, strict=True)]) / len(IN_A_CALL)
