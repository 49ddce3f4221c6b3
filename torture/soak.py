"""A busy day of many sessions on one watcher, in virtual time: memory, descriptors and files stay as they are."""

from __future__ import annotations

import gc
import json
import os
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any

import psutil

from contract import paths, store
from simulator.disk import Disk, hooks_see
from simulator.generate import generate
from simulator.model import play
from simulator.observation import File, Hook, Line, Observation, Process
from simulator.table import Table
from simulator.visits import visits_see
from simulator.watching import Watching
from torture.apart import apart
from torture.looking import behind_a_wall
from torture.result import Count, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simulator.program import Program
    from torture.dose import Dose

NAME = "soak"
WHAT = "a busy day on one watcher in virtual time: memory, descriptors and files do not grow"
QUIET_S = 75.0  # longer than facts of an ended session linger
MEMORY_MB = 6.0  # what one watcher may grow by in the second half of the day
PATIENCE_S = 3600.0


class Day(Watching):
    """One watcher, and one program after the other."""

    @property
    def folders(self) -> int:
        return len(self._watch.folders)


def run(dose: Dose) -> Result:
    programs = dose.pick(24, 400)
    found = apart(lambda: _day(dose, programs), patience=PATIENCE_S)
    count = Count("programs of people and agents")
    for _ in range(found["played"]):
        count.blow(hit=True)
    count.check(found["shown"] > programs, f"only {found['shown']} changes were shown: the watcher saw nothing")
    middle, end = found["marks"]
    for name in ("descriptors", "facts", "statuses", "folders watched"):
        count.check(end[name] <= middle[name], f"{name} grew from {middle[name]} to {end[name]}")
    grown = end["memory"] - middle["memory"]
    count.check(grown < MEMORY_MB, f"the memory grew by {grown:.1f} MB in the second half")
    size = f"{end['memory']:.1f} MB, {grown:+.1f} MB in the second half, {end['descriptors']} descriptors"
    remark = f"{programs} programs, {found['seconds'] / 3600:.1f} hours: {size}"
    return Result(NAME, (count.tally(),), remarks=(remark,))


def _day(dose: Dose, programs: int) -> dict[str, Any]:
    behind_a_wall()
    table = Table(readable=True)
    disk = Disk(f"{dose.folder}/soak", table)
    now, marks, shown = 0.0, [], 0
    with hooks_see(table), visits_see(table) as visits:
        watching = Day(disk, table, visits)
        for played, program in enumerate(_some(dose.seed, programs), 1):
            now = _follow(watching, disk, program, now)
            shown += len(watching.shown)
            del watching.shown[:-1]
            dose.say(f"{played} programs")
            if played in (programs // 2, programs):
                marks.append(_mark(disk.home, watching))
    return {"marks": marks, "shown": shown, "played": played, "seconds": now}


def _some(seed: int, number: int) -> Iterator[Program]:
    """Without those that set the clock or start another watcher: one watcher has to live through all of it."""
    found = 0
    while found < number:
        seed += 1
        program = generate(seed)
        if program.processes and not {"jump", "restart"} & {fault.kind for fault in program.faults}:
            found += 1
            yield program


def _follow(watching: Day, disk: Disk, program: Program, begun: float) -> float:
    """Play a program from this second on, end all its processes, and wait until it is forgotten."""
    played = play(program, disk.config)
    seen = [_later(one, begun) for one in played.seen]
    end = begun + ceil(played.end) + 1.0  # whole seconds: what is told in ticks is told the same way
    pids = {one.pid for one in played.seen if isinstance(one, Process)}
    seen += [Process(end, pid, is_alive=False) for pid in sorted(pids)]
    watching.go_on(seen, begun, end + QUIET_S)
    return end + QUIET_S


def _later(one: Observation, by: float) -> Observation:
    """The same, so many seconds later, whatever times it carries."""
    one = replace(one, at=one.at + by)
    if isinstance(one, Hook):
        wall, tick = one.stamp
        return replace(one, stamp=(wall + by, tick + by))
    if isinstance(one, Line | File) and one.data:
        return replace(one, data=json.dumps(_dated(json.loads(one.data), by)).encode() + b"\n")
    return one


def _dated(record: dict[str, Any], by: float) -> dict[str, Any]:
    stamp = record.get("timestamp")
    if stamp:
        moment = datetime.fromisoformat(stamp) + timedelta(seconds=by)
        record["timestamp"] = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    for name in ("startedAt", "statusUpdatedAt"):
        if name in record:
            record[name] += int(by * 1000)
    if "procStart" in record:
        record["procStart"] = str(int(record["procStart"]) + int(by * 100))
    return record


def _mark(home: str, watching: Day) -> dict[str, float]:
    gc.collect()
    process = psutil.Process()
    return {
        "memory": process.memory_info().rss / 1e6,
        "descriptors": process.num_fds(),
        "facts": len(os.listdir(paths.fact_dir(home))),
        "statuses": len(store.names(paths.status_dir(home))),
        "folders watched": watching.folders,
    }
