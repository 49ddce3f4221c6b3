"""`yourturn wait`, with real files, real processes and real file events."""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract import paths, status, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, Heartbeat
from statusbar.cli import wait
from statusbar.model import live
from statusbar.model.targets import Target
from statusbar.model.wait_progress import Change
from support.builders import event
from support.patience import FOREVER_S, PATIENCE_S, until
from support.project import PROJECT
from support.showing import HOSTILE, hostile, piped, put, rest, run, session, watcher
from support.watching import Scene


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """With a watcher that is well."""
    with watcher(tmp_path):
        yield tmp_path


def ended(one: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, errors = one.communicate(timeout=PATIENCE_S)
    return one.returncode, out, errors


def remove(home: Path, id_: str) -> None:
    os.unlink(paths.status(str(home), id_))


class Waiting(threading.Thread):
    """`wait` in a thread, which tells how often it has looked and found that it must go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path, *words: str, **options: Any) -> None:
        super().__init__(daemon=True)
        self.looks, self.code = 0, -1
        given = {"wanted": "your-turn", "every": False, "timeout": PATIENCE_S, "json": False, **options}
        self.args = argparse.Namespace(target=list(words), **given)
        monkeypatch.setenv("YOURTURN_HOME", str(home))
        monkeypatch.setenv("YOURTURN_NO_WATCHER", "1")
        monkeypatch.setattr(wait, "Live", lambda place: _Told(place, self))
        self.start()
        until(lambda: self.looks, "a first look")
        assert self.is_alive()

    def run(self) -> None:
        self.code = wait.run(self.args)

    def has_looked(self) -> None:
        """Once more from now on, and goes on waiting."""
        before = self.looks
        until(lambda: self.looks > before + 1, "a further look")
        assert self.is_alive()

    def ends(self) -> int:
        self.join(PATIENCE_S)
        assert not self.is_alive(), "it waits for ever"
        return self.code


class _Told(live.Live):
    def __init__(self, home: str, whom: Waiting) -> None:
        super().__init__(home)
        self._whom = whom

    def wait(self, also: Any = (), at_most: float = live.POLL_S) -> list[int]:
        self._whom.looks += 1
        return super().wait(also, min(at_most, 0.05) if self._whom.looks > 1 else at_most)


def test_what_is_so_already_is_told_at_once(home: Path) -> None:
    put(home, session("9df7420c", NEEDS_APPROVAL, name="shop", detail="Bash: npm test", quote="npm test"))
    found = run(home, "wait")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "9df7  shop  needs approval: Bash: “npm test”\n"


def test_a_change_of_the_file_ends_the_wait(home: Path) -> None:
    put(home, session("a"), session("b"))
    with piped(home, "wait", "a", "--for", "needs_approval", "--json") as one:
        put(home, session("b", NEEDS_APPROVAL), session("a", NEEDS_APPROVAL, detail="question"))
        code, out, errors = ended(one)
    assert (code, errors) == (0, "")
    record = json.loads(out)
    (target,) = record["targets"]
    assert (record["v"], record["for"], record["result"]) == (1, "needs_approval", "reached")
    assert (target["id"], target["session_id"], target["to"], target["detail"]) == (
        "a",
        "a",
        NEEDS_APPROVAL,
        "question",
    )


def test_it_is_woken_by_the_file_and_tells_from_and_to(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A poll that never comes proves that it was the event."""
    monkeypatch.setattr(live, "POLL_S", FOREVER_S)
    put(home, session("a", name="shop"))
    one = Waiting(monkeypatch, home, "shop")
    put(home, session("a", WAITING, name="shop", detail="1 shell running"))
    assert one.ends() == 0
    assert capsys.readouterr().out == "a  shop  working → waiting: 1 shell running\n"


def test_any_change_is_not_what_was_so_before(home: Path) -> None:
    states = [WAITING, WORKING]
    put(home, session("a", WAITING))
    with piped(home, "wait", "--for", "any-change", "--json") as one:

        def changes() -> bool:
            states.reverse()
            put(home, session("a", states[0]))
            return one.poll() is not None

        until(changes, "a change that counts")
        (target,) = json.loads(ended(one)[1])["targets"]
    assert {target["from"], target["to"]} == {WAITING, WORKING}


def test_gone_is_reached_by_a_target_that_goes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(home, session("a"))
    one = Waiting(monkeypatch, home, "a", wanted="gone")
    remove(home, "a")
    assert one.ends() == 0


def test_a_watcher_that_rests_says_who_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, session("a"))
    with watcher(tmp_path):
        one = Waiting(monkeypatch, tmp_path, "a", wanted="gone")
        remove(tmp_path, "a")
    rest(tmp_path)
    assert one.ends() == 0


