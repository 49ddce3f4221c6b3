"""The checks from the client to the watcher: each link that does not hold is told with its remedy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from contract.status import Heartbeat
from contract.version import VERSION
from installer.doctor import doctor
from installer.doctor.state_folder import Trouble
from installer.doctor.volume import Volume
from installer.hooks import entries
from installer.hooks.program import Program
from support.diagnosing import NOW, OURS, PROGRAM, WELL, Sick, check_told, verdict

UNNAMED = entries.command_of(PROGRAM, told="")
OLDER = "{ /v/python -S -E /p/hook.py; } >/dev/null 2>&1 || : # yourturn-hook"


def changed(event: str, **group: Any) -> dict[str, Any]:
    return {"hooks": OURS["hooks"] | {event: [OURS["hooks"][event][0] | group]}}


def test_all_is_well_when_every_link_holds() -> None:
    checks = doctor.diagnose(WELL, PROGRAM, NOW)
    assert [one.verdict for one in checks] == ["ok"] * 16
    assert doctor.is_well(checks)


SICK: dict[str, Sick] = {
    "no client": ("client", "FAIL", {"client": None}, "not on PATH", "Install Claude Code"),
    "a client that says nothing": ("client", "warn", {"client_version": None}, "version", "--version"),
    "an old client": ("client", "warn", {"client_version": "2.1.9"}, "2.1.9", "Update"),
    "a client of words": ("client", "warn", {"client_version": "beta"}, "beta", "Update"),
    "no settings": ("hooks", "FAIL", {"settings": None}, "no yourturn hooks", "yourturn install"),
    "settings that do not parse": ("hooks", "FAIL", {"settings_trouble": "/c:3:1: x."}, "/c:3:1", "Fix"),
    "an event without our hook": (
        "hooks",
        "FAIL",
        {"settings": {"hooks": {k: v for k, v in OURS["hooks"].items() if k != "Stop"}}},
        "none for Stop",
        "install",
    ),
    "a matcher in the way": (
        "hooks",
        "warn",
        {"settings": changed("PreToolUse", matcher="Bash")},
        "PreToolUse",
        "matcher",
    ),
    "an entry of another shape": (
        "hooks",
        "warn",
        {"settings": changed("Stop", hooks=[OURS["hooks"]["Stop"][0]["hooks"][0] | {"timeout": 60}])},
        "older version",
        "install",
    ),
    "a line of an older version": (
        "hooks",
        "warn",
        {"settings": changed("Stop", hooks=[OURS["hooks"]["Stop"][0]["hooks"][0] | {"command": OLDER}])},
        "older version",
        "install",
    ),
    "a line that names no client": (
        "hooks",
        "warn",
        {"settings": changed("Stop", hooks=[OURS["hooks"]["Stop"][0]["hooks"][0] | {"command": UNNAMED}])},
        "older version",
        "install",
    ),
    "hooks switched off": (
        "switch",
        "FAIL",
        {"settings": OURS | {"disableAllHooks": True}},
        "disableAllHooks",
        "/c/settings.json",
    ),
    "hooks switched off for all": ("switch", "FAIL", {"managed": {"disableAllHooks": True}}, "machine", "Ask"),
    "only managed hooks": (
        "switch",
        "FAIL",
        {"managed": {"allowManagedHooksOnly": True}},
        "allowManagedHooksOnly",
        "Ask",
    ),
    "an interpreter that is gone": (
        "interpreter",
        "FAIL",
        {"programs": {PROGRAM: "/v/python is gone"}},
        "gone",
        "install",
    ),
    "a rewritten line": (
        "interpreter",
        "FAIL",
        {"settings": changed("Stop", hooks=[{"command": "x # yourturn-hook"}])},
        "edited",
        "install",
    ),
    "no interpreter": ("interpreter", "FAIL", {"settings": {}, "programs": {}}, "no yourturn hooks", "install"),
    "another copy": (
        "interpreter",
        "warn",
        {"programs": {Program("/v/python", "/other/hook.py"): None}},
        "/other",
        "install",
    ),
    "no event yet": ("last event", "warn", {"last_event": None}, "none yet", "prompt"),
    "no watcher, nothing since it ended": (
        "watcher",
        "warn",
        {"watcher_alive": False, "beat": None, "last_event": NOW - 600, "watcher_seen": NOW - 500},
        "is not running",
        "next event",
    ),
    "no watcher, an event just now": (
        "watcher",
        "warn",
        {"watcher_alive": False, "beat": None, "last_event": NOW - 1},
        "is not running",
        "next event",
    ),
    "no watcher after an event": (
        "watcher",
        "FAIL",
        {"watcher_alive": False, "beat": None, "last_event": NOW - 600, "watcher_seen": NOW - 900},
        "10 m ago",
        "yourturn watch",
    ),
    "no watcher ever": (
        "watcher",
        "FAIL",
        {"watcher_alive": False, "beat": None, "last_event": NOW - 6},
        "6 s ago",
        "yourturn watch",
    ),
    "a watcher that hangs": ("watcher", "warn", {"beat": Heartbeat(7, "1", VERSION, NOW - 300)}, "for 5 m", "kill 7"),
    "a second watcher": (
        "watcher",
        "warn",
        {"holder": 8},
        "process 7 writes here too, but does not hold the",
        "Run `kill 7`; the watcher with the lock keeps running.",
    ),
    "a watcher that lost its lock": (
        "watcher",
        "warn",
        {"watcher_alive": False, "holder": None},
        "process 7 writes here too",
        "the next event starts another",
    ),
    "a watcher of another version": (
        "watcher",
        "warn",
        {"beat": Heartbeat(7, "1", "0.0.9", NOW - 1)},
        f"is running as version 0.0.9 of another copy; this is {VERSION}",
        "yourturn watch --replace",
    ),
    "a watcher that was killed": (
        "watcher",
        "warn",
        {
            "watcher_alive": False,
            "last_event": NOW - 600,
            "watcher_seen": NOW - 500,
            "sessions": {"/s/status/a.json": True, "/s/status/b.json": True},
        },
        "was killed, so the states of 2 sessions are out of date",
        "yourturn up",
    ),
    "hooks that are missing in a read-only file": (
        "hooks",
        "FAIL",
        {"settings": {}, "settings_writable": False},
        "no yourturn hooks",
        "Make /c/settings.json writable, then",
    ),
    "a framework build": ("menubar", "warn", {"framework": "Python"}, "framework", "uv"),
}


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_what_does_not_hold_is_told_with_its_remedy(sick: Sick) -> None:
    check_told(sick)


NO_EVENT_COMES: dict[str, tuple[dict[str, Any], str]] = {
    "no hooks": ({"settings": {}}, "without them no event arrives, and nothing starts the watcher"),
    "settings that are broken": ({"settings": None, "settings_trouble": "x"}, "without them no event arrives"),
    "hooks switched off": ({"settings": OURS | {"disableAllHooks": True}}, "without them no event arrives"),
    "nowhere to write": ({"home_trouble": Trouble("x", "y", is_hidden=False)}, "no event can be recorded"),
}


@pytest.mark.parametrize(("seen", "remedy"), NO_EVENT_COMES.values(), ids=NO_EVENT_COMES)
def test_nobody_is_told_to_wait_for_an_event_that_cannot_come(seen: dict[str, Any], remedy: str) -> None:
    idle = replace(WELL, watcher_alive=False, beat=None, last_event=None, **seen)
    for name, words in (("watcher", "is not running"), ("last event", "none yet")):
        got, said, advice = verdict(name, idle)
        assert (got, said, remedy in advice) == ("warn", words, True), advice


@pytest.mark.parametrize("trouble", [None, "/c:3:1: x."])
def test_what_cannot_be_known_is_not_said_to_be_well(trouble: str | None) -> None:
    seen = replace(WELL, settings=None, settings_trouble=trouble)
    assert verdict("switch", seen)[0] == ("skip" if trouble else "ok")
    assert verdict("interpreter", seen)[0] == ("skip" if trouble else "ok")
    managed = replace(seen, managed={"disableAllHooks": True})
    assert verdict("switch", managed)[0] == "FAIL"


UNSTIRRED: dict[str, dict[str, Any]] = {
    "who has the lock is not told": {"holder": None},
    "a heartbeat of one that is gone": {"holder": 8, "beat_lives": False},
    "last words": {"holder": 8, "beat": Heartbeat(7, "1", VERSION, NOW - 1, mode="ended")},
    "a watcher that does not say how it hears": {"beat": Heartbeat(7, "1", VERSION, NOW - 1)},
    "a folder that cannot be looked at": {"volume": None},
    "a file system that does not count": {"volume": Volume(free=None)},
    "a local file system of any name": {"volume": Volume(free=1 << 30, kind="fuse.mergerfs")},
    "a kernel that a running watcher has not met": {"watcher_alive": True, "file_events": ""},
}


@pytest.mark.parametrize("seen", UNSTIRRED.values(), ids=UNSTIRRED)
def test_what_is_only_unusual_raises_no_alarm(seen: dict[str, Any]) -> None:
    assert {one.verdict for one in doctor.diagnose(replace(WELL, **seen), PROGRAM, NOW)} == {"ok"}
