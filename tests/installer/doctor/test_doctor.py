"""Doctor looks at every link, and says the remedy for each that does not hold."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from contract import paths, status, store
from contract.clients.claude import EVENTS
from contract.status import Heartbeat, SessionStatus
from contract.version import VERSION
from installer import state
from installer.doctor import check, doctor, probes
from installer.doctor.probes import Seen
from installer.doctor.state_folder import Trouble
from installer.doctor.volume import Volume
from installer.hooks import entries
from installer.hooks.program import Program
from installer.place import Place
from installer.state import Odd
from support.installing import PYTHON, Person
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = 1_000_000.0
FALSE = shutil.which("false") or "false"
PROGRAM = Program("/v/python", "/p/hook.py")
OURS = {
    "hooks": {event: [entries.group(entry)] for event, entry in entries.entries(entries.command_of(PROGRAM)).items()}
}


class Polling(Heartbeat):
    """A heartbeat that says why its watcher polls."""

    polling = "no instance of inotify left"


UNNAMED = entries.command_of(PROGRAM, told="")
OLDER = "{ /v/python -S -E /p/hook.py; } >/dev/null 2>&1 || : # yourturn-hook"
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


def changed(event: str, **group: Any) -> dict[str, Any]:
    return {"hooks": OURS["hooks"] | {event: [OURS["hooks"][event][0] | group]}}


def test_all_is_well_when_every_link_holds() -> None:
    checks = doctor.diagnose(WELL, PROGRAM, NOW)
    assert [one.verdict for one in checks] == ["ok"] * 16
    assert doctor.is_well(checks)


SICK: dict[str, tuple[str, str, dict[str, Any], str, str]] = {
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
    "hooks and plugin": (
        "hooks",
        "warn",
        {"settings": OURS | {"enabledPlugins": {"yourturn@x": True}}},
        "twice",
        "plugin",
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
    "no state folder": ("state folder", "FAIL", {"home_exists": False}, "/s does not exist", "install"),
    "an open state folder": ("state folder", "FAIL", {"odd": Odd(open=("/s/facts",))}, "/s/facts", "chmod -R go= /s"),
    "a state folder of another user": (
        "state folder",
        "FAIL",
        {"odd": Odd(foreign=("/s", "/s/facts"))},
        "/s belongs to another user",
        "as that user",
    ),
    "files of root in it": (
        "state folder",
        "FAIL",
        {"odd": Odd(foreign=("/s/a", "/s/b"))},
        "it contains 2 files of another user, such as /s/a",
        "sudo chown -R $(id -u) /s",
    ),
    "a link in it": (
        "state folder",
        "FAIL",
        {"odd": Odd(links=("/s/x",))},
        "it contains 1 link, such as /s/x",
        "Remove",
    ),
    "facts that were set aside": (
        "facts",
        "warn",
        {"set_aside": ("a.json.bad", "b.json.bad")},
        "2 files could not be read",
        ".bad from /s/facts",
    ),
    "a watcher that fell over": ("crash report", "warn", {"crashed": NOW - 120}, "2 m ago", "/s/crash.txt"),
    "a disk that is full": (
        "file system",
        "FAIL",
        {"volume": Volume(free=4096)},
        "full: 4 KB are free for /s,",
        "Free some space",
    ),
    "a disk that is read-only": (
        "file system",
        "FAIL",
        {"volume": Volume(is_read_only=True)},
        "/s is mounted read-only",
        "YOURTURN_HOME",
    ),
    "no flock": (
        "file system",
        "FAIL",
        {"volume": Volume(free=1 << 30, has_flock=False, kind="nfs4")},
        "nfs4 does not support flock",
        "local disk",
    ),
    "a network": (
        "file system",
        "warn",
        {"volume": Volume(free=1 << 30, kind="fuse.sshfs")},
        "on a network file system (fuse.sshfs)",
        "local disk",
    ),
    "inotify used up for the watcher": (
        "file events",
        "warn",
        {"beat": Polling(7, "1", VERSION, NOW - 1)},
        "late: no instance of inotify left",
        "max_user_instances",
    ),
    "inotify used up before there is one": (
        "file events",
        "warn",
        {"file_events": "all 128 inotify instances of your user are in use"},
        "all 128",
        "max_user_instances",
    ),
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
    "trouble in the hook": (
        "hook log",
        "warn",
        {"hook_trouble": "2026 ValueError: x\x1b[31m"},
        "2026 ValueError: x [31m",
        "/s/hook.log",
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
    "settings that install would refuse, and no state folder": (
        "state folder",
        "FAIL",
        {"home_exists": False, "settings_trouble": "x"},
        "does not exist",
        "Fix /c/settings.json, then",
    ),
    "hooks that are missing in a read-only file": (
        "hooks",
        "FAIL",
        {"settings": {}, "settings_writable": False},
        "no yourturn hooks",
        "Make /c/settings.json writable, then",
    ),
    "a state folder that is closed": (
        "state folder",
        "FAIL",
        {"home_trouble": Trouble("/s cannot be read", "Run `chmod u+rwx /s`.")},
        "cannot be read",
        "chmod",
    ),
    "status files that are garbage": (
        "status files",
        "warn",
        {"sessions": {f"/s/status/{n}.json": n == 0 for n in range(5)}},
        "4 of 5 cannot be read: 1.json, 2.json, 3.json and others",
        "/s/status",
    ),
    "a config that is garbage": ("config", "warn", {"choices_trouble": "line\x1b 3"}, "line 3", "Fix it"),
    "a framework build": ("menubar", "warn", {"framework": "Python"}, "framework", "uv"),
}


@pytest.mark.parametrize(("name", "wanted", "seen", "words", "remedy"), SICK.values(), ids=SICK)
def test_what_does_not_hold_is_told_with_its_remedy(
    name: str, wanted: str, seen: dict[str, Any], words: str, remedy: str
) -> None:
    sick = replace(WELL, **seen)
    got, said, advice = verdict(name, sick)
    assert (got, words in said, remedy in advice) == (wanted, True, True), (said, advice)
    assert doctor.is_well(doctor.diagnose(sick, PROGRAM, NOW)) is (wanted != "FAIL")


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


@pytest.mark.parametrize(
    "name", ["last event", "watcher", "status files", "hook log", "config", "facts", "crash report"]
)
def test_what_a_closed_folder_hides_is_not_judged(name: str) -> None:
    place = Place("/c/settings.json", "/s", "/s/config.toml")
    seen = replace(WELL, place=place, home_trouble=Trouble("/s cannot be read", "Open it."), choices_trouble="hidden")
    assert verdict(name, seen)[:2] == ("skip", "unknown: the state folder cannot be read")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (59.9, "59 s"), (60, "1 m"), (117, "1 m"), (3599, "59 m"), (7200, "2 h"), (86400 * 3, "3 d")],
)
def test_an_age_has_the_unit_that_fits(seconds: float, words: str) -> None:
    assert check.age(seconds) == words


def test_the_plugin_alone_is_enough() -> None:
    seen = replace(WELL, settings={"enabledPlugins": {"yourturn@somewhere": True}})
    assert verdict("hooks", seen)[:2] == ("ok", "installed as a plugin")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    assert person.runs("install", "--yes").returncode == 0
    claude = tmp_path / "bin" / "claude"
    claude.parent.mkdir()
    claude.write_text("#!/bin/sh\necho '2.1.325 (Claude Code)'\n")
    claude.chmod(0o755)
    return person


def examine(person: Person) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit code, and verdict and words of each check."""
    done = person.runs("doctor", "--json", PATH=f"{person.root}/bin:/usr/bin:/bin")
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert told["v"] == 1
    assert told["ok"] is (done.returncode == 0)
    return done.returncode, {one["name"]: (one["verdict"], one["seen"]) for one in told["checks"]}


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


