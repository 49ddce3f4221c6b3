"""What hooks add to a turn of the real client: none, `true`, ours."""

from __future__ import annotations

import argparse
import sys
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
ROUNDS, CALLS = 7, 20
# Between two questions of a turn with one call each.
IN_A_CALL = ("PreToolUse", "PostToolUse", "PostToolBatch")
NONE, TRUE, TRUE_ASYNC = "no hooks", "true", "true, async where ours is"
OURS, OURS_SYNC = "ours", "ours, none of them async"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench turn", description=__doc__)
    parser.add_argument(
        "--rounds", type=race.positive, default=ROUNDS, help="turns of each kind (default: %(default)s)"
    )
    parser.add_argument(
        "--calls", type=race.positive, default=CALLS, help="tool calls in a turn (default: %(default)s)"
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
    from bench.client import Client, Timed, path_of  # noqa: PLC0415 - as above

    # The watcher is ours to start and to end: a hook must not start one that outlives us.
    env = {"YOURTURN_HOME": where.state, "YOURTURN_NO_WATCHER": "1"}
    with ExitStack() as stack:
        api = stack.enter_context(Timed())
        clients = {n: Client(found, api, path_of(where.path, n), s, env) for n, s in variants().items()}
        rehearse(clients, where, args.calls)
        stack.enter_context(Watching(where))
        taken = race.interleaved({n: partial(c.turn, args.calls) for n, c in clients.items()}, args.rounds)
    yield table(taken, args.calls, args.rounds, args.budget)


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
    """One turn with our hooks before a watcher runs that could tidy up: all events must have left a trace."""
    clients[OURS_SYNC].turn(calls)
    folder = paths.fact_dir(where.state)
    found = [facts.decode(store.read(f"{folder}/{name}") or b"") for name in store.names(folder)]
    told = sum(fact.seq for fact in found if fact)
    assert told >= calls * len(IN_A_CALL), f"only {told} events came"


def table(taken: Mapping[str, Sequence[list[float]]], calls: int, rounds: int, most: float) -> Table:
    """A turn is a list of its calls; a call has a hiccup now and then, so it is the calls that are compared."""
    call = {name: race.median([one for turn in many for one in turn]) for name, many in taken.items()}
    whole = {name: race.median([sum(turn) for turn in many]) for name, many in taken.items()}
    added = {name: (call[name] - call[NONE]) / len(IN_A_CALL) for name in taken if name != NONE}
    if added[TRUE] <= 0:
        raise SystemExit("bench: `true` seems to cost nothing: the machine is too busy to measure anything")
    rows = [Row(NONE, (ms(whole[NONE]), ms(call[NONE])))]
    for name, value in added.items():
        ratio = value / added[TRUE]
        budgets = (Budget(ratio, most),) if name == OURS else ()
        rows.append(Row(name, (ms(whole[name]), ms(call[name]), ms(value), times(ratio)), budgets))
    title = f"A turn of {calls} calls of the real client, {rounds} rounds, interleaved"
    waits = sum(not EVENTS[event] for event in IN_A_CALL)
    note = f"{len(IN_A_CALL)} events for each call; of ours, the client waits for {waits} of them."
    return Table(title, ("turn", "call", "added by one event", "to true"), rows, [note])
