"""Moving out: the watcher is asked to end, our files go, everybody else's stay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from contract import bar_files, facts, launch, paths, pulse, store
from installer import state, uninstall
from installer.console import Console
from installer.place import Place
from installer.services import watcher_process
from installer.services.watcher_process import End
from support.brokers import OPEN, Anyone, Broker
from support.collecting import Here, far, is_there, lines_of
from support.installing import PYTHON, Person
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import just_now, put

if TYPE_CHECKING:
    from collections.abc import Iterator

# A stand-in that does what the contract asks of a watcher: it holds the lock and heeds SIGTERM, or not.
WATCHER = """
import signal, sys
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire(timeout=0)
if sys.argv[2] == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def person(tmp_path: Path) -> Person:
    person = Person(tmp_path).has("{}")
    assert person.runs("install", "--yes").returncode == 0
    return person


@contextmanager
def watching(home: Path, *, start: str | None = None, stubborn: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the watcher's lock, and whose heartbeat tells the given start or else its own."""
    argv = [PYTHON, "-c", WATCHER, paths.watcher_lock(str(home)), "stubborn" if stubborn else "polite"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        assert child.stdin
        assert child.stdout.readline() == "ready\n"
        beat = {
            "v": 1,
            "pid": child.pid,
            "start": start or watcher_process.start_of(child.pid),
            "version": "1",
            "beat": time.time(),
        }
        store.replace(paths.heartbeat(str(home)), json.dumps(beat).encode())
        try:
            yield child
        finally:
            child.kill()


def fill(person: Person) -> None:
    """Everything that the rooms leave in a state folder."""
    home = str(person.state)
    for folder in (paths.fact_dir, paths.status_dir, paths.spawned_dir, paths.dispatch_dir, paths.policies_dir):
        store.private_folder(folder(home))
    with store.Locked(paths.spawned_dir(home)):
        store.replace(paths.spawned(home, "a worker"), b"{}")
        store.replace(paths.spawned_dir(home) + ".times", b"[]")
    store.replace(paths.policy(home, "its limits"), b"")
    store.append(paths.dispatch(home, "A Batch"), b"{}\n", limit=10)
    with store.Locked(paths.audit(home)):
        store.append(paths.audit(home), b"{}\n", limit=1)
    with store.Locked(paths.usage(home)):
        store.replace(paths.usage(home), b"")
        store.replace(paths.usage(home) + "-journal", b"")
    path = paths.fact(home, "A Session", "main")
    with store.Locked(path):
        store.replace(path, facts.encode(facts.Fact(session="A Session", agent="main")))
    store.replace(path + ".bad", b"?")
    store.replace(paths.status(home, "s"), b"{}")
    store.append(paths.hook_log(home), b"x\n", limit=1)
    store.append(paths.hook_log(home), b"x\n", limit=10)
    for made in (
        paths.heartbeat,
        paths.watcher_log,
        paths.observations,
        paths.watcher_lock,
        paths.starting_lock,
        bar_files.lock,
        bar_files.notify_lock,
    ):
        store.replace(made(home), b"")


def test_nothing_of_ours_is_left_behind(person: Person) -> None:
    fill(person)
    assert person.runs("uninstall", "--yes").returncode == 0
    assert sorted(path.name for path in person.root.rglob("*")) == ["config", "settings.json"]


def test_every_path_of_the_contract_is_known_to_be_ours(person: Person) -> None:
    """A file that the contract grows later must not be left behind."""
    home = str(person.state)
    single = [
        made
        for module in (paths, bar_files)
        for made in vars(module).values()
        if getattr(made, "__annotations__", {}).keys() == {"home", "return"}
    ]
    assert len(single) > 8
    for made in single:
        assert made(home) in {*state._single_files(home), *state._folders(home)}, made.__name__


def test_what_is_not_ours_in_the_state_folder_stays(person: Person) -> None:
    fill(person)
    theirs = [
        person.state / "notes.txt",
        person.state / "facts" / "mine.md",
        person.state / "status" / "deep",
    ]
    theirs[2].mkdir()
    for path in (*theirs[:2], theirs[2] / "x.json"):
        path.write_text("mine")
    done = person.runs("uninstall", "--yes")
    assert done.returncode == 0
    assert "notes.txt" in done.stdout
    left = {str(path.relative_to(person.state)) for path in person.state.rglob("*")}
    assert left == {"notes.txt", "facts", "facts/mine.md", "status", "status/deep", "status/deep/x.json"}


def test_a_link_out_of_the_state_folder_is_not_followed(person: Person) -> None:
    elsewhere = person.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious.json").write_text("{}")
    (person.state / "facts").symlink_to(elsewhere)
    assert person.runs("uninstall", "--yes").returncode == 0
    assert (elsewhere / "precious.json").exists()


def test_the_state_can_be_kept(person: Person) -> None:
    fill(person)
    assert person.runs("uninstall", "--yes", "--keep-state").returncode == 0
    assert len(list((person.state / "facts").glob("*.json"))) == 1
    assert not (person.state / "install.json").exists()
    assert person.settings.read_text() == "{}"


def test_a_running_watcher_is_asked_to_end(person: Person) -> None:
    with watching(person.state) as watcher:
        assert pulse.has_watcher(str(person.state))
        assert person.runs("uninstall", "--yes").returncode == 0
        assert watcher.wait(timeout=PATIENCE_S) == -15
    assert not person.state.exists()


def test_while_it_is_uninstalled_no_open_bar_starts_another_watcher(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, started = str(person.state), []
    monkeypatch.setattr(launch, "_spawn", lambda *_: 77)

    def end(_home: str) -> End:
        started.append(launch.start_again(home, {}, time.time()))
        return End.ENDED

    monkeypatch.setattr(watcher_process, "end", end)
    with uninstall._none_starts(f"{home}/none", paths.starting_lock):
        pass
    console = Console(sys.stdin, sys.stdout, sys.stderr, colourful=False)
    assert uninstall._leave(Place("", home), console, uninstall.Left(clears=False, forgets=(), withdraws="")) == 0
    assert started == [0]
    assert launch.start_again(home, {}, time.time()) == 77, "afterwards it may"


def test_a_watcher_that_stays_keeps_its_state_folder(person: Person) -> None:
    with watching(person.state, stubborn=True) as watcher:
        assert watcher_process.end(str(person.state), patience_s=0.1) is End.STAYED
        assert watcher.poll() is None
    assert person.state.exists()


@pytest.mark.parametrize("beat", ["another start", "no start", "no heartbeat", "garbage", "pid 0", "a list"])
def test_a_process_that_may_be_another_is_left_alone(beat: str, person: Person) -> None:
    home = str(person.state)
    with watching(person.state, start="1") as stranger:
        said = json.loads(store.read(paths.heartbeat(home)) or b"")
        bad = {
            "another start": json.dumps(said),
            "no start": json.dumps(said | {"start": None}),
            "garbage": "{",
            "pid 0": json.dumps(said | {"pid": 0}),
            "a list": "[]",
        }
        store.remove(paths.heartbeat(home))
        if beat in bad:
            store.replace(paths.heartbeat(home), bad[beat].encode())
        done = person.runs("uninstall", "--yes")
        assert done.returncode == 1
        assert "End it" in done.stderr
        assert stranger.poll() is None
    assert person.state.exists()
    assert person.settings.read_text() == "{}"


def test_a_stale_heartbeat_without_a_lock_is_nobody(person: Person) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        beat = {
            "v": 1,
            "pid": bystander.pid,
            "start": watcher_process.start_of(bystander.pid),
            "version": "1",
            "beat": 0.0,
        }
        store.replace(paths.heartbeat(str(person.state)), json.dumps(beat).encode())
        with FileLock(paths.watcher_lock(str(person.state))):
            assert pulse.has_watcher(str(person.state))
        assert watcher_process.end(str(person.state)) is End.NOT_RUNNING
        assert bystander.poll() is None
        bystander.communicate(b"\n")


def test_the_start_of_a_process_tells_it_from_another() -> None:
    assert watcher_process.start_of(os.getpid()) == watcher_process.start_of(os.getpid())
    assert watcher_process.start_of(os.getpid()) != watcher_process.start_of(1)
    assert watcher_process.start_of(2**31 - 1) is None


def test_where_there_is_no_proc_ps_tells_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ps = tmp_path / "ps"
    ps.write_text('#!/bin/sh\n[ "$*" = "-o lstart= -p 7" ] && echo "Mon Nov  6 02:53:44 2026 $LC_ALL $TZ"\n')
    ps.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert watcher_process.start_by_ps(7) == "Mon Nov  6 02:53:44 2026 C UTC"
    assert watcher_process.start_by_ps(8) is None
    ps.unlink()
    assert watcher_process.start_by_ps(7) is None


def test_the_persons_own_settings_go_too_unless_they_are_to_be_kept(person: Person) -> None:
    chosen = person.state / "config.toml"
    chosen.write_text("[notify]\nsound = true\n")
    found = person.runs("uninstall", "--dry-run")
    assert f"Also removes your yourturn settings, {chosen}" in found.stdout
    assert person.runs("uninstall", "--yes", "--keep-state").returncode == 0
    assert chosen.exists()
    assert person.runs("uninstall", "--yes").returncode == 0
    assert not person.state.exists()


def test_what_is_behind_a_link_stays(tmp_path: Path) -> None:
    (tmp_path / "dotfile").write_text("front = 'tray'\n")
    (tmp_path / "config.toml").symlink_to(tmp_path / "dotfile")
    state.forget_choices(str(tmp_path / "config.toml"))
    assert (tmp_path / "config.toml").is_symlink()
    assert (tmp_path / "dotfile").exists()


def test_where_everything_lies_by_default_nothing_is_left_behind(tmp_path: Path) -> None:
    """Neither files nor folders: a home with nothing in it is as empty afterwards."""
    person = Person(tmp_path)
    home = {name: value for name, value in person.environ.items() if name in ("PATH", "HOME", "LANG")}
    for words in (["install", "--yes", "--no-service"], ["login", "on"]):
        assert run(home, *words).returncode == 0
    chosen = Path(bar_files.settings(home))
    chosen.parent.mkdir(parents=True, exist_ok=True)
    chosen.write_text("front = 'tray'\n")
    assert len(list(tmp_path.rglob("*"))) > 5
    done = run(home, "uninstall", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_folders_of_others_stay(tmp_path: Path) -> None:
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "mine").write_text("")
    state.prune(str(tmp_path / "a" / "b" / "c"), str(tmp_path))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "mine"]
    (tmp_path / "elsewhere").mkdir()
    state.prune(str(tmp_path / "elsewhere"), str(tmp_path / "a"))
    assert (tmp_path / "elsewhere").exists()


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    argv = [PYTHON, str(PROJECT / "yourturn.py"), *words]
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=False)


def test_uninstall_says_that_a_plugin_stays(person: Person) -> None:
    person.has_plugin()
    done = person.runs("uninstall", "--yes")
    assert done.returncode == 0
    assert "The plugin is still installed, and records events: `claude plugin uninstall yourturn@here`" in done.stdout


def test_other_machines_leave_no_trace_either(person: Person, tmp_path: Path) -> None:
    """The collector is ended, and with it its lines; what it brought goes, and so does the list of machines."""
    put(tmp_path / "far", just_now("s1"))
    with Here(person.state) as here:
        here.looks_at(Box=far(tmp_path / "far"))
        collector = here.collect()
        here.shows("s1@Box")
        lines = lines_of(collector.pid)
        done = person.runs("uninstall", "--yes")
        assert done.returncode == 0, done.stderr
        assert collector.wait() == 0
    assert lines
    assert not any(map(is_there, lines))
    assert not person.state.exists()


def test_what_was_shared_is_taken_back_from_the_broker(person: Person, tmp_path: Path) -> None:
    with Broker(tmp_path / "broker", OPEN) as broker, Here(person.state) as here:
        put(person.state, just_now("s1"))
        assert here.run("share", broker.url, "--owner", "me", "--host", "box").returncode == 0
        here.collect()
        with Anyone(broker).listens() as anyone:
            until(lambda: len(anyone.kept) == 2 and all(anyone.kept.values()), lambda: str(anyone.kept))
            asked = person.runs("uninstall", "--dry-run")
            done = person.runs("uninstall", "--yes")
            until(lambda: set(anyone.kept.values()) == {b""}, lambda: f"{anyone.kept}; {done.stderr}")
    assert "Also removes what the broker keeps of this machine" in asked.stdout
    assert "The broker keeps nothing of this machine any more." in done.stdout
    assert (done.returncode, person.state.exists()) == (0, False)


def test_a_broker_that_does_not_answer_is_named_and_keeps_nobody_from_uninstalling(
    person: Person, tmp_path: Path
) -> None:
    nobody = Broker(tmp_path / "broker", OPEN)
    with Here(person.state) as here:
        assert here.run("share", nobody.url, "--owner", "me", "--host", "box", "--anyway").returncode == 0
        done = person.runs("uninstall", "--yes")
    assert (done.returncode, person.state.exists()) == (0, False)
    assert nobody.url in done.stderr
    assert "It keeps what it was told of this machine for up to a week." in done.stderr