@pytest.mark.parametrize("every", [False, True])
def test_a_target_that_goes_before_is_said_and_not_done(
    every: bool, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(home, session("a"))
    one = Waiting(monkeypatch, home, "a", every=every)
    remove(home, "a")
    assert one.ends() == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "yourturn: waited for your-turn: is gone before that\n  a  a-name  working → gone\n"


def test_one_of_several_that_goes_is_said_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(home, session("a"), session("b"))
    one = Waiting(monkeypatch, home, "a", "b")
    remove(home, "a")
    one.has_looked()
    one.has_looked()
    put(home, session("b", WAITING))
    assert one.ends() == 0
    assert capsys.readouterr().err == "yourturn: a-name is gone; waiting for the others\n"


def test_a_time_out_tells_how_things_stand(home: Path) -> None:
    put(home, session("a", detail="Edit: x"))
    found = run(home, "wait", "a", "--timeout", "0.05")
    assert (found.returncode, found.stdout) == (124, "")
    assert found.stderr == "yourturn: waited for your-turn: not within 0.05 s\n  a  a-name  working: Edit: x\n"
    asked = run(home, "wait", "--timeout", "0", "--json")
    assert (asked.returncode, json.loads(asked.stdout)["result"]) == (124, "timeout")


@pytest.mark.parametrize("words", [["--timeout", "-1"], ["--timeout", "nan"], ["--for", "asleep"], ["--any", "--all"]])
def test_what_cannot_be_meant_is_wrong_usage(words: list[str], home: Path) -> None:
    assert run(home, "wait", *words).returncode == 2


def test_no_such_target_and_an_ambiguous_one_do_not_wait(home: Path) -> None:
    put(home, session("aab"), session("aac"))
    nobody = run(home, "wait", "aab", "zz", "--for", "gone")
    assert (nobody.returncode, nobody.stdout) == (2, "")
    assert "no session or agent 'zz' found. Running sessions:" in nobody.stderr
    several = run(home, "wait", "aa", "--for", "gone")
    assert (several.returncode, several.stdout) == (3, "")
    assert "  aab  aab-name  working\n  aac  aac-name  working" in several.stderr


def test_ctrl_c_is_an_interruption(tmp_path: Path) -> None:
    with piped(tmp_path, "wait") as one:
        assert one.stderr
        assert one.stderr.readline().startswith("✕ No watcher is running")
        one.send_signal(signal.SIGINT)
        assert ended(one)[:2] == (130, "")


def test_nothing_is_reached_and_nobody_missed_while_nobody_knows(tmp_path: Path) -> None:
    put(tmp_path, session("a", WAITING))
    with piped(tmp_path, "wait", "a", "b") as one:
        assert one.stderr
        said = one.stderr.readline()
        assert said == ("✕ No watcher is running: state unknown. Start it: yourturn up Waiting until it is known.\n")
        put(tmp_path, session("b", NEEDS_APPROVAL))
        with watcher(tmp_path):
            code, out, errors = ended(one)
    assert (code, out, errors) == (0, "a  a-name  waiting\nb  b-name  needs approval\n", "")


def test_a_watcher_that_dies_is_nobodys_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, session("a"))
    with watcher(tmp_path):
        one = Waiting(monkeypatch, tmp_path, "a", wanted="gone")
    remove(tmp_path, "a")
    one.has_looked()
    one.has_looked()
    with watcher(tmp_path):
        assert one.ends() == 0
    assert capsys.readouterr().err.count("No watcher is running") == 1, "it is said once"


def test_a_folder_that_vanishes_is_nobodys_end(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(home, session("a"))
    one = Waiting(monkeypatch, home, "a", wanted="gone")
    (home / "status").rename(home / "elsewhere")
    one.has_looked()
    assert "The folder of the statuses is gone: state unknown." in capsys.readouterr().err
    (home / "elsewhere").rename(home / "status")
    one.has_looked()
    remove(home, "a")
    assert one.ends() == 0


def test_a_folder_that_was_made_anew_says_nothing_until_another_watcher_has_looked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home, session("a"))
    one = Waiting(monkeypatch, home, "a", wanted="gone")
    (home / "status").rename(home / "elsewhere")
    (home / "status").mkdir(0o700)
    one.has_looked()
    one.has_looked()
    beat = Heartbeat(4, "2", "0", time.time() + FOREVER_S)
    store.replace(paths.heartbeat(str(home)), status.encode(beat))
    assert one.ends() == 0


def test_it_starts_a_watcher_if_there_is_none_and_waits_for_the_end_of_a_turn(tmp_path: Path) -> None:
    """With real hooks and a real watcher, which nobody but `wait` has started."""
    with Scene(tmp_path) as scene:
        client = scene.client()
        scene.hook(client, event("UserPromptSubmit", prompt="x"))
        argv = [sys.executable, str(PROJECT / "yourturn.py"), "wait", "--json"]
        with subprocess.Popen(argv, env=scene.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as one:
            try:
                scene.becomes(WORKING)
                assert one.poll() is None
                scene.hook(client, event("Stop"))
                code, out, _ = ended(one)
            finally:
                one.kill()
        assert code == 0
        (target,) = json.loads(out)["targets"]
        assert (target["session_id"], target["to"]) == (event("Stop")["session_id"], WAITING)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_told_is_clean(text: str) -> None:
    evil = hostile(text)
    for target in (Target(evil), *(Target(evil, one) for one in evil.agents)):
        said = wait.worded(Change("9df7", target, WORKING, NEEDS_APPROVAL))
        assert said.isprintable()
        assert len(said) < 400


def test_it_takes_no_time_of_the_processor_while_nothing_happens(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it waits: one look, then a sleep until the poll."""
    asked: list[float] = []

    class Counted(live.Live):
        def wait(self, also: Any = (), at_most: float = live.POLL_S) -> list[int]:
            asked.append(min(at_most, self._due - self.now))
            raise KeyboardInterrupt

    put(home, session("a"))
    monkeypatch.setenv("YOURTURN_HOME", str(home))
    monkeypatch.setattr(wait, "Live", Counted)
    given = argparse.Namespace(target=["a"], wanted="gone", every=False, timeout=None, json=False)
    with contextlib.suppress(KeyboardInterrupt):
        wait.run(given)
    assert asked
    assert asked[0] >= live.POLL_S
