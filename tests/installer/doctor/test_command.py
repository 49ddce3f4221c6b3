"""`yourturn doctor` as a person runs it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from filelock import FileLock

from contract import paths, status, store
from contract.clients.claude import EVENTS
from contract.status import Heartbeat, SessionStatus
from support.installing import PYTHON, Person

if TYPE_CHECKING:
    from pathlib import Path

from support.diagnosing import NOW, examine


def test_right_after_installing_nothing_fails(person: Person) -> None:
    code, checks = examine(person)
    assert code == 0
    assert checks["client"] == ("ok", f"Claude Code 2.1.325 ({person.root}/bin/claude)")
    assert checks["hooks"] == ("ok", f"all {len(EVENTS)} events in {person.settings}")
    assert checks["interpreter"] == ("ok", PYTHON)
    assert checks["last event"] == ("warn", "none yet")
    assert checks["watcher"][0] == "warn"
    assert checks["state folder"][0] == "ok"


def test_before_installing_the_exit_code_is_1(tmp_path: Path) -> None:
    code, checks = examine(Person(tmp_path))
    assert code == 1
    assert {name for name, (found, _) in checks.items() if found == "fail"} == {
        "client",
        "hooks",
        "interpreter",
        "state folder",
    }
    assert os.listdir(tmp_path) == []


def test_the_table_names_each_remedy(person: Person) -> None:
    done = person.runs("doctor")
    assert done.returncode == 1
    assert "FAIL  client" in done.stdout
    assert "-> Install Claude Code" in done.stdout
    assert "ok    hooks" in done.stdout


def test_a_living_watcher_and_the_last_event_are_seen(person: Person) -> None:
    home = str(person.state)
    store.private_folder(paths.fact_dir(home))
    store.replace(paths.fact(home, "s", "main"), b"{}")
    with FileLock(paths.watcher_lock(home), mode=0o600):
        checks = examine(person)[1]
    assert checks["watcher"] == ("ok", "is running")
    assert checks["last event"][0] == "ok"
    assert checks["last event"][1].endswith(" s ago")


def test_a_watcher_that_went_to_sleep_is_no_failure(person: Person) -> None:
    home = str(person.state)
    store.private_folder(paths.fact_dir(home))
    store.replace(paths.fact(home, "s", "main"), b"{}")
    os.utime(paths.fact(home, "s", "main"), (NOW, NOW))
    assert examine(person)[1]["watcher"][0] == "fail"
    for trace in (paths.watcher_log(home), paths.heartbeat(home), paths.status_dir(home)):
        (store.private_folder if trace == paths.status_dir(home) else _touch)(trace)
        os.utime(trace, (NOW - 3, NOW - 3))
        assert examine(person)[1]["watcher"] == ("warn", "is not running")
        os.utime(trace, (NOW - 30, NOW - 30))
        assert examine(person)[1]["watcher"][0] == "fail"


def _touch(path: str) -> None:
    store.replace(path, b"")


def test_a_session_that_a_killed_watcher_left_is_seen(person: Person) -> None:
    home = str(person.state)
    store.private_folder(paths.status_dir(home))
    session = SessionStatus("a", "n", "/w", 7, "working", "", NOW, "r", "e")
    store.replace(paths.status(home, "a"), status.encode(session))
    store.replace(paths.heartbeat(home), status.encode(Heartbeat(2**30, "1", "0", NOW)))
    code, checks = examine(person)
    assert (code, checks["watcher"]) == (0, ("warn", "was killed, so the state of a session is out of date"))
    assert checks["status files"] == ("ok", "1, all readable")


def test_hooks_of_a_shape_that_install_refuses_are_not_sent_to_install(person: Person) -> None:
    person.has('{"hooks": []}')
    told = json.loads(person.runs("doctor", "--json").stdout)["checks"]
    seen = {one["name"]: one["seen"] for one in told}
    assert '"hooks" is a list, but Claude Code expects an object there' in seen["hooks"]
    assert "Run `yourturn install`." not in [one["remedy"] for one in told]


def test_broken_settings_are_told_with_their_line(person: Person) -> None:
    person.has("{\n // x\n}")
    code, checks = examine(person)
    assert (code, checks["hooks"][0], checks["switch"][0]) == (1, "fail", "skip")
    assert checks["hooks"][1].startswith(f"{person.settings}:2:2: ")
