"""Full and freed disks: a small one of our own, filled to several levels. `python -m torture.disks` is the inside."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL
from torture import means
from torture.looking import Look, behind_a_wall
from torture.result import Count, MissingError, Result, Tally
from torture.room import PROJECT, Room, asks, call

if TYPE_CHECKING:
    from torture.dose import Dose

NAME = "disks"
WHAT = "full and freed disks: nothing is torn, and once there is room again all goes on"
PAGE = 4096
PAGES = 64
MANY = 60  # calls under way make a fact of several pages


def run(dose: Dose) -> Result:
    means.need("mount")
    way = means.unshare("--mount")
    room = dose.room("disks")
    levels = dose.pick([0, 1, 2, 4, 9], [*range(20), 24, 32])
    inside_of = [sys.executable, "-m", "torture.disks", room.path, room.guest, json.dumps(levels)]
    done = subprocess.run([*way, *inside_of], cwd=PROJECT, capture_output=True, check=False)
    if done.returncode == os.EX_UNAVAILABLE:
        raise MissingError("the right to mount a tmpfs (run it as root, and not in a closed container)")
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    found = json.loads(done.stdout)
    return Result(NAME, tuple(Tally(what, tried, hit, tuple(lost)) for what, tried, hit, lost in found))


def inside(path: str, guest: str, levels: list[int]) -> int:
    """In a mount namespace of its own: the disk goes with it."""
    disk = f"{path}/disk"
    os.mkdir(disk)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={PAGES * PAGE}", "torture", disk]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        return os.EX_UNAVAILABLE
    behind_a_wall()
    full, freed = Count("events on a full disk"), Count("events after it was freed")
    refused = sum(_level(Room(f"{disk}/{level}", guest), level, full, freed) for level in levels)
    full.check(0 < refused < len(levels), f"{refused} of {len(levels)} events were refused: the levels show nothing")
    print(json.dumps([full.tally(), freed.tally()]))
    return 0


def _level(room: Room, level: int, full: Count, freed: Count) -> bool:
    """With so many pages left; whether the event was refused."""
    os.mkdir(room.path, 0o700)
    for k in range(MANY):
        room.keep(call("PreToolUse", f"t{k}"))
    look = Look(room)
    filler = f"{room.path}/filler"
    full.blow(hit=_fill(filler, level), where=f"{level} pages left")
    was_refused = _on_a_full_disk(room, f"{level} pages left", full)
    look.watch.look_at_all()  # it may not be able to tell anything; it may not fall
    os.unlink(filler)
    done = room.hook(asks())
    look.watch.look_at_all()
    freed.blow(hit=done.is_silent, where=f"{level} pages left")
    freed.check(look.shows() == NEEDS_APPROVAL, f"{level} pages left: after it was freed the light is {look.shows()!r}")
    freed.check(not os.path.exists(room.fact_path() + ".tmp"), f"{level} pages left: a half fact is left behind")
    shutil.rmtree(room.path)
    return was_refused


def _on_a_full_disk(room: Room, where: str, count: Count) -> bool:
    before = room.calls() or set()
    done = room.hook(call("PreToolUse", "new"))
    after = room.calls()
    count.check(done.is_silent, f"{where}: {done}")
    count.check(after in (before, before | {"new"}), f"{where}: the fact is torn: {after}")
    return after == before


def _fill(path: str, left: int) -> bool:
    """Whether so many pages are left."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        while os.write(fd, b"x" * PAGE):
            pass
    except OSError:
        os.ftruncate(fd, max(0, os.fstat(fd).st_size // PAGE - left) * PAGE)
    seen = os.fstatvfs(fd)
    os.close(fd)
    return seen.f_bavail * seen.f_frsize == left * PAGE


if __name__ == "__main__":
    sys.exit(inside(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
