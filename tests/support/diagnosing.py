"""What doctor sees where all is well, and what it says where something differs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from contract.status import Heartbeat
from contract.version import VERSION
from installer.doctor import doctor
from installer.doctor.probes import Seen
from installer.doctor.volume import Volume
from installer.hooks import entries
from installer.hooks.program import Program
from installer.place import Place

if TYPE_CHECKING:
    from support.installing import Person

NOW = 1_000_000.0
PROGRAM = Program("/v/python", "/p/hook.py")
OURS = {
    "hooks": {event: [entries.group(entry)] for event, entry in entries.entries(entries.command_of(PROGRAM)).items()}
}
WELL = Seen(
    place=Place("/c/settings.json", "/s"),
    client="/bin/claude",
    client_version="2.1.325",
    settings=OURS,
    programs={PROGRAM: None},
    last_event=NOW - 3,
    watcher_alive=True,
    holder=7,
    beat=Heartbeat(7, "1", VERSION, NOW - 1),
    beat_lives=True,
    home_exists=True,
    volume=Volume(free=1 << 30, kind="ext4"),
)


def verdict(name: str, seen: Seen) -> tuple[str, str, str]:
    found = next(one for one in doctor.diagnose(seen, PROGRAM, NOW) if one.name == name)
    return found.verdict, found.seen, found.remedy or ""


Sick = tuple[str, str, dict[str, Any], str, str]  # the check, its verdict, what is seen, words of it and of the remedy


def check_told(sick: Sick) -> None:
    name, wanted, different, words, remedy = sick
    seen = replace(WELL, **different)
    got, said, advice = verdict(name, seen)
    assert (got, words in said, remedy in advice) == (wanted, True, True), (said, advice)
    assert doctor.is_well(doctor.diagnose(seen, PROGRAM, NOW)) is (wanted != "FAIL")


def examine(person: Person) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit code, and verdict and words of each check."""
    done = person.runs("doctor", "--json", PATH=f"{person.root}/bin:/usr/bin:/bin")
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert told["v"] == 1
    assert told["ok"] is (done.returncode == 0)
    return done.returncode, {one["name"]: (one["verdict"], one["seen"]) for one in told["checks"]}
