"""Hooks of an agent that was started through us, whose client has words of its own for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from contract import facts, machine
from contract.facts import Client, Fact, Mark, Registered, Stamp, Turn
from processes.identity import start_of
from support.builders import HOOK, SESSION, event, hook_env

if TYPE_CHECKING:
    from pathlib import Path

OURS = "0f0e0d0c-1111-4222-8333-444455556666"
AT = Stamp((1_800_000_010.0, 10.0))
PROGRAM = [sys.executable, "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"]


def register(home: Path, client: str = "codex", *, has_task: bool = True) -> None:
    """This process, as `yourturn spawn` writes it down before a program runs."""
    host, boot, pids = machine.here()
    fact = Fact(
        session=OURS,
        agent="main",
        client_name=client,
        registered=Registered(name="builder", kind="agent", at=AT),
        client=Client(pid=os.getpid(), start=start_of(os.getpid()) or "", host=host, boot=boot, pids=pids),
        turn=Turn(opened=AT, prompted=AT, machine=True) if has_task else None,
        last=Mark(at=AT, word="spawn"),
    )
    folder = home / "state" / "facts"
    folder.mkdir(parents=True, mode=0o700)
    (folder / f"{OURS}.main.json").write_bytes(facts.encode(fact))


def hook(home: Path, name: str, *before: str, client: str = "codex", **more: str) -> None:
    """`before`: what runs between us and the hook."""
    env = hook_env(home, YOURTURN_AGENT=OURS)
    del env["CLAUDE_PID"]
    payload = json.dumps(event(name, **more)).encode()
    subprocess.run([*before, *HOOK, client], input=payload, env=env, check=True)


def kept(home: Path) -> dict[tuple[str, str], Fact]:
    """By session and agent."""
    found = [facts.decode(path.read_bytes()) for path in (home / "state" / "facts").glob("*.json")]
    return {(fact.session, fact.agent): fact for fact in found if fact}


@pytest.mark.parametrize("before", [(), PROGRAM], ids=["itself", "what it launches"])
def test_a_client_that_names_its_session_itself_has_the_row_that_it_was_registered_with(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    register(tmp_path)
    hook(tmp_path, "SessionStart", *before, source="startup")
    (fact,) = kept(tmp_path).values()
    assert (fact.session, fact.registered and fact.registered.name, fact.twin) == (OURS, "builder", False)
    assert fact.client is not None
    assert (fact.client.pid == os.getpid()) == (not before)


def test_so_do_its_sub_agents(tmp_path: Path) -> None:
    register(tmp_path)
    hook(tmp_path, "SessionStart", source="startup")
    hook(tmp_path, "SubagentStart", agent_id="k1", agent_type="worker")
    assert set(kept(tmp_path)) == {(OURS, "main"), (OURS, "k1")}


def test_the_first_word_need_not_be_its_start(tmp_path: Path) -> None:
    """That one may be lost."""
    register(tmp_path)
    hook(tmp_path, "UserPromptSubmit", *PROGRAM, prompt="x", turn_id="t1")
    (fact,) = kept(tmp_path).values()
    assert fact.client is not None
    assert (fact.session, fact.client.pid == os.getpid()) == (OURS, False)


def test_an_agent_that_it_starts_is_another_one(tmp_path: Path) -> None:
    """It has the same environment."""
    register(tmp_path)
    hook(tmp_path, "SessionStart", source="startup")
    hook(tmp_path, "SessionStart", *PROGRAM, source="startup")
    assert set(kept(tmp_path)) == {(OURS, "main"), (SESSION, "main")}


def test_so_is_one_that_is_started_below_a_launcher(tmp_path: Path) -> None:
    register(tmp_path)
    hook(tmp_path, "SessionStart", *PROGRAM, *PROGRAM, source="startup")
    assert set(kept(tmp_path)) == {(OURS, "main"), (SESSION, "main")}


@pytest.mark.parametrize("client", ["command", "opencode"])
def test_so_is_one_of_another_client(tmp_path: Path, client: str) -> None:
    register(tmp_path, client)
    hook(tmp_path, "SessionStart", source="startup")
    assert set(kept(tmp_path)) == {(OURS, "main"), (SESSION, "main")}


def test_one_that_was_given_no_task_may_leave_all_to_a_process_that_many_share(tmp_path: Path) -> None:
    register(tmp_path, has_task=False)
    hook(tmp_path, "SessionStart", *PROGRAM, source="startup")
    assert set(kept(tmp_path)) == {(OURS, "main"), (SESSION, "main")}


def test_without_a_registration_it_keeps_its_own_name(tmp_path: Path) -> None:
    hook(tmp_path, "SessionStart", source="startup")
    assert set(kept(tmp_path)) == {(SESSION, "main")}


def test_a_program_that_a_script_launches_under_its_id_is_no_second_one(tmp_path: Path) -> None:
    register(tmp_path, "gemini")
    hook(tmp_path, "SessionStart", *PROGRAM, client="gemini", session_id=OURS, source="startup")
    (fact,) = kept(tmp_path).values()
    assert (fact.session, fact.twin, fact.client_name) == (OURS, False, "gemini")
