"""The checks of other machines."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract import hosts
from contract.hosts import Host
from contract.pulse import Pulse
from contract.status import Heartbeat
from contract.version import VERSION
from installer.doctor import doctor, machines
from installer.doctor.machines import Machines
from support.diagnosing import NOW, PROGRAM, WELL, Sick, check_told, verdict
from support.other_machines import collector, host, put_host

if TYPE_CHECKING:
    from pathlib import Path

ALIVE = Pulse(Heartbeat(9, "1", VERSION, NOW), locked=True)


def box(**more: Any) -> Host:
    return Host(
        "box", **{"source": "ssh box", "reached": True, "known": True, "since": NOW, "version": VERSION, **more}
    )


def seen(*known: Host, **more: Any) -> dict[str, Any]:
    return {"machines": Machines("/c/hosts.toml", **{"named": ("box",), "hosts": known, "collector": ALIVE, **more})}


SICK: dict[str, Sick] = {
    "a broken file": ("machines", "FAIL", seen(trouble="line 3\x1b"), "/c/hosts.toml: line 3", "Fix it"),
    "no collector": (
        "machines", "warn", seen(collector=Pulse()), "no collector is running, so the states of box", "collector.log",
    ),
    "a collector that starts": ("machines", "warn", seen(collector=Pulse(starting=True)), "is starting", "status"),
    "a collector that is stuck": (
        "machines", "warn", seen(collector=Pulse(Heartbeat(9, "1", VERSION, NOW - 99), locked=True)), "not respond",
        "status",
    ),
    "a collector of another version": (
        "machines", "warn", seen(collector=Pulse(Heartbeat(9, "1", "0.0", NOW), locked=True)), "version 0.0", "kill 9",
    ),
    "a machine out of reach": (
        "host box", "warn", seen(box(reached=False, known=False, since=NOW - 180, why="Connection refused")),
        "out of reach for 3 m: Connection refused", "ssh box yourturn status",
    ),
    "a machine that does not know its states": (
        "host box", "warn", seen(box(known=False, why="no watcher")), "it does not know how its agents are", "there",
    ),
    "sessions that were left out": (
        "host box", "warn", seen(box(why="9500 of its sessions could not be read, or were too many")), "9500 of its",
        "there",
    ),
    "another version": ("host box", "warn", seen(box(version="0.0\x1b[31m")), "runs yourturn 0.0 [31m; this", "Update"),
    "an older version": ("host box", "warn", seen(box(version="")), "of an older version", "Update"),
    "one that was not asked yet": ("host box", "warn", seen(), "not been asked", ""),
    "all well": ("host box", "ok", seen(box()), "reached by: ssh box", ""),
}  # fmt: skip


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_what_is_wrong_is_said_with_what_to_do(sick: Sick) -> None:
    check_told(sick)


def test_who_looks_at_no_other_machine_reads_nothing_of_them() -> None:
    names = [check.name for check in doctor.diagnose(WELL, PROGRAM, NOW)]
    assert not [name for name in names if name.startswith(("machines", "host"))]


def test_a_hostile_name_or_reason_is_shown_clean() -> None:
    hostile = Host("b\x1b[2Jx" * 99, "ssh \x1b]0;x\x07", why="a\nb\x1b[31m")
    for check in doctor.diagnose(replace(WELL, **seen(hostile)), PROGRAM, NOW):
        assert (check.name + check.seen + (check.remedy or "")).isprintable()


@pytest.mark.parametrize(
    ("text", "trouble"),
    [("[box\n", "line 1"), ("box = 1\n", "[box] names neither"), ('[box]\nport = "7"\n', "[box] names neither")],
)
def test_a_file_that_is_wrong_is_looked_into(text: str, trouble: str, tmp_path: Path) -> None:
    (tmp_path / "hosts.toml").write_text(text)
    found = machines.look(str(tmp_path), str(tmp_path / "hosts.toml"))
    assert found
    assert trouble in found.trouble


def test_what_it_sees_is_what_the_collector_has_written(tmp_path: Path) -> None:
    (tmp_path / "hosts.toml").write_text('[box]\ncommand = "ssh box"\n')
    put_host(tmp_path, host("box", reached=False, why="no route"))
    with collector(tmp_path):
        found = machines.look(str(tmp_path), str(tmp_path / "hosts.toml"))
    assert found
    assert (found.trouble, found.named, [one.why for one in found.hosts]) == ("", ("box",), ["no route"])
    assert found.collector.watcher(time.time()).value == "alive"
    assert machines.look(str(tmp_path), str(tmp_path / "none.toml")) is None
    assert verdict("machines", replace(WELL, machines=found._replace(collector=ALIVE)))[0] == "ok"
    assert hosts.names(str(tmp_path)) == ["box"]
