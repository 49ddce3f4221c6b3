"""What one hook costs: ours next to a bare start of the same Python, a plain recorder, bash with jq, and node."""

from __future__ import annotations

import json
import os
import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

from bench import events, figure, imports, place, race
from bench.budget import Budget
from bench.figure import Figure, Missing
from contract import facts, paths, store
from installer.hooks import entries, program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.dose import Dose
    from bench.place import Place
    from bench.race import Taken

MOST, GOAL = 2.2, 1.3
ROUNDS = 100
CALLS = 20
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
BARE, OURS, BY_SHELL, SHELL = "bare Python", "hook", "hook, through the shell", "/bin/sh -c true"
ONCE, THRICE, NODE = "bash + jq, one call", "bash + jq, a call for each field", "node, three fields"

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
IN_NODE = (
    "const e = JSON.parse(require('fs').readFileSync(0)); console.log(e.session_id, e.hook_event_name, e.tool_name)"
)
KEYS = {OURS: "hook.one", BY_SHELL: "hook.by-shell"}


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    with place.folder() as path:
        taken = measure(place.Place(path), dose.rounds(ROUNDS))
    yield from told(taken)
    if ONCE not in taken:
        yield Missing("bash + jq", "bash or jq is not installed")
    if NODE not in taken:
        yield Missing("node", "it is not installed")


def where_it_goes() -> list[str]:
    with place.folder() as path:
        where = place.Place(path)
        payload = warm_up(where)
        env = where.environment(CLAUDE_PID=str(os.getpid()), YOURTURN_NO_WATCHER="1")
        argv = contestants(where)
        by_python = f"import sys; sys.path.insert(0, {place.PROJECT!r}); from recorder.serve import serve; serve('')"
        looked_for = [*argv[BARE][:-1], by_python]
        return imports.lines(argv[BARE], argv[OURS], looked_for, env, payload)


def measure(where: Place, rounds: int) -> dict[str, list[Taken]]:
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
    return taken


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
        OURS: [*python, found.script, entries.CLIENT],
        "a plain recorder with json": [*python, _script(where, RECORDER)],
        **_others(),
        SHELL: ["/bin/sh", "-c", "true"],
        BY_SHELL: ["/bin/sh", "-c", entries.command_of(found)],
    }


def _script(where: Place, text: str) -> str:
    path = f"{where.path}/plain.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _others() -> dict[str, list[str]]:
    """Those that are installed."""
    bash, node = shutil.which("bash"), shutil.which("node")
    with_jq = {ONCE: [bash, "-c", ONE_JQ], THRICE: [bash, "-c", THREE_JQ]} if bash and shutil.which("jq") else {}
    return {**with_jq, **({NODE: [node, "-e", IN_NODE]} if node else {})}


def told(taken: Mapping[str, Sequence[Taken]]) -> Iterator[Figure]:
    walls = {name: figure.walls(many) for name, many in taken.items()}
    for name, values in walls.items():
        key = KEYS.get(name, f"beside.{name}")
        yield figure.beside(key, name, values, BARE, walls[BARE], budgets=_budgets(walls) if name == OURS else ())


def _budgets(walls: Mapping[str, Sequence[float]]) -> tuple[Budget, ...]:
    ratio = race.median(walls[OURS]) / race.median(walls[BARE])
    return Budget(ratio, MOST), Budget(ratio, GOAL, hard=False)
