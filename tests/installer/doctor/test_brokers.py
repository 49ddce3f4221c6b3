"""What doctor says of brokers, and of what is shared."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contract import broker_connections, store
from contract.broker_connections import ConnectionState
from installer.doctor import brokers, doctor
from installer.doctor.brokers import Brokers
from support.diagnosing import NOW, PROGRAM, WELL, verdict
from support.other_machines import host, put_host

HUB = ConnectionState("hub", "mqtts://hub.example", reached=True, since=NOW - 90, hosts=3, sessions=7)
SHARED = HUB._replace(name="")
FAR = host("a\x1b[31m", source="mqtts://hub.example (hub)", reached=False)


def test_who_has_no_broker_reads_nothing_of_one() -> None:
    found = {check.name for check in doctor.diagnose(WELL, PROGRAM, NOW)}
    assert not [name for name in found if name.startswith(("broker", "share"))]


@pytest.mark.parametrize(
    ("name", "seen", "wanted", "words"),
    [
        ("broker hub", {"known": (HUB,)}, "ok", "3 machines, 7 sessions"),
        ("broker hub", {"known": (HUB,), "silent": (FAR,)}, "ok", "out of reach or unknown: a"),
        ("broker hub", {"known": (HUB._replace(reached=False, why="it refuses us"),)}, "warn", "refuses us, for 1 m"),
        ("broker hub", {"known": (HUB._replace(left_out="4 hosts with unfit names"),)}, "warn", "unfit names"),
        ("share", {"sharing": SHARED}, "ok", "7 sessions are shared with mqtts://hub.example"),
        ("share", {"sharing": SHARED._replace(why="it does not let us write")}, "warn", "let us write"),
        ("share", {"sharing": ConnectionState("")}, "warn", "nothing is known"),
    ],
)
def test_what_is_said_of_them(name: str, seen: dict[str, Any], wanted: str, words: str) -> None:
    got, told, remedy = verdict(name, replace(WELL, brokers=Brokers(**seen)))
    assert (got, words in told, bool(remedy)) == (wanted, True, wanted != "ok"), (told, remedy)
    assert told.isprintable()


def test_they_are_read_from_what_the_collector_writes(tmp_path: Path) -> None:
    home, chosen = str(tmp_path), f"{tmp_path}/hosts.toml"
    assert brokers.look(home, chosen) == Brokers()
    store.private_folder(home)
    for name in ("hosts.toml", "share.toml"):
        (tmp_path / name).write_text("")
    put_host(tmp_path, host("box", source="mqtts://hub.example (hub)", reached=False))
    put_host(tmp_path, host("other", reached=False))
    broker_connections.write(home, HUB)
    found = brokers.look(home, chosen)
    assert (found.known, found.sharing, [one.name for one in found.silent]) == ((HUB,), ConnectionState(""), ["box"])
