"""Many hooks want the same lock, and one holds it for longer than it should."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from contract import paths
from support import crowds
from support.builders import HOOK, SESSION, call, facts_in, hook_env, run_hook
from support.patience import until
from support.project import PROJECT

# The hook with something else changed first.
SLOW = "import time; from contract import store; replace = store.replace;"
SLOW += "store.replace = lambda path, data: (time.sleep({hold}), replace(path, data));"
NO_FLOCK = "import fcntl\ndef flock(*_): raise OSError({number}, 'no locks')\nfcntl.flock = flock\n"
KILLED = "from contract import store; import posix; store.replace = lambda *_: posix._exit(9)\n"


def hook_with(change: str) -> list[str]:
    code = f"import sys; sys.path.insert(0, {str(PROJECT)!r})\n{change}\nfrom recorder.serve import serve; serve('')"
    return [sys.executable, "-S", "-E", "-c", code]


def log_of(home: Path) -> list[str]:
    log = home / "state" / "hook.log"
    return log.read_text().splitlines() if log.exists() else []


def test_hooks_at_once_lose_no_event(tmp_path: Path) -> None:
    assert crowds.play(tmp_path, hooks=16, rounds=5, agents=4) == {}
    assert log_of(tmp_path) == []


def test_a_lock_that_goes_from_hand_to_hand_is_waited_for_longer_than_a_stopped_holder(tmp_path: Path) -> None:
    """All together need twice as long as anybody would wait for one."""
    slow = hook_with(SLOW.format(hold=0.25))
    assert crowds.play(tmp_path, hooks=80, rounds=1, agents=1, argv=slow) == {}
    assert log_of(tmp_path) == []


def blocked_alarms() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])


@pytest.mark.parametrize("alarms", [None, blocked_alarms], ids=["as usual", "alarms blocked by the client"])
def test_a_stopped_holder_does_not_hang_the_session(alarms: None, tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    stop = "import fcntl, os, signal; from contract import store; replace = store.replace;"
    stop += "store.replace = lambda *_: os.kill(os.getpid(), signal.SIGSTOP)"
    with subprocess.Popen(hook_with(stop), stdin=subprocess.PIPE, env=hook_env(tmp_path)) as stopped:
        assert stopped.stdin
        stopped.stdin.write(json.dumps(call("PreToolUse", "u")).encode())
        stopped.stdin.close()
        until(lambda: _state_of(stopped.pid) == "T", "the holder is stopped")
        payload = json.dumps(call("PreToolUse", "v")).encode()
        done = subprocess.run(
            HOOK, input=payload, capture_output=True, env=hook_env(tmp_path), preexec_fn=alarms, check=False
        )
        stopped.kill()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "Busy" in log_of(tmp_path)[0]
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]


def _state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize("number", [errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS], ids=["ENOTSUP", "ENOLCK", "ENOSYS"])
def test_without_flock_no_event_is_lost_and_it_is_said_once(number: int, tmp_path: Path) -> None:
    hook = hook_with(NO_FLOCK.format(number=number))
    assert crowds.play(tmp_path, hooks=16, rounds=2, agents=2, argv=hook) == {}
    said = log_of(tmp_path)
    assert {line for line in said if "no flock" not in line} == set()
    assert 1 <= len(said) <= 16, "said once, or by those who came at the very same moment"
    before = len(said)
    assert crowds.play(tmp_path / "again", hooks=2, rounds=1, agents=1, argv=hook) == {}
    subprocess.run(hook, input=json.dumps(call("PreToolUse", "x")).encode(), env=hook_env(tmp_path), check=True)
    assert len(log_of(tmp_path)) == before
    assert not list((tmp_path / "state").rglob("*.held"))


def test_without_flock_what_a_killed_holder_left_behind_counts_for_nothing(tmp_path: Path) -> None:
    no_flock = NO_FLOCK.format(number=errno.ENOTSUP)
    payload = json.dumps(call("PreToolUse", "t")).encode()
    held = Path(paths.fact(str(tmp_path / "state"), SESSION, "main") + ".held")
    subprocess.run(hook_with(no_flock + KILLED), input=payload, env=hook_env(tmp_path), check=False)
    assert held.exists(), "the holder was not killed with the lock in its hand"
    subprocess.run(hook_with(no_flock), input=payload, env=hook_env(tmp_path), check=True)
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]
    assert not held.exists()


def test_without_flock_a_holder_of_another_machine_is_waited_for_but_not_for_ever(tmp_path: Path) -> None:
    held = Path(paths.fact(str(tmp_path / "state"), SESSION, "main") + ".held")
    held.parent.mkdir(parents=True, mode=0o700)
    held.write_text(f"{os.getpid()} elsewhere boot pids")
    hurried = hook_with(NO_FLOCK.format(number=errno.ENOTSUP) + "from contract import store; store.PATIENCE_S = 0.2")
    subprocess.run(hurried, input=json.dumps(call("PreToolUse", "t")).encode(), env=hook_env(tmp_path), check=True)
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]