def test_an_open_file_in_the_state_folder_is_seen(person: Person) -> None:
    store.replace(paths.hook_log(str(person.state)), b"2026-01-01 00:00:00 OSError: full\n")
    os.chmod(paths.hook_log(str(person.state)), 0o644)
    code, checks = examine(person)
    assert code == 1
    assert checks["state folder"] == ("fail", f"other users can read or write 1 file, such as {person.state}/hook.log")
    assert checks["hook log"] == ("warn", "2026-01-01 00:00:00 OSError: full")


def test_a_state_folder_that_is_open_or_not_ours_is_seen(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(person.state)
    assert state.odd(home) == Odd()
    person.state.chmod(0o755)
    assert state.odd(home) == Odd(open=(home,))
    person.state.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert state.odd(home) == Odd(foreign=(home, f"{home}/install.json"))


def test_links_in_the_state_folder_are_found_and_one_to_it_is_fine(person: Person) -> None:
    home = str(person.state)
    os.symlink("/dev/null", paths.watcher_log(home))
    os.symlink(person.root, paths.status_dir(home))
    assert state.odd(home) == Odd(links=(paths.status_dir(home), paths.watcher_log(home)))
    assert examine(person)[1]["state folder"][0] == "fail"
    os.unlink(paths.watcher_log(home))
    os.unlink(paths.status_dir(home))
    person.state.rename(person.root / "elsewhere")
    person.state.symlink_to(person.root / "elsewhere")
    assert state.odd(home) == Odd()
    assert examine(person)[1]["state folder"][0] == "ok"


def test_a_session_that_a_killed_watcher_left_is_seen(person: Person) -> None:
    home = str(person.state)
    store.private_folder(paths.status_dir(home))
    session = SessionStatus("a", "n", "/w", 7, "working", "", NOW, "r", "e")
    store.replace(paths.status(home, "a"), status.encode(session))
    store.replace(paths.heartbeat(home), status.encode(Heartbeat(2**30, "1", "0", NOW)))
    code, checks = examine(person)
    assert (code, checks["watcher"]) == (0, ("warn", "was killed, so the state of a session is out of date"))
    assert checks["status files"] == ("ok", "1, all readable")


def test_status_files_that_nobody_can_decode_are_named(person: Person) -> None:
    home = str(person.state)
    store.private_folder(paths.status_dir(home))
    store.replace(paths.status(home, "broken"), b'{"v": 1, ')
    (person.state / "status" / "link.json").symlink_to("broken.json")
    assert examine(person)[1]["status files"] == ("warn", "2 of 2 cannot be read: broken.json, link.json")


@pytest.mark.parametrize("content", [b"front = [", b"front = '\xff'", b"x = " + b"[" * 5000])
def test_a_config_that_cannot_be_parsed_is_named(content: bytes, person: Person) -> None:
    path = person.state / "config.toml"
    assert examine(person)[1]["config"] == ("ok", f"none ({path} does not exist)")
    path.write_text("front = 'tray'\n")
    assert examine(person)[1]["config"] == ("ok", str(path))
    path.write_bytes(content)
    code, checks = examine(person)
    assert (code, checks["config"][0], str(path) in checks["config"][1]) == (0, "warn", True)


def test_hooks_of_a_shape_that_install_refuses_are_not_sent_to_install(person: Person) -> None:
    person.has('{"hooks": []}')
    told = json.loads(person.runs("doctor", "--json").stdout)["checks"]
    seen = {one["name"]: one["seen"] for one in told}
    assert '"hooks" is a list, but Claude Code expects an object there' in seen["hooks"]
    assert "Run `yourturn install`." not in [one["remedy"] for one in told]


@pytest.mark.parametrize(
    ("mode", "words"), [(0o000, "cannot be read"), (0o500, "cannot be written"), (0o300, "cannot be read")]
)
def test_a_state_folder_that_is_closed_to_us_is_told_and_not_stumbled_over(mode: int, words: str) -> None:
    with borrowed() as (person, nobody):
        assert person.runs("install", "--yes", **nobody).returncode == 0
        person.state.chmod(mode)
        installed = person.settings.read_bytes()
        done = person.runs("doctor", **nobody)
        assert (done.returncode, done.stderr) == (1, "")
        assert f"FAIL  state folder  {person.state} {words}\n" in done.stdout
        assert f"chmod u+rwx {person.state}" in done.stdout
        for command in ("install", "uninstall"):
            done = person.runs(command, "--yes", **nobody)
            assert (done.returncode, done.stdout) == (1, "")
            assert f"The state folder cannot be used: {person.state} {words}.\n  Run `chmod" in done.stderr
        assert person.settings.read_bytes() == installed
        person.state.chmod(0o700)
        assert person.runs("uninstall", "--yes", **nobody).returncode == 0


@contextmanager
def borrowed() -> Iterator[tuple[Person, dict[str, str]]]:
    """A person to whom modes mean something: a superuser's run of a test becomes another user's."""
    with tempfile.TemporaryDirectory() as root:
        nobody = {"AS_UID": "65534"} if os.getuid() == 0 else {}
        if nobody:
            os.chown(root, 65534, 65534)
        yield Person(Path(root)), nobody


def test_a_closed_folder_for_events_is_found_too() -> None:
    with borrowed() as (person, nobody):
        (person.state / "facts").mkdir(parents=True, mode=0o700)
        for path in (person.state, person.state / "facts"):
            os.chown(path, int(nobody.get("AS_UID", os.getuid())), -1)
        (person.state / "facts").chmod(0o500)
        done = person.runs("doctor", **nobody)
        assert f"FAIL  state folder  {person.state}/facts cannot be written\n" in done.stdout


def test_a_state_folder_that_is_none_is_told(person: Person) -> None:
    (person.root / "file").touch()
    (person.root / "link").symlink_to("nowhere")
    for name, words in (
        ("file", "is a file, not a folder"),
        ("file/below", "cannot exist, because it would be inside a file"),
        ("link", "is a broken link"),
    ):
        home = f"{person.root}/{name}"
        done = person.runs("doctor", YOURTURN_HOME=home)
        assert (done.returncode, done.stderr) == (1, "")
        assert f"FAIL  state folder  {home} {words}\n" in done.stdout
        done = person.runs("install", "--yes", YOURTURN_HOME=home)
        assert (done.returncode, f"{home} {words}." in done.stderr) == (1, True)


def test_broken_settings_are_told_with_their_line(person: Person) -> None:
    person.has("{\n // x\n}")
    code, checks = examine(person)
    assert (code, checks["hooks"][0], checks["switch"][0]) == (1, "fail", "skip")
    assert checks["hooks"][1].startswith(f"{person.settings}:2:2: ")


def test_managed_settings_are_looked_at(tmp_path: Path) -> None:
    managed = tmp_path / "managed.json"
    managed.write_text('{"allowManagedHooksOnly": true}')
    seen = probes.look(
        Place(str(tmp_path / "settings.json"), str(tmp_path)), {"PATH": "", "HOME": str(tmp_path)}, str(managed)
    )
    assert verdict("switch", seen)[0] == "FAIL"


@pytest.mark.parametrize(
    ("interpreter", "script", "words"),
    [
        ("/gone/python", str(PROJECT / "hook.py"), "/gone/python does not exist"),
        (PYTHON, "/gone/hook.py", "/gone/hook.py does not exist"),
        (FALSE, str(PROJECT / "hook.py"), f"{FALSE} fails (exit code 1)"),
        (str(PROJECT / "LICENSE"), str(PROJECT / "hook.py"), "does not start (PermissionError)"),
        (PYTHON, str(PROJECT / "hook.py"), None),
    ],
)
def test_a_program_that_cannot_run_is_found_out(interpreter: str, script: str, words: str | None) -> None:
    found = probes.trouble_with(Program(interpreter, script))
    assert found == words or (words and found and words in found)


def test_an_old_python_is_found_out(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text(f'#!/bin/sh\n"{PYTHON}" -c "import sys; sys.version_info = (3, 9); $4"\n')
    old.chmod(0o755)
    found = probes.trouble_with(Program(str(old), str(PROJECT / "hook.py")))
    assert found == f"{old} is older than Python 3.11"


def test_the_interpreter_of_the_entries_is_the_one_that_is_tried(person: Person) -> None:
    person.has(person.settings.read_text().replace(PYTHON, "/gone/python"))
    assert examine(person)[1]["interpreter"] == ("fail", "/gone/python does not exist")


@pytest.mark.parametrize("line", ["exit 3", "true", "echo 2.1.325; exit 1"])
def test_a_client_that_fails_has_no_version(line: str, person: Person) -> None:
    (person.root / "bin" / "claude").write_text(f"#!/bin/sh\n{line}\n")
    assert examine(person)[1]["client"] == ("warn", f"{person.root}/bin/claude does not print its version")
