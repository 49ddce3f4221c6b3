"""Inotify instances and watches used up: the watcher polls instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.sleepers import Sleepers
from contract import paths
from contract.status import NEEDS_APPROVAL, WORKING
from torture import means
from torture.hooks import until
from torture.looking import shown
from torture.parallel import watching
from torture.result import Count, MissingError, Result
from torture.room import asks, contents, event

if TYPE_CHECKING:
    from torture.dose import Dose

NAME = "inotify"
WHAT = "inotify instances and watches used up: the watcher lives, polls, and shows who asks"
LIMIT = 'echo {left} > /proc/sys/user/max_inotify_{what} || exit 69; exec "$@"'
NOT_ALLOWED = (1, 69)  # by unshare itself, or by the kernel
SAYS = {"instances": "no file events", "watches": "no file events"}


def run(dose: Dose) -> Result:
    """In a user namespace, whose own limits are nobody else's."""
    means.need("unshare")
    tallies = []
    for what, left in (("instances", 0), ("watches", 0), ("watches", 1)):
        count = Count(f"{left} inotify {what} left")
        _used_up(dose, what, left, count)
        tallies.append(count.tally())
        dose.progress(count)
    return Result(NAME, tuple(tallies))


def _used_up(dose: Dose, what: str, left: int, count: Count) -> None:
    room = dose.room(f"inotify-{what}-{left}")
    limited = ["unshare", "--user", "--map-root-user", "sh", "-c", LIMIT.format(left=left, what=what), "sh"]
    with Sleepers(1) as clients:
        room.keep(event("UserPromptSubmit", prompt="x"), clients.pids[0])
        watcher = watching(room, limited)
        try:
            until(lambda: shown(room) == WORKING or watcher.poll() is not None, "nothing is shown")
            if watcher.poll() in NOT_ALLOWED:
                raise MissingError("the right to user namespaces with limits of their own (run it as root)")
            room.keep(asks(), clients.pids[0])
            until(lambda: shown(room) == NEEDS_APPROVAL, "a request is not shown")
            count.check(watcher.poll() is None, "the watcher fell")
        except TimeoutError as error:
            count.lost(f"{left} {what} left: {error}: the light is {shown(room)!r}")
        finally:
            watcher.kill()
            watcher.wait()
    said = contents(paths.watcher_log(room.state)).decode()
    count.blow(hit=SAYS[what] in said, where=f"{left} {what} left, its log says {said!r}")
