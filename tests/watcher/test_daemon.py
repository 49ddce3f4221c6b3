"""The watcher as a process: real starts, real kills, real locks."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contract import paths, status, store, version
from statusbar.model import reader
from support.builders import SESSION, ask, call, event
from support.looking import World
from support.patience import PATIENCE_S, until
from support.watching import WATCH, Scene
from watcher.daemon import Daemon
from watcher.files.filewatch import Wakeup

BASH = {"command": "npm test"}
OTHER = "11111111-2222-3333-4444-555555555555"


def test_it_turns_facts_into_a_status_and_beats(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("SessionStart", source="startup"))
    watcher = scene.watcher()
    scene.becomes("waiting")
    beat = until(scene.beat)
    assert (beat.pid, beat.version, beat.mode) == (watcher.pid, version.VERSION, "service")
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.becomes("working")
    scene.hook(client, call("PreToolUse", "t", given=BASH))
    scene.hook(client, ask(BASH))
    scene.becomes("needs_approval")
    assert scene.statuses()[SESSION].detail == "Bash: npm test"
    scene.hook(client, event("Stop", background_tasks=[]))
    scene.becomes("waiting")


def test_state_is_readable_by_its_owner_only(scene: Scene) -> None:
    scene.hook(scene.client(), event("SessionStart", source="startup"))
    scene.watcher()
    scene.becomes("waiting")
    until(scene.beat)
    for path in [Path(scene.state), *Path(scene.state).rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


SELDOM = "import watcher.loop as loop, watcher.daemon as daemon; loop.POLL_S = daemon.POLL_S = 3600.0"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere an end is seen at the next poll")
def test_the_end_of_a_client_is_told_by_the_kernel_long_before_a_poll_case_37(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.watcher(prelude=SELDOM)
    scene.becomes("working")
    for word, name in [("waiting", "Stop"), ("working", "UserPromptSubmit")] * 3:  # its first looks are over
        scene.hook(client, event(name, prompt="x", background_tasks=[]))
        scene.becomes(word)
    client.kill()
    scene.becomes("")


def test_a_killed_client_is_gone_and_so_are_its_facts_case_37(scene: Scene) -> None:
    client, other = scene.client(), scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.hook(other, event("UserPromptSubmit", prompt="x", session_id=OTHER))
    scene.watcher()
    scene.becomes("working")
    client.kill()
    client.wait()
    scene.becomes("")
    assert scene.status(OTHER) == "working"
    until(
        lambda: (
            sorted(p.name for p in Path(scene.state, "facts").iterdir())
            == [f"{OTHER}.main.json", f"{OTHER}.main.json.lock"]
        )
    )


def test_a_reused_pid_is_another_process_case_39(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    path = Path(paths.fact(scene.state, SESSION, "main"))
    path.write_text(re.sub(r'"start":"\d+"', '"start":"1"', path.read_text()))
    scene.watcher()
    until(lambda: not path.exists())
    assert scene.status() == ""


def test_a_process_that_cannot_be_judged_is_never_removed_case_40(scene: Scene) -> None:
    scene.hook(scene.client(), event("UserPromptSubmit", prompt="x"))
    path = Path(paths.fact(scene.state, SESSION, "main"))
    path.write_text(re.sub(r'"client":\{[^}]*\},', "", path.read_text()))
    scene.watcher()
    scene.becomes("working")
    scene.polled()
    assert scene.status() == "working"
    assert path.exists()


def test_one_process_shows_one_session_case_33(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("SessionStart", source="startup"))
    scene.watcher()
    scene.becomes("waiting")
    scene.hook(client, event("SessionEnd", reason="clear"))
    scene.hook(client, event("SessionStart", source="clear", session_id=OTHER))
    scene.becomes("waiting", session=OTHER)
    until(lambda: set(scene.statuses()) == {OTHER})


def test_a_start_that_another_one_follows_leaves_no_ghost_case_35(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("SessionStart", source="startup"))
    scene.hook(client, event("SessionStart", source="resume", session_id=OTHER))
    scene.watcher()
    scene.becomes("waiting", session=OTHER)
    assert set(scene.statuses()) == {OTHER}


def test_two_sessions_in_one_folder_are_two_rows_case_48(scene: Scene) -> None:
    one, two = scene.client(), scene.client()
    scene.hook(one, event("UserPromptSubmit", prompt="x"))
    scene.hook(two, event("Stop", session_id=OTHER, background_tasks=[]))
    scene.watcher()
    scene.becomes("working")
    scene.becomes("waiting", session=OTHER)


def test_a_session_without_hooks_is_found_by_the_registry_case_50(scene: Scene) -> None:
    client = scene.client()
    scene.watcher()
    path = scene.registry(client, SESSION, "busy")
    scene.becomes("working")
    scene.registry(client, SESSION, "waiting", waitingFor="permission prompt")
    scene.becomes("needs_approval")
    assert scene.statuses()[SESSION].name == "proj-1"
    os.unlink(path)
    scene.becomes("")


def test_infrastructure_has_no_row_case_36(scene: Scene) -> None:
    daemon, spare, person = scene.client(), scene.client(), scene.client()
    scene.registry(daemon, OTHER, "busy", kind="daemon")
    scene.registry(spare, OTHER.replace("1", "9"), "idle", spare=True)
    scene.registry(person, SESSION, "idle")
    scene.watcher()
    scene.becomes("waiting")
    assert set(scene.statuses()) == {SESSION}


def test_trouble_with_one_session_leaves_the_others_alone(scene: Scene) -> None:
    scene.hook(scene.client(), event("UserPromptSubmit", prompt="x"))
    broken = Path(paths.fact(scene.state, OTHER, "main"))
    broken.write_bytes(b'{"v":1,"session":"x","agent":"main"')
    Path(paths.fact(scene.state, "aaaa", "main")).mkdir()
    watcher = scene.watcher()
    scene.becomes("working")
    assert watcher.poll() is None
    assert broken.exists(), "what cannot be read is not thrown away"


def test_after_kill_9_the_next_start_rebuilds_everything_from_the_files(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    for round_ in range(5):
        watcher = scene.watcher()
        scene.becomes("working")
        watcher.send_signal(signal.SIGKILL)
        watcher.wait()
        scene.hook(
            client, event("Stop", background_tasks=[]) if round_ % 2 else event("UserPromptSubmit", prompt=str(round_))
        )
        scene.hook(client, event("UserPromptSubmit", prompt="again", prompt_id=str(round_)))
    gone = Path(paths.status(scene.state, OTHER))
    gone.write_bytes(status.encode(scene.statuses()[SESSION]).replace(SESSION.encode(), OTHER.encode()))
    scene.watcher()
    until(lambda: not gone.exists(), what="what a dead watcher left is removed")
    assert scene.status() == "working"


def test_sigterm_ends_it_cleanly(scene: Scene) -> None:
    watcher = scene.watcher()
    until(scene.beat)
    watcher.terminate()
    assert watcher.wait(PATIENCE_S) == 0
    assert until(scene.beat).mode == status.ENDED
    assert not store.is_locked(paths.watcher_lock(scene.state))
    assert watcher.stderr is not None
    assert watcher.stderr.read() == b""


def test_started_by_a_hook_it_ends_by_itself_when_nobody_is_left(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(scene.home))
    client = scene.client()
    scene.hook(client, event("SessionStart", source="startup"))
    watcher = scene.watcher("--until-idle", YOURTURN_IDLE_S="0.001")
    scene.becomes("waiting")
    scene.polled()
    assert watcher.poll() is None, "a live session keeps it"
    client.kill()
    client.wait()
    assert watcher.wait(PATIENCE_S) == 0
    assert reader.read(scene.state).is_well(time.time()), "it left word that nothing runs"
    newcomer = scene.client()
    entry = scene.registry(newcomer, SESSION, "busy")
    assert not reader.read(scene.state).is_well(time.time()), "a client that was not there then"
    os.unlink(entry)
    assert reader.read(scene.state).is_well(time.time())
    scene.hook(newcomer, event("UserPromptSubmit", prompt="x"))
    assert not reader.read(scene.state).is_well(time.time()), "a word that nobody has heard"


def test_a_client_that_comes_while_it_goes_to_rest_keeps_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon = Daemon(world.watch, until_idle=True, idle_s=0.0)
    look = world.watch.look_at_all

    def somebody_comes() -> None:
        world.hook(event("UserPromptSubmit", prompt="x"))
        look()

    monkeypatch.setattr(world.watch, "look_at_all", somebody_comes)
    daemon._go_to_rest()
    assert not daemon._over
    assert world.scene.status() == "working"


def test_folders_that_vanish_and_come_back_are_seen(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.watcher()
    scene.becomes("working")
    shutil.rmtree(Path(scene.state, "facts"))
    scene.becomes("")
    shutil.rmtree(Path(scene.state, "status"))
    scene.hook(client, event("Stop", background_tasks=[]))
    scene.becomes("waiting")
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.becomes("working")


def remove_behind(watcher: subprocess.Popen[bytes], folder: str) -> None:
    """Hold the watcher still meanwhile: a file that it writes into a folder just emptied would stop the removal."""
    watcher.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, watcher.pid, os.WSTOPPED)
    shutil.rmtree(folder)
    watcher.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("lost", ["the folder", "the lock"])
def test_a_watcher_whose_state_folder_is_removed_ends_and_leaves_the_next_one_alone(lost: str, scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    old = scene.watcher("--until-idle")
    scene.becomes("working")
    if lost == "the folder":
        remove_behind(old, scene.state)
    else:
        os.unlink(paths.watcher_lock(scene.state))
    scene.hook(client, event("Stop", background_tasks=[]), YOURTURN_NO_WATCHER="")
    assert old.wait(PATIENCE_S) == 0
    scene.becomes("waiting")
    beat = until(lambda: (found := scene.beat()) and found.pid != old.pid and found)
    assert beat.mode == "until-idle", "the last words of the old one are not laid over those of the new one"
    assert store.is_locked(paths.watcher_lock(scene.state))
    assert old.stderr
    assert old.stderr.read() == b""


def test_a_service_whose_state_folder_is_removed_comes_back(scene: Scene) -> None:
    client = scene.client()
    service = scene.watcher("--replace")
    until(scene.beat)
    remove_behind(service, scene.state)
    assert until(lambda: (beat := scene.beat()) and beat.pid == service.pid and beat.mode == "service")
    scene.hook(client, event("UserPromptSubmit", prompt="x"))
    scene.becomes("working")


def test_a_status_file_that_somebody_removes_is_written_again(scene: Scene) -> None:
    scene.hook(scene.client(), event("UserPromptSubmit", prompt="x"))
    scene.watcher()
    scene.becomes("working")
    Path(paths.status(scene.state, SESSION)).unlink()
    scene.becomes("working")


def test_unknown_evidence_is_refused_with_the_known_names(scene: Scene) -> None:
    done = subprocess.run(WATCH, env={**scene.env, "YOURTURN_EVIDENCE": "hook"}, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"hooks, process, registry, transcript" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_signal_may_wake_the_watcher_at_any_moment() -> None:
    """Also while it is just being woken, or goes to rest: no lock may be held then that the handler needs."""
    wakeup, woken = Wakeup(), []

    def wake(number: int, _frame: object) -> None:
        woken.append(number)
        wakeup.now()

    before = signal.signal(signal.SIGPROF, wake)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    try:
        for number in range(100_000):
            wakeup.wait(0.0)
            wakeup.take(float(number), 1.5)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert len(woken) > 10
