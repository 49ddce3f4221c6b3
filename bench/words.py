"""`yourturn status --json` next to the client's own `claude agents --json`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

from bench import figure, place, race
from bench.budget import Budget
from bench.crowd import Crowd
from bench.figure import Figure, Missing
from bench.place import OURS
from bench.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.dose import Dose
    from bench.place import Place
    from bench.race import Taken

SESSIONS = 20
ROUNDS = 20
LEAST = 3.0
STATUS, AGENTS = "yourturn status --json", "claude agents --json"


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    try:
        client = find()
    except MissingError as why:
        yield Missing(AGENTS, f"there is no client: {why}")
        return
    with place.folder() as path:
        taken = measure(place.Place(path), client, dose.rounds(ROUNDS))
    yield from told({name: figure.walls(many) for name, many in taken.items()})


def measure(where: Place, client: str, rounds: int) -> dict[str, list[Taken]]:
    env = where.environment(CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1")
    lines = {STATUS: [*command(), "status", "--json"], AGENTS: [client, "agents", "--json"]}
    with Crowd(where, SESSIONS), Watching(where) as watching:
        watching.wait_for(SESSIONS)
        for argv in lines.values():
            assert listed(argv, env) == SESSIONS, f"{argv} does not list all sessions"
        return race.interleaved({name: partial(race.run, argv, env) for name, argv in lines.items()}, rounds)


def command() -> list[str]:
    """As a person has it on the path."""
    installed = os.path.join(os.path.dirname(sys.executable), "yourturn")
    return [installed] if os.access(installed, os.X_OK) else OURS


def listed(argv: list[str], env: Mapping[str, str]) -> int:
    said = json.loads(subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout)
    return len(said["sessions"] if isinstance(said, dict) else said)


def told(taken: Mapping[str, Sequence[float]]) -> Iterator[Figure]:
    ours, theirs = taken[STATUS], taken[AGENTS]
    faster = race.median(theirs) / race.median(ours)
    budget = Budget(faster, LEAST, "x faster", at_least=True)
    what = f", {SESSIONS} sessions"
    yield figure.beside("words.status", STATUS + what, ours, AGENTS, theirs, budgets=(budget,))
    yield figure.of("beside.agents", AGENTS + what, theirs)
