"""`yourturn status --json` next to the client's own `claude agents --json`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

from bench import race
from bench.crowd import Crowd
from bench.place import OURS
from bench.table import Budget, Table, taken_row
from bench.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.place import Place
    from bench.race import Taken

SESSIONS = 20
LEAST = 3.0
STATUS, AGENTS = "yourturn status --json", "claude agents --json"


def measure(where: Place, rounds: int) -> Iterator[Table]:
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    try:
        client = find()
    except MissingError as why:
        yield Table(title(rounds), (), [], [f"NOT MEASURED, because there is no client: {why}"])
        return
    env = where.environment(CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1")
    lines = {STATUS: [*command(), "status", "--json"], AGENTS: [client, "agents", "--json"]}
    with Crowd(where, SESSIONS), Watching(where) as watching:
        watching.wait_for(SESSIONS)
        for argv in lines.values():
            assert listed(argv, env) == SESSIONS, f"{argv} does not list all sessions"
        taken = race.interleaved({name: partial(race.run, argv, env) for name, argv in lines.items()}, rounds)
    yield table(taken, rounds)


def title(rounds: int) -> str:
    return f"The state of {SESSIONS} sessions, {rounds} rounds, interleaved"


def command() -> list[str]:
    """As a person has it on the path."""
    installed = os.path.join(os.path.dirname(sys.executable), "yourturn")
    return [installed] if os.access(installed, os.X_OK) else OURS


def listed(argv: list[str], env: Mapping[str, str]) -> int:
    said = json.loads(subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout)
    return len(said["sessions"] if isinstance(said, dict) else said)


def table(taken: Mapping[str, Sequence[Taken]], rounds: int) -> Table:
    ours = race.median([one.wall for one in taken[STATUS]])
    rows = [taken_row(name, taken[name], ours) for name in (STATUS, AGENTS)]
    faster = race.median([one.wall for one in taken[AGENTS]]) / ours
    rows[0] = rows[0]._replace(budgets=(Budget(faster, LEAST, "x faster", at_least=True),))
    return Table(title(rounds), ("median", "p95", "cpu", "to ours"), rows)
