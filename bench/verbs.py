"""The verbs: `ps` of 1,000 agents next to the client's own list of one, `dispatch` next to xargs, the end of `wait`."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from functools import partial
from typing import TYPE_CHECKING

from bench import cpu, dispatch, figure, place, race, words
from bench.budget import Budget
from bench.crowd import Crowd
from bench.figure import Figure, Missing
from bench.place import Place
from bench.screen import PAUSE_S, QUIET, Watched, session
from bench.watching import wait
from contract.status import NEEDS_APPROVAL, WORKING, AgentStatus, Weighed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.dose import Dose
    from bench.race import Taken

AGENTS, SESSIONS = 1000, 20
ROUNDS = 20
MOST, MOST_MS = 0.3, 150.0
PS, JSON, ALONE, THEIRS = "yourturn ps", "yourturn ps --json", "yourturn ps, sessions", "claude agents --json"
SHAPES = {
    PS: f"{PS}, {AGENTS} agents in {SESSIONS} sessions",
    JSON: f"{JSON}, {AGENTS} agents in {SESSIONS} sessions",
    ALONE: f"{PS}, {AGENTS} sessions",
}
KEYS = {PS: "verbs.ps", JSON: "verbs.ps.json", ALONE: "verbs.ps.sessions"}


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    yield from list_figures(dose)
    yield from dispatch.figures(dose)
    with place.folder() as path, Watched(Place(path), QUIET) as where:
        taken = delays(where, dose.rounds(ROUNDS))
    budget = Budget(race.p95(taken), MOST_MS, "ms at p95", hard=False)
    what = f"status file to the end of `yourturn wait`, {QUIET} sessions"
    yield figure.of("verbs.wait", what, taken, budgets=(budget,))


# ps


def list_figures(dose: Dose) -> Iterator[Figure | Missing]:
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    try:
        client = find()
    except MissingError as why:
        client = ""
        yield Missing(THEIRS, f"there is no client: {why}")
    with place.folder() as path:
        yield from told(measure(Place(path), client, dose.rounds(ROUNDS)))


def measure(where: Place, client: str, rounds: int) -> dict[str, list[Taken]]:
    with contextlib.ExitStack() as stack:
        families = stack.enter_context(Watched(Place(f"{where.path}/families"), 0))
        alone = stack.enter_context(Watched(Place(f"{where.path}/alone"), AGENTS))
        fill(families)
        ours = words.command()
        runs = {
            PS: partial(race.run, [*ours, "ps"], families.environment()),
            JSON: partial(race.run, [*ours, "ps", "--json"], families.environment()),
            ALONE: partial(race.run, [*ours, "ps"], alone.environment()),
        }
        for one in (families, alone):
            assert len(listed(one)) == AGENTS, "not all agents are listed"
        if client:
            single = Place(f"{where.path}/single")
            stack.enter_context(Crowd(single, 1))
            env = single.environment(CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1")
            assert words.listed([client, "agents", "--json"], env) == 1, "the client does not list its session"
            runs[THEIRS] = partial(race.run, [client, "agents", "--json"], env)
        return race.interleaved(runs, rounds)


def told(taken: dict[str, list[Taken]]) -> Iterator[Figure]:
    walls = {name: figure.walls(many) for name, many in taken.items()}
    theirs = walls.pop(THEIRS, None)
    for name, ours in walls.items():
        if theirs is None:
            yield figure.of(KEYS[name], SHAPES[name], ours)
            continue
        budget = Budget(race.median(ours) / race.median(theirs), MOST, hard=False)
        yield figure.beside(KEYS[name], SHAPES[name], ours, THEIRS, theirs, budgets=(budget,))
    if theirs:
        yield figure.of("beside.agents.one", f"{THEIRS}, 1 session", theirs)


def fill(where: Watched) -> None:
    """With families of agents, each with as much evidence as a watcher writes down."""
    for number in range(SESSIONS):
        one = session(number, WORKING, f"{AGENTS // SESSIONS} agents")
        weighed = tuple(Weighed("hook", f"a call began: Bash {k}", one.since + k, kind="told then") for k in range(3))
        main = one.agents[0]._replace(weighed=weighed)
        subs = (_sub_agent(main, k) for k in range(AGENTS // SESSIONS - 1))
        where.put(one._replace(agents=(main, *subs)))


def listed(where: Watched) -> list[str]:
    done = subprocess.run([*words.command(), "ps"], env=where.environment(), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[1:]


def _sub_agent(main: AgentStatus, number: int) -> AgentStatus:
    return main._replace(key=f"a{number:03x}f00d", kind="sub_agent", type="general-purpose", parent="main")


# wait


def delays(where: Watched, rounds: int) -> list[float]:
    return [_delay(where) for _ in range(rounds + 1)][1:]


def _delay(where: Watched) -> float:
    """Milliseconds from the file to the end of the process, which is what a script goes on after."""
    where.put(session(0, WORKING, ""))
    where.beat()
    argv = [*words.command(), "wait", "session-000", "--for", NEEDS_APPROVAL]
    with subprocess.Popen(argv, env=where.environment(), stdout=subprocess.DEVNULL) as process:
        try:
            wait(lambda: has_file_events(process.pid) and is_at_rest(process.pid), "`yourturn wait` does not wait")
            began = time.perf_counter()
            where.put(session(0, NEEDS_APPROVAL, "Bash: a step"))
            code = process.wait()
            taken = (time.perf_counter() - began) * race.MS
        finally:
            process.kill()
    assert code == 0, f"`yourturn wait` ended with {code}"
    return taken


def is_at_rest(pid: int) -> bool:
    """Its first look is behind it: it has taken no time for a while."""
    before = cpu.spent(pid)
    time.sleep(PAUSE_S)
    return cpu.spent(pid) == before


def has_file_events(pid: int) -> bool:
    """Linux says so; elsewhere a second must be enough."""
    if not os.path.isdir("/proc/self/fdinfo"):
        time.sleep(1)
        return True
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fdinfo"):
            with open(f"/proc/{pid}/fdinfo/{name}", encoding="ascii") as file:
                if "inotify wd:" in file.read():
                    return True
    return False
