"""`yourturn status --json` next to the client's own `claude agents --json`."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from bench import race
from bench.crowd import Crowd
from bench.place import OURS
from bench.table import Budget, Row, Table, ms, times
from bench.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.place import Place

SESSIONS = 20
LEAST = 3.0
STATUS, AGENTS = "yourturn status --json", "claude agents --json"


def measure(where: Place, rounds: int) -> Iterator[Table]:
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    title = f"The state of {SESSIONS} sessions, {rounds} rounds, interleaved"
    try:
        client = find()
    except MissingError as why:
        yield Table(title, (), [], [f"NOT MEASURED, because there is no client: {why}"])
        return
    env = where.environment(DISABLE_AUTOUPDATER="1", DISABLE_TELEMETRY="1", DISABLE_ERROR_REPORTING="1")
    with Crowd(where, SESSIONS), Watching(where) as watching:
        watching.wait_for(SESSIONS)
        lines = {STATUS: [*command(), "status", "--json"], AGENTS: [client, "agents", "--json"]}
        taken = race.interleaved({name: partial(race.run, argv, env) for name, argv in lines.items()}, rounds)
    walls = {name: [one.wall for one in many] for name, many in taken.items()}
    middles = {name: race.median(many) for name, many in walls.items()}
    faster = middles[AGENTS] / middles[STATUS]
    rows = [Row(n, (ms(middles[n]), ms(race.p95(walls[n])), times(middles[n] / middles[STATUS]))) for n in lines]
    rows[0] = rows[0]._replace(budgets=(Budget(faster, LEAST, "x faster", at_least=True),))
    yield Table(title, ("median", "p95", "to ours"), rows)


def command() -> list[str]:
    """As a person has it on the path."""
    installed = os.path.join(os.path.dirname(sys.executable), "yourturn")
    return [installed] if os.access(installed, os.X_OK) else OURS
