"""The statuses as JSON for other programs."""

import json
import time
from pathlib import Path

import pytest

from statusbar.cli import json_text, report
from support.printed import EXAMPLE
from support.showing import NOW, agent, put, rest, run, session, statuses, watcher


def test_json_is_exactly_as_it_was_agreed(tmp_path: Path) -> None:
    put(tmp_path, *EXAMPLE.sessions)
    with watcher(tmp_path, 1234.5) as pid:
        found = json.loads(run(tmp_path, "status", "--json").stdout)
    assert list(found) == ["v", "watcher", "counts", "sessions", "known", "as_of", "hosts", "now", "version"]
    assert found["v"] == 1
    assert found["watcher"] == {"alive": False, "state": "stuck", "pid": pid, "beat": 1234.5}
    assert found["counts"] == {"needs_approval": 1, "working": 1, "waiting": 1, "unknown": 3}
    assert (found["known"], found["as_of"]) == (False, 1234.5)
    assert [one["session_id"] for one in found["sessions"]] == ["9df7420c", "aaaa", "bbbb"]
    assert found["sessions"][0] == {
        "session_id": "9df7420c", "name": "api-9a", "cwd": "/p/api", "pid": 7, "status": "needs_approval",
        "detail": "Bash: npm test", "since": NOW - 240, "rule": "some-rule", "evidence": "hook", "team": None,
        "client": "", "host": "", "title": "",
        "agents": [
            {
                "key": "main", "kind": "agent", "type": None, "parent": None, "status": "working",
                "detail": "1 sub-agent", "since": NOW - 60, "rule": "some-rule", "evidence": "hook", "state": "running",
            },
            {
                "key": "x", "kind": "sub_agent", "type": "Explore", "parent": None, "status": "needs_approval",
                "detail": "Bash: npm test", "since": NOW - 60, "rule": "some-rule", "evidence": "hook",
                "state": "running",
            },
        ],
    }  # fmt: skip


def test_json_tells_whether_the_watcher_lives(tmp_path: Path) -> None:
    never = json.loads(run(tmp_path, "status", "--json").stdout)
    assert never["watcher"] == {"alive": False, "state": "gone", "pid": None, "beat": None}
    assert (never["known"], never["as_of"]) == (False, None)
    assert sum(never["counts"].values()) == never["counts"]["unknown"] == 1, "no calm zero"
    beat = time.time()
    with watcher(tmp_path, beat) as pid:
        found = json.loads(run(tmp_path, "status", "--json").stdout)
    assert found["watcher"] == {"alive": True, "state": "alive", "pid": pid, "beat": beat}
    assert found["known"]
    assert not any(found["counts"].values())
    after = json.loads(run(tmp_path, "status", "--json").stdout)["watcher"]
    assert after == {"alive": False, "state": "gone", "pid": None, "beat": beat}
    rest(tmp_path)
    resting = json.loads(run(tmp_path, "status", "--json").stdout)
    assert (resting["watcher"]["state"], resting["known"]) == ("resting", True)


def test_json_shows_helpers_and_every_field_only_when_asked(tmp_path: Path) -> None:
    put(tmp_path, *EXAMPLE.sessions)
    everybody = json.loads(run(tmp_path, "status", "--json", "--all").stdout)
    assert [one["session_id"] for one in everybody["sessions"]] == ["9df7420c", "cccc", "aaaa", "bbbb"]
    assert everybody["counts"]["working"] == 2
    full = json.loads(run(tmp_path, "status", "--json", "--full").stdout)["sessions"][0]
    assert {"client", "entrypoint", "human", "terminal", "transcript", "hidden"} <= set(full)
    assert {"weighed", "name"} <= set(full["agents"][0])


def test_json_never_says_what_json_cannot_say() -> None:
    for since in (float("nan"), float("inf"), 10**400):
        some = statuses(session("a", since=since, human=since, agents=(agent(since=since),)), beat=since)
        found = json.loads(json_text.as_text(report.report(some, NOW, full=True)), parse_constant=pytest.fail)
        assert found["sessions"][0]["since"] == 0.0
