"""Errors and short writes on each system call of the hook that touches a file."""

from __future__ import annotations

import resource
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING

from contract import paths
from torture import means, tracing
from torture.kills import judge, play
from torture.result import Count, Result
from torture.room import contents
from torture.scenes import NEW, SCENES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torture.dose import Dose
    from torture.scenes import Scene
    from torture.tracing import Blow

NAME = "errors"
WHAT = "errors and short writes on each system call of the hook that touches a file: silent, exit 0, nothing torn"
ERRORS = ("ENOSPC", "EIO", "EACCES", "EMFILE", "EINTR")
LASTING = ("ENOSPC", "EIO")  # not EINTR: Python itself would ask again for ever
CUT = "import posix; whole = posix.write; posix.write = lambda fd, data: whole(fd, memoryview(data)[:{size}])"


def run(dose: Dose) -> Result:
    means.need_strace()
    scenes = [_scene(dose, scene, f"errors-{number}") for number, scene in enumerate(SCENES[: dose.pick(1, None)])]
    return Result(NAME, tuple(one.tally() for one in (*scenes, _cut_off(dose), _in_pieces(dose))))


def _scene(dose: Dose, scene: Scene, name: str) -> Count:
    count = Count(f"errors: {scene.name}")
    learned = play(dose.room(name), scene)
    for number, (blow, error, lasts) in enumerate(_injections(dose, learned.trace)):
        room = dose.room(f"{name}-{number}")
        traced = play(room, scene, f"{blow.name}:error={error}:when={blow.number}{lasts}")
        where = f"{scene.name}, {error} at {blow}{lasts}"
        count.blow(hit=traced.was_injected, where=where)
        count.check(traced.done.is_silent, f"{where}: {traced.done}")
        is_told = NEW in room.all_calls() or room.log() or lasts or paths.hook_log(room.state) in traced.trace
        count.check(is_told, f"{where}: lost, and the log does not say so")
        judge(count, room, scene, where)
        dose.progress(count)
    return count


def _injections(dose: Dose, trace: str) -> Iterator[tuple[Blow, str, str]]:
    """One error for each call in a short dose, all of them in a long one; once, and from then on."""
    first = dose.seed % len(ERRORS)
    turn = cycle(ERRORS[first:] + ERRORS[:first])
    for blow in tracing.blows(trace):
        for error in ERRORS if dose.is_long else (next(turn),):
            yield blow, error, ""
            if dose.is_long and error in LASTING:
                yield blow, error, "+"


def _cut_off(dose: Dose) -> Count:
    """Real short writes: the kernel takes so many bytes of a file and no more."""
    count = Count("writes cut off at so many bytes")
    scene = SCENES[0]
    room = dose.room("errors-whole")
    play(room, scene)
    # Not the last tenth: the next fact may be some bytes shorter, as a time may end in zeros, and would not be cut off.
    size = len(contents(room.fact_path())) * 9 // 10
    for limit in range(0, size, max(1, size // dose.pick(5, 60))):
        room = dose.room(f"errors-cut-{limit}")
        scene.prepare(room)
        before = room.calls()
        argv = [room.argv[0], "-B", *room.argv[1:]]  # bytecode would be cut off, too, and stay so
        first = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        done = room.hook(scene.payload, argv=argv, first=first)
        where = f"a write cut off at {limit}"
        count.blow(hit=room.calls() == before, where=where)
        count.check(done.is_silent, f"{where}: {done}")
        judge(count, room, scene, where)
        dose.progress(count)
    return count


def _in_pieces(dose: Dose) -> Count:
    """A write that takes less than it was given, again and again: in the end all of it is there."""
    count = Count("writes in pieces")
    for size in dose.pick((7, 100), (1, 2, 7, 64, 100, 333)):
        room = dose.room(f"errors-pieces-{size}")
        SCENES[0].prepare(room)
        done = room.hook(SCENES[0].payload, argv=room.argv_with(CUT.format(size=size)))
        count.blow(hit=done.is_silent, where=f"pieces of {size} bytes: {done}")
        count.check(NEW in (room.calls() or ()), f"pieces of {size} bytes: the event is lost")
        judge(count, room, SCENES[0], f"pieces of {size} bytes")
    return count
