"""kill -9 at each system call of the hook that touches a file."""

from __future__ import annotations

import marshal
import os
import sys
from typing import TYPE_CHECKING

from contract import facts
from torture import means, tracing
from torture.result import Count, Result
from torture.room import Room, call, contents
from torture.scenes import NEW, NEXT, OLD, SCENES, touched

if TYPE_CHECKING:
    from torture.dose import Dose
    from torture.scenes import Scene

NAME = "kills"
WHAT = "kill -9 at each system call of the hook that touches a file: the fact is the old one or the new one, whole"
BUNDLE = f"packed_claude.{sys.implementation.cache_tag}.pyc"
PACKING = f"{BUNDLE}."  # the name under which the modules of a hook are put together


def run(dose: Dose) -> Result:
    means.need_strace()
    scenes = [_scene(dose, scene, f"kills-{number}") for number, scene in enumerate(SCENES[: dose.pick(2, None)])]
    return Result(NAME, tuple(one.tally() for one in (*scenes, _bundle(dose))))


def _scene(dose: Dose, scene: Scene, name: str) -> Count:
    count = Count(f"killed: {scene.name}")
    learned = play(dose.room(name), scene)
    for blow in tracing.blows(learned.trace):
        room = dose.room(f"{name}-{blow.name}-{blow.number}")
        traced = play(room, scene, f"{blow.name}:signal=SIGKILL:when={blow.number}")
        count.blow(hit=traced.was_killed, where=f"{scene.name}, {blow}")
        judge(count, room, scene, f"{scene.name}, killed at {blow}")
        dose.progress(count)
    return count


def play(room: Room, scene: Scene, inject: str = "") -> tracing.Traced:
    scene.prepare(room)
    return tracing.run(room, scene.payload, touched(room), inject, scene.pid)


def judge(count: Count, room: Room, scene: Scene, where: str) -> None:
    """Nothing is torn, nothing is open to others, and the next event is kept."""
    found = room.calls()
    under_way = found or set()
    count.check(found is not None or scene.is_torn, f"{where}: the fact is torn")
    count.check(under_way in scene.may_be, f"{where}: under way is {under_way}")
    room.hook(call("PreToolUse", NEXT))
    after = room.calls() or set()
    count.check(NEXT in after and under_way <= after, f"{where}: after the next event {after} is under way")
    count.check(not open_to_others(room.state), f"{where}: open to others: {open_to_others(room.state)}")
    for name in os.listdir(f"{room.state}/facts"):
        if name.endswith(".json"):
            count.check(facts.decode(contents(f"{room.state}/facts/{name}")), f"{where}: {name} is torn")


def open_to_others(folder: str) -> list[str]:
    found = [folder, *(f"{at}/{name}" for at, folders, files in os.walk(folder) for name in (*folders, *files))]
    return [path for path in found if os.lstat(path).st_mode & 0o077]


def _bundle(dose: Dose) -> Count:
    """The one file that hooks write outside the state folder: all their modules, compiled."""
    count = Count("killed: packing its modules")
    room = Room.make(f"{dose.folder}/kills-bundle", f"{dose.folder}/kills-bundle-guest")
    room.hook(call("PreToolUse", OLD))
    learned = _unpacked(room)
    for blow in list(tracing.blows(learned.trace, PACKING))[: dose.pick(6, None)]:
        traced = _unpacked(room, f"{blow.name}:signal=SIGKILL:when={blow.number}")
        count.blow(hit=traced.was_killed, where=f"packing, {blow}")
        count.check(room.calls() == {NEW}, f"packing, {blow}: the event is lost")
        count.check(room.hook(call("PostToolUse", NEW)).is_silent, f"packing, {blow}: the next hook complains")
        count.check(room.calls() == set(), f"packing, {blow}: the next event is lost")
        count.check(_is_packed(room), f"packing, {blow}: nobody packs them any more")
        dose.progress(count)
    return count


def _unpacked(room: Room, inject: str = "") -> tracing.Traced:
    for path in _bundles(room):
        os.unlink(path)
    os.unlink(room.fact_path())  # a call that has ended does not begin again
    return tracing.run(room, call("PreToolUse", NEW), [], inject)


def _bundles(room: Room) -> list[str]:
    folder = f"{room.guest}/recorder/__pycache__"
    return [f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(BUNDLE)]


def _is_packed(room: Room) -> bool:
    whole = [path for path in _bundles(room) if path.endswith(BUNDLE)]
    return bool(whole) and bool(marshal.loads(contents(whole[0])))  # noqa: S302 - our own
