"""The hook under strace: which system calls touch our files, and one of them made to fail.

`when` counts the calls of one name, and only those that touch the paths named with -P. So a first run without harm
tells which blows there are, and each of them must show in the trace that it hit.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from torture.room import contents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torture.room import Done, Room

CALL = re.compile(r"^\d+ +(\w+)\(")
KILLED = (-9, 128 + 9)


class Blow(NamedTuple):
    """The k-th system call of this name."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.name} {self.number}"


class Traced(NamedTuple):
    done: Done
    trace: str

    @property
    def was_killed(self) -> bool:
        return self.done.code in KILLED and "+++ killed by SIGKILL +++" in self.trace

    @property
    def was_injected(self) -> bool:
        return "(INJECTED)" in self.trace


def run(room: Room, payload: dict[str, Any] | bytes, touching: list[str], inject: str = "", pid: str = "") -> Traced:
    """`touching`: only system calls on these paths count; all if there is none. `pid`: of the client that speaks."""
    log = f"{room.path}/trace"
    only = [word for path in touching for word in ("-P", path)]
    what = ["-e", f"inject={inject}"] if inject else []
    env = {"CLAUDE_PID": pid} if pid else {}
    done = room.hook(payload, ["strace", "-f", "-qq", "-o", log, *only, *what], env=env)
    return Traced(done, contents(log).decode("utf-8", "replace"))


def blows(trace: str, after: str = "") -> Iterator[Blow]:
    """Every system call of the trace; only those from the one on that mentions `after`."""
    seen: Counter[str] = Counter()
    begun = not after
    for line in trace.splitlines():
        begun = begun or after in line
        found = CALL.match(line)
        if found:
            seen[found[1]] += 1
            if begun and found[1] != "exit_group":
                yield Blow(found[1], seen[found[1]])
