"""What changes on other machines is noted, in the format of our own observations, and `yourturn log` shows it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from contract import hosts, paths, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from fleet import host_observations
from fleet.incoming import Report
from fleet.mirror import Mirror
from support.command import yourturn
from support.patience import until
from support.showing import NOW, agent, piped, session


@pytest.fixture
def home(tmp_path: Path) -> str:
    store.private_folder(f"{tmp_path}/hosts")
    return str(tmp_path)


def one(state: str, **more: Any) -> SessionStatus:
    life = {"state": "running" if state == WORKING else "suspended", **more}
    return session("s1", state, agents=(agent("main", state, **life),))


def says(made: Mirror, *sessions: SessionStatus, now: float = NOW) -> None:
    made.says(Report(sessions, known=True, version="1.0"), 0.0, now)


def noted(home: str) -> list[dict[str, Any]]:
    data = store.read(paths.other_observations(home)) or b""
    return [json.loads(line) for line in data.splitlines()]


def told(home: str) -> list[tuple[str, str, Any, Any]]:
    return [(entry["kind"], entry["session"], entry.get("from"), entry.get("to")) for entry in noted(home)]


def test_each_change_is_noted_once_with_its_host(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, one(WORKING))
    says(made, one(WORKING))
    says(made, one(NEEDS_APPROVAL, detail="Bash: ls", reason="approval"), now=NOW + 1)
    says(made, now=NOW + 2)
    assert told(home) == [
        ("host", "", None, "reached"),
        ("agent_process_changed", "s1", "unknown", "running"),
        ("status_changed", "s1", "", WORKING),
        ("suspended", "s1", None, None),
        ("status_changed", "s1", WORKING, NEEDS_APPROVAL),
        ("agent_process_changed", "s1", "suspended", "gone"),
    ]
    assert {entry["host"] for entry in noted(home)} == {"box"}
    assert noted(home)[-1]["at"] == NOW + 2


def test_a_new_life_does_not_tell_again_what_was_told(home: str) -> None:
    says(Mirror(home, "box", "ssh box", NOW), one(WORKING))
    before = told(home)
    says(Mirror(home, "box", "ssh box", NOW), one(WORKING))
    assert told(home)[len(before) :] == [("host", "", None, "reached")]


def test_a_connection_that_breaks_ends_nobody(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, one(WORKING))
    made.goes_out_of_reach("no route to host", NOW + 1)
    made.goes_out_of_reach("no route to host", NOW + 2)
    made.goes_out_of_reach("no route to host", NOW + 2 + hosts.FORGOTTEN_S)
    assert told(home)[-1] == ("host", "", None, "out_of_reach")
    assert [to for *_, to in told(home)].count("out_of_reach") == 1
    assert "gone" not in [to for *_, to in told(home)]


def test_it_is_bounded_and_private(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_observations, "LIMIT", 2000)
    made = Mirror(home, "box", "ssh box", NOW)
    for number in range(100):
        says(made, one((WORKING, WAITING)[number % 2]))
    path = paths.other_observations(home)
    for file in (path, path + ".1"):
        assert os.stat(file).st_size < 4000
        assert os.stat(file).st_mode & 0o077 == 0


def test_the_log_shows_both_in_order_and_one_session_if_it_is_named(home: str, tmp_path: Path) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, one(WORKING))
    says(made, one(NEEDS_APPROVAL, detail="\x1b[31mred"), now=NOW + 10)
    own = {"v": 1, "at": NOW + 5, "kind": "status_changed", "session": "mine", "agent": "main", "by": "rule"}
    store.append(paths.observations(home), json.dumps({**own, "from": "", "to": WORKING}).encode() + b"\n", limit=9999)
    lines = yourturn(tmp_path, "log").stdout.splitlines()
    places = ["box:s1" if "box:s1 main" in line else "mine" if "mine main" in line else "box" for line in lines]
    assert places == ["box", "box:s1", "box:s1", "mine", *["box:s1"] * (len(places) - 4)]
    assert len(places) > 4
    assert "box  reached" in lines[0]
    assert "\x1b" not in "".join(lines)
    chosen = yourturn(tmp_path, "log", "--session", "s1", "--json").stdout.splitlines()
    assert {(json.loads(line)["session"], json.loads(line)["host"]) for line in chosen} == {("s1", "box")}


def test_the_log_follows_other_machines_too(home: str, tmp_path: Path) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, one(WORKING))
    with piped(tmp_path, "log", "--follow") as follower:
        assert follower.stdout
        assert "box  reached" in until(follower.stdout.readline)
        made.goes_out_of_reach("Connection refused", NOW + 1)
        last = ""
        while "out of reach" not in last:
            last = follower.stdout.readline()
    assert "box  out of reach: Connection refused" in last
