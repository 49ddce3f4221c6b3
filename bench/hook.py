"""What one hook costs: ours next to a bare start of the same Python, a plain recorder, and bash with jq."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

from bench import events, imports, place, race
from bench.table import Budget, Table, show, taken_row
from contract import facts, paths, store
from installer import hooks, program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.place import Place
    from bench.race import Taken

MOST, GOAL = 2.2, 1.3
ROUNDS = 100
CALLS = 20
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
BARE, OURS, BY_SHELL, SHELL = "python -S -E -c pass", "ours", "ours, as the client runs it", "/bin/sh -c true"

RECORDER = """
import fcntl, json, os, sys
event = json.load(sys.stdin)
path = os.path.join(os.environ["YOURTURN_HOME"], "plain-" + event["session_id"] + ".json")
with open(path + ".lock", "a") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        with open(path) as file:
            fact = json.load(file)
    except FileNotFoundError:
        fact = {"calls": {}}
    fact["calls"][event["tool_use_id"]] = event["tool_name"]
    with open(path + ".tmp", "w") as file:
        json.dump(fact, file)
    os.replace(path + ".tmp", path)
"""
ONE_JQ = "jq -r '.session_id, .hook_event_name, .tool_name'"
THREE_JQ = 'in=$(cat); for key in session_id hook_event_name tool_name; do jq -r ".$key" <<< "$in"; done'


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench hook", description=__doc__)
    parser.add_argument(
        "--rounds", type=race.positive, default=ROUNDS, help="how often each one runs (default: %(default)s)"
    )
    parser.add_argument("--budget", type=float, default=MOST, help="times a bare start (default: %(default)s)")
    parser.add_argument("--imports", action="store_true", help="tell instead what is imported and what that takes")
    args = parser.parse_args()
    with place.folder() as path:
        where = place.Place(path)
        return show([imported(where)] if args.imports else measure(where, args.rounds, args.budget))


def imported(where: Place) -> Table:
    payload = warm_up(where)
    env = where.environment(CLAUDE_PID=str(os.getpid()), YOURTURN_NO_WATCHER="1")
    argv = contestants(where)
    return imports.table(argv[OURS], argv[BARE], env, payload)


def measure(where: Place, rounds: int, most: float) -> Iterator[Table]:
    payload = warm_up(where)
    # As long as we hold its lock, every hook believes that a watcher runs.
    watcher = store.take(paths.watcher_lock(where.state))
    assert watcher is not None
    env = where.environment(CLAUDE_PID=str(os.getpid()))
    try:
        before = seen(where)
        runs = {name: partial(race.run, argv, env, payload) for name, argv in contestants(where).items()}
        taken = race.interleaved(runs, rounds)
        assert seen(where) == before + 2 * (rounds + 1), "a hook left no trace"
    finally:
        os.close(watcher)
    yield start_table(taken, rounds, most)
    yield shell_table(taken)


def warm_up(where: Place) -> str:
    """A state folder with an open turn in it; the file with the event to measure."""
    env = where.environment(CLAUDE_PID=str(os.getpid()))
    for happened in events.turn(SESSION, CALLS):
        events.keep(where.state, env, happened)
    payload = f"{where.path}/event.json"
    with open(payload, "w", encoding="utf-8") as file:
        json.dump(events.event(SESSION, "PreToolUse", **events.call(CALLS)), file)
    return payload


def seen(where: Place) -> int:
    """How many events the fact has taken in."""
    fact = facts.decode(store.read(paths.fact(where.state, SESSION, paths.MAIN)) or b"")
    assert fact is not None
    return fact.seq


def contestants(where: Place) -> dict[str, list[str]]:
    found = program.find(sys.executable)
    python = [found.interpreter, "-S", "-E"]
    return {
        BARE: [*python, "-c", "pass"],
        OURS: [*python, found.script],
        "a plain recorder with json": [*python, _script(where, RECORDER)],
        **_with_jq(),
        SHELL: ["/bin/sh", "-c", "true"],
        BY_SHELL: ["/bin/sh", "-c", hooks.command_of(found)],
    }


def _script(where: Place, text: str) -> str:
    path = f"{where.path}/plain.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _with_jq() -> dict[str, list[str]]:
    bash = shutil.which("bash")
    if bash is None or shutil.which("jq") is None:
        return {}
    return {
        "bash + jq, three fields in one call": [bash, "-c", ONE_JQ],
        "bash + jq, a call for each of three": [bash, "-c", THREE_JQ],
    }


def start_table(taken: Mapping[str, Sequence[Taken]], rounds: int, most: float) -> Table:
    bare = race.median([one.wall for one in taken[BARE]])
    rows = [taken_row(name, many, bare) for name, many in taken.items() if name not in (SHELL, BY_SHELL)]
    ratio = race.median([one.wall for one in taken[OURS]]) / bare
    budgets = (Budget(ratio, most), Budget(ratio, GOAL, hard=False))
    rows = [one._replace(budgets=budgets) if one.name == OURS else one for one in rows]
    notes = [] if _with_jq() else ["bash + jq: NOT MEASURED, because bash or jq is missing"]
    title = f"One PreToolUse with a warm state folder, {rounds} rounds, interleaved"
    return Table(title, ("median", "p95", "cpu", "to bare"), rows, notes)


def shell_table(taken: Mapping[str, Sequence[Taken]]) -> Table:
    bare = race.median([one.wall for one in taken[SHELL]])
    rows = [taken_row(name, taken[name], bare) for name in (SHELL, BY_SHELL)]
    return Table("The same through the shell", ("median", "p95", "cpu", "to true"), rows)
