"""State folders that are not as they should be: no flock, another owner, links, a careless umask."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from contract import paths
from contract.facts import Stamp
from recorder import trouble
from torture import means
from torture.apart import FellError, apart
from torture.hooks import ended, started
from torture.kills import open_to_others
from torture.looking import Look, behind_a_wall
from torture.result import Count, MissingError, Result
from torture.room import SESSION, call, contents, event

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from torture.dose import Dose
    from torture.room import Room

NAME = "folders"
WHAT = "no flock, a state folder of another user, links in it, umask 000: no event lost, nobody let in"
NO_FLOCK = ("ENOLCK", "ENOSYS", "EOPNOTSUPP")
PRECIOUS = b"precious"
FACT, STATUS = f"facts/{SESSION}.main.json", f"status/{SESSION}.json"
NAMES = (
    FACT, f"{FACT}.tmp", f"{FACT}.lock", "hook.log", STATUS, f"{STATUS}.tmp", "watcher.json.tmp", "observations.jsonl",
)  # fmt: skip
KINDS: dict[str, Callable[[str, str], None]] = {"a symbolic link": os.symlink, "a hard link": os.link}


def run(dose: Dose) -> Result:
    means.need_strace()
    counts = [_no_flock(dose), _links(dose), _linked_folder(dose), _umask(dose)]
    missing = ""
    try:
        counts.append(_foreign(dose))
    except MissingError as error:
        missing = str(error)
    return Result(NAME, tuple(one.tally() for one in counts), missing)


def _no_flock(dose: Dose) -> Count:
    """Hooks at once, each of which is told by the kernel that there are no such locks."""
    count = Count("events without flock")
    errors = NO_FLOCK * dose.pick(0, 5) or NO_FLOCK[:1]
    for number, error in enumerate(errors):
        room = dose.room(f"folders-flock-{number}")
        room.hook(event("UserPromptSubmit", prompt="x"))
        names = [f"t{k}" for k in range(dose.pick(8, 32))]
        with ExitStack() as stack:
            for one, trace in [_without_flock(room, name, error, stack) for name in names]:
                said = ended(one)
                count.blow(hit=b"(INJECTED)" in contents(trace), where=error)
                count.check((one.returncode, said) == (0, b""), f"{error}: exit {one.returncode}, {said!r}")
        for name in set(names) - (room.calls() or set()):
            count.lost(f"{error}: {name} is lost")
        left = [name for name in os.listdir(f"{room.state}/facts") if ".held" in name]
        count.check(not left, f"{error}: left behind: {left}")
        dose.progress(count)
    return count


def _without_flock(room: Room, name: str, error: str, stack: ExitStack) -> tuple[subprocess.Popen[bytes], str]:
    """A hook that is on its way, and where its trace will lie."""
    trace = f"{room.path}/trace-{name}"
    around = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=flock", "-e", f"inject=flock:error={error}"]
    return stack.enter_context(started(room, call("PreToolUse", name), around)), trace


def _links(dose: Dose) -> Count:
    """A link at each name that a hook or a watcher writes: what it leads to stays as it is."""
    count = Count("links in the state folder")
    for kind in KINDS:
        for number, name in enumerate(NAMES):
            room = dose.room(f"folders-{'hard' if 'hard' in kind else 'soft'}-{number}")
            where = f"{kind} at {name}"
            precious = _lay(room, name, kind)
            count.blow(hit=os.path.lexists(f"{room.state}/{name}"), where=where)
            count.check(room.hook(call("PreToolUse", "t1")).is_silent, f"{where}: the hook complains")
            room.hook(b"no event")  # which is a line in the log
            _look_apart(room, count, where)
            count.check(contents(precious) == PRECIOUS, f"{where}: behind it is {contents(precious)[:60]!r} now")
    return count


def _lay(room: Room, name: str, kind: str) -> str:
    """The file behind the link."""
    room.hook(call("PreToolUse", "t0"))
    precious, at = f"{room.path}/precious", f"{room.state}/{name}"
    with open(precious, "wb") as file:
        file.write(PRECIOUS)
    os.makedirs(os.path.dirname(at), 0o700, exist_ok=True)
    with suppress(FileNotFoundError):
        os.unlink(at)
    KINDS[kind](precious, at)
    return precious


def _look_apart(room: Room, count: Count, where: str) -> None:
    try:
        apart(lambda: _looked(room))
    except FellError as error:
        count.lost(f"{where}: the watcher fell: {error}")


def _looked(room: Room) -> bool:
    behind_a_wall()
    Look(room).watch.look_at_all()
    return True


def _linked_folder(dose: Dose) -> Count:
    """The folder of facts is a link to somewhere else: nothing is made there."""
    count = Count("the folder of facts is a link")
    room = dose.room("folders-facts")
    elsewhere = f"{room.path}/elsewhere"
    os.mkdir(elsewhere)
    os.mkdir(room.state, 0o700)
    os.symlink(elsewhere, paths.fact_dir(room.state))
    count.blow(hit=os.path.islink(paths.fact_dir(room.state)))
    count.check(room.hook(call("PreToolUse", "t1")).is_silent, "the hook complains")
    count.check(not os.listdir(elsewhere), f"{os.listdir(elsewhere)} was made behind the link")
    return count


def _umask(dose: Dose) -> Count:
    count = Count("umask 000")
    room = dose.room("folders-umask")

    def careless() -> None:
        os.umask(0)

    def look() -> bool:
        careless()
        return _looked(room)

    for payload in (call("PreToolUse", "t0"), b"no event", call("PreToolUse", "t1")):
        count.blow(hit=room.hook(payload, first=careless).is_silent)
    apart(look)
    count.check(not open_to_others(room.state), f"open to others: {open_to_others(room.state)}")
    return count


def _foreign(dose: Dose) -> Count:
    """A state folder of another user, met by root and by that other one in root's."""
    means.need_root("a state folder of another user")
    count = Count("state folders of another user")
    for owner, speaker in ((means.NOBODY, 0), (0, means.NOBODY), (means.NOBODY, 1234)):
        room = dose.room(f"folders-{owner}-{speaker}")
        os.makedirs(f"{room.state}/facts")
        for path in (room.path, room.state, f"{room.state}/facts"):
            os.chown(path, owner, owner)
            os.chmod(path, 0o777)  # noqa: S103 - the worst case: they could write there
        refused = apart(lambda room=room: _refusal(room), uid=speaker)  # type: ignore[misc]
        count.blow(hit="another user" in refused, where=f"{speaker} in a folder of {owner}: {refused!r}")
        left = [name for _, folders, files in os.walk(room.state) for name in (*folders, *files) if name != "facts"]
        count.check(not left, f"{speaker} left {left} in a folder of {owner}")
        shutil.rmtree(room.path)
    return count


def _refusal(room: Room) -> str:
    """What the hook would note, which it cannot do either."""
    try:
        room.keep(call("PreToolUse", "t0"))
    except OSError as error:
        with suppress(OSError):
            trouble.note(room.state, Stamp((0.0, 0.0)), error)
        return str(error)
    return ""
