"""What `make torture` has found, each in its smallest form."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from contract import heldfile, machine, paths, store
from support.builders import HOOK, SESSION, call, event, facts_in, hook_env, run_hook
from support.needs import SKIPPED


def names(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "state" / "facts").iterdir())


def test_an_event_that_leaves_no_fact_leaves_no_lock_either(tmp_path: Path) -> None:
    """The client's own agents, such as the one that compacts, only say that they end: one lock each, for ever."""
    run_hook(tmp_path, event("SubagentStop", agent_id="acompact"))
    assert names(tmp_path) == []
    run_hook(tmp_path, call("PreToolUse", "t"))
    assert names(tmp_path) == [f"{SESSION}.main.json", f"{SESSION}.main.json.lock"]


def test_a_second_terminal_leaves_no_lock_of_the_first_one_behind(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    run_hook(tmp_path, event("SessionStart", source="resume"), CLAUDE_PID="1")
    for name in names(tmp_path):
        if not name.startswith(f"{SESSION}-p"):
            (tmp_path / "state" / "facts" / name).unlink()
    run_hook(tmp_path, call("PreToolUse", "u"), CLAUDE_PID="1")
    twin = paths.twin(SESSION, 1)
    assert names(tmp_path) == [f"{twin}.main.json", f"{twin}.main.json.lock"]
    assert list(facts_in(tmp_path)["main"].calls) == ["u"]


def test_a_log_that_is_another_name_of_a_file_is_not_written_to(tmp_path: Path) -> None:
    precious, log = tmp_path / "precious", tmp_path / "log"
    precious.write_bytes(b"precious")
    os.link(precious, log)
    store.append(str(log), b"one\n", limit=1000)
    store.append(str(log), b"two\n", limit=1000)
    assert precious.read_bytes() == b"precious"
    assert log.read_bytes() == b"one\ntwo\n"


def test_a_client_with_a_clock_of_its_own_is_elsewhere(tmp_path: Path) -> None:
    """In a time namespace the kernel dates every process otherwise: its start would not be the one we see."""
    own = ["unshare", "--time", "--fork", "--boottime", "1000"]
    if subprocess.run([*own, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"{SKIPPED}the right to a time namespace")
    data = json.dumps(call("PreToolUse", "t")).encode()
    subprocess.run([*own, *HOOK], input=data, env=hook_env(tmp_path), check=True)
    client = facts_in(tmp_path)["main"].client
    assert client
    assert client.pids.startswith(machine.here()[2])
    assert client.pids != machine.here()[2]


def test_without_flock_a_holder_that_lets_go_and_ends_takes_no_other_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While we asked whether the holder lives, the next one came: its file is neither moved nor removed."""
    path = str(tmp_path / "fact.json")
    held = tmp_path / "fact.json.held"
    held.write_text("the first")
    seen: list[bool] = []

    def is_left_behind(_held: str) -> bool:
        seen.append(held.exists())
        held.unlink()
        if len(seen) == 1:
            (tmp_path / "new").write_text("the next")
            (tmp_path / "new").rename(held)
        return len(seen) == 1

    monkeypatch.setattr(heldfile, "_is_left_behind", is_left_behind)
    monkeypatch.setattr(heldfile, "_clear_away", lambda *_: pytest.fail("the next holder's file was moved"))
    os.close(heldfile.take(path))
    assert seen == [True, True]
