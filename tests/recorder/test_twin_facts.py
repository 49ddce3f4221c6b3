"""A session that goes on in another process, or in two at the same time."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contract import facts
from contract.facts import Fact
from support.builders import ask, call, event, facts_in, run_hook


def test_a_session_that_goes_on_in_another_process_has_nothing_open(tmp_path: Path) -> None:
    with living() as before:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=before)
    run_hook(tmp_path, event("Notification", notification_type="idle_prompt"))
    fact = facts_in(tmp_path)["main"]
    assert not fact.calls
    assert fact.client is not None
    assert fact.client.pid == os.getpid()


def test_the_first_call_of_another_process_is_not_lost_with_what_was_before(tmp_path: Path) -> None:
    with living() as before:
        run_hook(tmp_path, call("PreToolUse", "old"), CLAUDE_PID=before)
    run_hook(tmp_path, call("PreToolUse", "new"))
    fact = facts_in(tmp_path)["main"]
    assert list(fact.calls) == ["new"]
    assert fact.turn is not None
    assert fact.turn.is_open


@contextmanager
def living() -> Iterator[str]:
    """The pid of a process that lives as long as this is open."""
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            yield str(process.pid)
        finally:
            process.kill()


def written(home: Path) -> list[Fact]:
    found = [facts.decode(path.read_bytes()) for path in sorted((home / "state" / "facts").glob("*.json"))]
    assert None not in found
    return sorted((fact for fact in found if fact), key=lambda fact: fact.twin)


def test_a_session_that_two_living_processes_have_open_has_a_fact_for_each(tmp_path: Path) -> None:
    with living() as first:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=first)
        run_hook(tmp_path, ask({"command": "echo t"}), CLAUDE_PID=first)
        for name in ("SessionStart", "UserPromptSubmit", "Stop"):
            run_hook(tmp_path, event(name, source="resume", prompt_id="p"))
        run_hook(tmp_path, event("Notification", notification_type="idle_prompt"), CLAUDE_PID=first)
        one, two = written(tmp_path)
    assert (one.twin, bool(one.calls["t"].asked), one.client and one.client.pid) == (False, True, int(first))
    assert (two.twin, two.calls, two.client and two.client.pid) == (True, {}, os.getpid())
    assert one.session == two.session


def test_a_late_word_of_a_process_that_has_ended_makes_no_second_fact(tmp_path: Path) -> None:
    with living() as first:
        run_hook(tmp_path, event("UserPromptSubmit", prompt_id="p"), CLAUDE_PID=first)
    with living() as second:
        run_hook(tmp_path, event("SessionStart", source="resume"), CLAUDE_PID=second)
        run_hook(tmp_path, event("PostToolBatch", tool_calls=[]), CLAUDE_PID=first)
        (only,) = written(tmp_path)
    assert (only.client and only.client.pid, only.turn and only.turn.is_open) == (int(second), False)


def test_two_living_processes_have_a_fact_each_though_an_old_client_does_not_say_which_it_is_case_63(
    tmp_path: Path,
) -> None:
    with living() as first:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=first)
        run_hook(tmp_path, ask({"command": "echo t"}), CLAUDE_PID=first)
        for name in ("SessionStart", "UserPromptSubmit"):
            run_hook(tmp_path, event(name, source="resume", prompt_id="p"), CLAUDE_PID="")
        one, two = written(tmp_path)
    assert (one.twin, bool(one.calls["t"].asked), one.client and one.client.pid) == (False, True, int(first))
    assert (two.twin, two.turn and two.turn.is_open, two.client and two.client.pid) == (True, True, os.getpid())


def test_a_second_process_keeps_its_own_fact_when_the_first_has_ended(tmp_path: Path) -> None:
    with living() as first:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=first)
        run_hook(tmp_path, event("SessionStart", source="resume"))
    run_hook(tmp_path, call("PreToolUse", "u"))
    one, two = written(tmp_path)
    assert (list(one.calls), list(two.calls)) == (["t"], ["u"])
    next((tmp_path / "state" / "facts").glob(f"{one.session}.main.json")).unlink()
    run_hook(tmp_path, call("PreToolUse", "v"))
    assert [list(fact.calls) for fact in written(tmp_path)] == [["u", "v"]]
