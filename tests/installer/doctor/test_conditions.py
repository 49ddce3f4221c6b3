"""Doctor on a machine that really is so: each condition is made, found, and gone again without a word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from filelock import FileLock

from contract import paths, status, store
from contract.status import Heartbeat
from contract.version import VERSION
from installer.doctor import inotify, volume
from installer.services import watcher_process
from support.builders import call, run_hook
from support.installing import Person
from support.needs import need
from support.watching import started

NOBODY = 65534
linux = pytest.mark.skipif(sys.platform != "linux", reason="made with Linux's own means")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make it so")

Checks = dict[str, tuple[str, str, str]]


def examine(person: Person, *before: str, **environ: str) -> Checks:
    """Verdict, words and remedy of each check; `before` is a command that runs it."""
    done = person.calls([*before, *person.argv("doctor", "--json")], env=person.environ | environ)
    assert done.stderr == ""
    return {
        one["name"]: (one["verdict"], one["seen"], one["remedy"] or "") for one in json.loads(done.stdout)["checks"]
    }


def in_namespace(flag: str, first: str) -> list[str]:
    """A command that makes a namespace so, and runs the next words in it."""
    need("unshare")
    argv = ["unshare", "--user", "--map-root-user", flag, "sh", "-c", f'{first} && exec "$@"', "sh"]
    tried = subprocess.run([*argv, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("such a namespace cannot be made here")
    return argv


@linux
@pytest.mark.parametrize("what", ["instances", "watches"])
def test_inotify_that_is_used_up_is_found(what: str, person: Person) -> None:
    none = in_namespace("--mount", f"echo 0 > /proc/sys/user/max_inotify_{what}")
    verdict, words, remedy = examine(person, *none)["file events"]
    assert (verdict, f"inotify {what} of your user are in use" in words) == ("warn", True)
    assert f"fs.inotify.max_user_{what}=" in remedy
    assert inotify.trouble(str(person.state)) == ""
    assert examine(person)["file events"][:2] == ("ok", "arrive at once")


@linux
def test_a_full_disk_is_found(person: Person) -> None:
    mount = f"mount -t tmpfs -o size=64k,mode=700 none {person.state} && head -c 64k /dev/zero > {person.state}/x"
    verdict, words, remedy = examine(person, *in_namespace("--mount", mount))["file system"]
    assert (verdict, f"full: 0 KB are free for {person.state}," in words) == ("fail", True)
    assert "Free some space" in remedy
    assert examine(person)["file system"][0] == "ok"


@linux
def test_a_disk_without_room_for_another_name_is_found(person: Person) -> None:
    mount = f"mount -t tmpfs -o nr_inodes=2,mode=700 none {person.state} && touch {person.state}/x"
    assert "full: 0 KB" in examine(person, *in_namespace("--mount", mount))["file system"][1]


@linux
def test_a_read_only_disk_is_found_and_nobody_is_sent_to_chmod(person: Person) -> None:
    mount = f"mount --bind {person.state} {person.state} && mount -o remount,ro,bind {person.state}"
    checks = examine(person, *in_namespace("--mount", mount))
    assert checks["file system"][:2] == ("fail", f"{person.state} is mounted read-only")
    assert checks["state folder"][:2] == ("fail", f"{person.state} is mounted read-only")
    assert "chmod" not in checks["state folder"][2]


@linux
def test_a_file_system_without_flock_is_found(person: Person) -> None:
    need("strace")
    run_hook(person.root, call("PreToolUse", "t"))
    without = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=ENOLCK"]
    verdict, words, remedy = examine(person, *without)["file system"]
    assert (verdict, "does not support flock" in words, "YOURTURN_HOME" in remedy) == ("fail", True, True)
    assert examine(person)["file system"][0] == "ok"


MOUNTS = (
    "/dev/sda1 / ext4 rw 0 0\n",
    "server:/home /home nfs4 rw 0 0\n",
    "me@host: /home/me/a\\040b fuse.sshfs rw 0 0\n",
    "tmpfs /home/me/tmp tmpfs rw 0 0\n",
    "none /home/me/tmp overlay rw 0 0\n",
    "nonsense\n",
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/x", "ext4"),
        ("/home/me/x", "nfs4"),
        ("/homely/x", "ext4"),
        ("/home/me/a b/x", "fuse.sshfs"),
        ("/home/me/tmp", "overlay"),
    ],
)
def test_the_kind_of_a_file_system_is_that_of_the_nearest_mount(path: str, kind: str) -> None:
    assert volume.kind_of(path, MOUNTS) == kind


def test_a_fact_that_a_hook_set_aside_is_counted(person: Person) -> None:
    run_hook(person.root, call("PreToolUse", "t"))
    assert examine(person)["facts"][:2] == ("ok", "all readable")
    (fact,) = Path(paths.fact_dir(str(person.state))).glob("*.json")
    fact.write_bytes(fact.read_bytes()[:40])
    run_hook(person.root, call("PreToolUse", "u"))
    verdict, words, remedy = examine(person)["facts"]
    assert (verdict, words) == ("warn", f"1 file could not be read, so renamed, such as {fact.name}.bad")
    assert paths.fact_dir(str(person.state)) in remedy


def beat_of(process: subprocess.Popen[bytes], version: str = VERSION) -> Heartbeat:
    return Heartbeat(process.pid, watcher_process.start_of(process.pid) or "", version, time.time(), mode="service")


@linux
def test_a_second_watcher_is_found_by_what_it_writes(person: Person) -> None:
    home = str(person.state)
    with started(["sleep", "600"]) as other:
        store.replace(paths.heartbeat(home), status.encode(beat_of(other)))
        with FileLock(paths.watcher_lock(home), mode=0o600):
            assert watcher_process.holder(home) == os.getpid()
            verdict, words, remedy = examine(person)["watcher"]
        assert (verdict, f"process {other.pid} writes here too" in words) == ("warn", True)
        assert f"kill {other.pid}" in remedy
    assert watcher_process.holder(home) is None


def test_a_watcher_of_another_version_is_found(person: Person) -> None:
    home = str(person.state)
    with started(["sleep", "600"]) as other:
        mine = beat_of(other, "0.0.9")._replace(pid=os.getpid(), start=watcher_process.start_of(os.getpid()) or "")
        store.replace(paths.heartbeat(home), status.encode(mine))
        with FileLock(paths.watcher_lock(home), mode=0o600):
            assert f"is running as version 0.0.9 of another copy; this is {VERSION}" in examine(person)["watcher"][1]
            store.replace(paths.heartbeat(home), status.encode(mine._replace(version=VERSION)))
            assert examine(person)["watcher"][:2] == ("ok", f"is running as process {os.getpid()}")


@needs_root
def test_a_state_folder_of_another_user_is_not_given_to_root(person: Person) -> None:
    """As `sudo` finds it where it keeps HOME: to take it over would lock its owner out."""
    os.chown(person.state, NOBODY, NOBODY)
    verdict, words, remedy = examine(person)["state folder"]
    assert (verdict, words) == ("fail", f"{person.state} belongs to another user, so nothing is written there")
    assert "without `sudo`" in remedy
    assert "chown" not in remedy


@needs_root
def test_files_of_root_in_a_persons_state_folder_are_found() -> None:
    with tempfile.TemporaryDirectory() as root:  # pytest's own folders are closed to others
        os.chown(root, NOBODY, NOBODY)
        person, nobody = Person(Path(root)), {"AS_UID": str(NOBODY)}
        assert person.runs("install", "--yes", **nobody).returncode == 0
        assert examine(person, **nobody)["state folder"][0] == "ok"
        os.chown(person.state / "install.json", 0, 0)
        verdict, words, remedy = examine(person, **nobody)["state folder"]
        assert (verdict, words) == ("fail", f"it contains 1 file of another user, such as {person.state}/install.json")
        assert f"sudo chown -R $(id -u) {person.state}" in remedy


def test_a_crash_report_is_named(person: Person) -> None:
    assert examine(person)["crash report"][:2] == ("ok", "none")
    store.replace(paths.crash(str(person.state)), b"x")
    verdict, words, remedy = examine(person)["crash report"]
    assert (verdict, words.startswith("a watcher crashed ")) == ("warn", True)
    assert paths.crash(str(person.state)) in remedy


def test_an_event_that_the_hook_refused_is_told(person: Person) -> None:
    assert examine(person)["hook log"][:2] == ("ok", "no errors")
    run_hook(person.root, b"[]")
    verdict, words, remedy = examine(person)["hook log"]
    assert (verdict, "ValueError: the event is not an object" in words) == ("warn", True)
    assert paths.hook_log(str(person.state)) in remedy
