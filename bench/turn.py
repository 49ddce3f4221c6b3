"""What hooks add to a turn of the real client: none, `true`, ours."""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from bench import place, race
from bench.table import Budget, Row, Table, ms, show, times
from bench.watching import Watching
from contract import facts, paths, store
from contract.events import EVENTS
from installer import hooks, program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.client import Client

MOST = 4.0
ROUNDS, CALLS = 28, 5  # seven turns of 20 calls, in small pieces: a busy machine is busy for a second or two
SETTLE_S = 0.15  # what one client left to do in the background must not slow down the next one
# Between two questions of the client.
IN_A_CALL = ("PreToolUse", "PostToolUse", "PostToolBatch")
DRAWS = 400
DOUBT = "Where nine in ten reach over the budget, this run decides nothing: measure again on a machine at rest."
NONE, TRUE, TRUE_ASYNC = "no hooks", "true", "true, async where ours is"
OURS, OURS_SYNC = "ours", "ours, none of them async"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench turn", description=__doc__)
    parser.add_argument("--rounds", type=race.positive, default=ROUNDS, help="pieces of a turn (default: %(default)s)")
    parser.add_argument(
        "--calls", type=race.positive, default=CALLS, help="tool calls in a piece (default: %(default)s)"
    )
    parser.add_argument("--budget", type=float, default=MOST, help="times what true adds (default: %(default)s)")
    args = parser.parse_args()
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    try:
        found = find()
    except MissingError as why:
        print(f"The turn was NOT MEASURED, because there is no client: {why}")
        return 0
    with place.folder() as path:
        return show(measure(place.Place(path), found, args))


def measure(where: place.Place, found: str, args: argparse.Namespace) -> Iterator[Table]:
    from bench.client import Client, Timed  # noqa: PLC0415 - as above

    # The watcher is ours to start and to end: a hook must not start one that outlives us.
    env = {"YOURTURN_HOME": where.state, "YOURTURN_NO_WATCHER": "1"}
    with Timed() as api, ExitStack() as stack:
        homes = {name: f"{where.path}/{number}" for number, name in enumerate(variants())}
        clients = {name: Client(found, api, homes[name], one, env) for name, one in variants().items()}
        rehearse(clients, where, args.calls)
        stack.enter_context(Watching(where))
        for client in clients.values():
            stack.enter_context(client.halts(args.rounds + 1, args.calls))
        for client in clients.values():
            client.arrive()
        taken = race.interleaved({name: partial(go_on, client) for name, client in clients.items()}, args.rounds)
    yield table(taken, args.rounds, args.calls, args.budget)


def go_on(client: Client) -> float:
    """Milliseconds of one of the next calls, the one in the middle."""
    time.sleep(SETTLE_S)
    return race.median(client.go_on())


def variants() -> dict[str, dict[str, Any]]:
    ours = hooks.entries(hooks.command_of(program.find(sys.executable)))
    same = hooks.entries("true")
    return {
        NONE: {},
        TRUE: settings(waiting(same)),
        TRUE_ASYNC: settings(same),
        OURS: settings(ours),
        OURS_SYNC: settings(waiting(ours)),
    }


def settings(entries: Mapping[str, hooks.Entry]) -> dict[str, Any]:
    return {"hooks": {event: [hooks.group(entry)] for event, entry in entries.items()}}


def waiting(entries: Mapping[str, hooks.Entry]) -> dict[str, hooks.Entry]:
    """The same, none of them async."""
    return {event: {k: v for k, v in entry.items() if k != "async"} for event, entry in entries.items()}


def rehearse(clients: Mapping[str, Client], where: place.Place, calls: int) -> None:
    """Some calls with our hooks before a watcher runs that could tidy up: all events must have left a trace."""
    with clients[OURS_SYNC].halts(1, calls) as client:
        client.arrive()
        client.go_on()
    folder = paths.fact_dir(where.state)
    found = [facts.decode(store.read(f"{folder}/{name}") or b"") for name in store.names(folder)]
    told = sum(fact.seq for fact in found if fact)
    assert told >= calls * len(IN_A_CALL), f"only {told} events came"


def table(taken: Mapping[str, Sequence[float]], rounds: int, calls: int, most: float) -> Table:
    added = {name: added_by_one(many, taken[NONE]) for name, many in taken.items() if name != NONE}
    if added[TRUE] <= 0:
        raise SystemExit("bench: `true` seems to cost nothing: the machine is too busy to measure anything")
    rows = [Row(NONE, (ms(race.median(taken[NONE])),))]
    for name, value in added.items():
        ratio = value / added[TRUE]
        budgets = (Budget(ratio, most),) if name == OURS else ()
        low, high = likely(taken, name)
        cells = (ms(race.median(taken[name])), ms(value), times(ratio), f"{low:.2f} to {high:.2f}")
        rows.append(Row(name, cells, budgets))
    title = f"A call of the real client with its hooks, {rounds} times {calls} calls, interleaved"
    waits = sum(not EVENTS[event] for event in IN_A_CALL)
    note = f"{len(IN_A_CALL)} events for each call; of ours, the client waits for {waits} of them."
    return Table(title, ("a call", "added by one event", "to true", "nine in ten"), rows, [note, DOUBT])


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
