"""What `make torture` has found, each in its smallest form."""

import os
from pathlib import Path

from builders import SESSION, call, event, facts_in, run_hook
from contract import paths, store


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
