"""The wall between us and a client: one file and one line in a table bring in another one."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from contract import facts
from contract.clients.claude import EVENTS
from contract.facts import Fact, Stamp
from contract.status import NEEDS_APPROVAL, WAITING
from recorder import changes, clients
from recorder.change import Change
from recorder.clients import claude
from recorder.receive import receive
from support.builders import HOOK, call, event, facts_in, hook_env, known, run_hook
from watcher.rules.evidence import Evidence
from watcher.rules.law import resolve

FIELDS = set(Change.__annotations__)
ENV = {"PARROT_PROCESS": str(os.getpid()), "YOURTURN_NO_WATCHER": "1"}


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it takes."""
    monkeypatch.setitem(clients.CLIENTS, "parrot", "support.parrot")


def says(home: Path, at: float, **payload: Any) -> None:
    told = json.dumps({"thread": "polly", "perch": "/home/me/cage", **payload}).encode()
    receive(str(home / "state"), ENV, told, Stamp((at, at)), "parrot")


def light(fact: Fact, now: float) -> str:
    return resolve(Evidence(now=now, facts={"main": fact}))["main"].status


@pytest.mark.usefixtures("parrot")
def test_another_client_is_recorded_by_its_own_file_and_one_line_in_the_table(tmp_path: Path) -> None:
    says(tmp_path, 1.0, kind="hello")
    says(tmp_path, 2.0, kind="ask", number="n1", nut="walnut")
    asking = facts_in(tmp_path)["main"]
    assert (asking.client_name, asking.session, asking.cwd) == ("parrot", "polly", "/home/me/cage")
    assert asking.client is not None
    assert (asking.client.pid, asking.client.entrypoint) == (os.getpid(), "cage")
    asked = [(c.name, c.target, c.asked) for c in asking.calls.values()]
    assert asked == [("beak", "walnut", (2.000001, 2.000001))]  # it is told with its beginning, and comes after it
    says(tmp_path, 3.0, kind="silence")
    silent = facts_in(tmp_path)["main"]
    assert not silent.calls
    assert silent.last is not None
    assert silent.last.word == "silence"
    assert (light(asking, 2.5), light(silent, 3.5)) == (NEEDS_APPROVAL, WAITING)


@pytest.mark.usefixtures("parrot")
def test_what_a_client_says_that_is_of_no_interest_leaves_no_trace(tmp_path: Path) -> None:
    says(tmp_path, 1.0, kind="squawk", thread=None)
    assert facts_in(tmp_path) == {}


@pytest.mark.usefixtures("parrot")
@pytest.mark.parametrize("junk", [None, 7, [], {"a": []}, ""])
def test_what_is_of_the_wrong_type_is_dropped_for_every_client_alike(junk: Any, tmp_path: Path) -> None:
    says(tmp_path, 1.0, kind="ask", number="n1", nut="walnut")
    says(tmp_path, 2.0, kind="ask", number=junk, nut=junk, perch=junk)
    assert list(facts_in(tmp_path)["main"].calls) == ["n1"]
    with pytest.raises(ValueError, match="names no session"):
        says(tmp_path, 3.0, kind="hello", thread=junk)


@pytest.mark.parametrize("name", ["cockatoo", "", "../claude", "a" * 300, "-x"])
def test_a_client_that_nobody_knows_is_one_line_in_the_log_and_nothing_else(name: str, tmp_path: Path) -> None:
    done = hook(tmp_path, [name])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    if name:
        (line,) = (tmp_path / "state" / "hook.log").read_text().splitlines()
        assert "names no client that we know" in line
    assert len(list((tmp_path / "state" / "facts").iterdir())) == (0 if name else 2)
    assert sorted(os.listdir(tmp_path)) == ["state"]


def hook(home: Path, arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
    told = json.dumps(call("PreToolUse", "t")).encode()
    return subprocess.run([*HOOK, *arguments], input=told, capture_output=True, env=hook_env(home), check=False)


def test_a_hook_that_names_no_client_speaks_for_claude_code(tmp_path: Path) -> None:
    """As those do that were installed before there were others."""
    found = []
    for arguments in ([], ["claude"]):
        home = tmp_path / str(len(arguments))
        assert hook(home, arguments).returncode == 0
        found.append(facts_in(home)["main"])
    assert [(fact.client_name, list(fact.calls)) for fact in found] == [("claude", ["t"])] * 2


def test_a_fact_that_names_no_client_is_one_of_claude_code(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    (path,) = (tmp_path / "state" / "facts").glob("*.json")
    old = json.loads(path.read_bytes())
    assert old.pop("client_name") == "claude"
    path.write_text(json.dumps(old))
    run_hook(tmp_path, call("PreToolUse", "u"))
    fact = facts_in(tmp_path)["main"]
    assert (fact.client_name, list(fact.calls)) == ("claude", ["t", "u"])
    assert facts.decode(b'{"v":1,"session":"s","agent":"main","client_name":7}') == Fact(session="s", agent="main")


def test_every_client_has_the_same_names_inside() -> None:
    assert clients.CLIENTS
    for name in clients.CLIENTS:
        found = clients.named(name)
        assert callable(found.translate)
        assert found.process({}) == ("", "", False)


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_each_event_of_claude_code_is_told_in_words_that_we_have(name: str) -> None:
    batch = [{"tool_use_id": "t"}]
    (told,) = claude.translate(event(name, tool_calls=batch, prompt="<task-notification><task-id>x</task-id>"))
    assert told.kind in changes.CHANGES
    assert (told.event, told.agent) == (name, "main")
    for change in (told, *told.calls):
        assert set(vars(change)) <= FIELDS


def test_a_late_stop_does_not_end_an_agent_that_was_started_again_and_is_at_work() -> None:
    sub = {"agent_id": "a1", "agent_type": "Explore"}
    start, stop = event("SubagentStart", **sub), event("SubagentStop", **sub)
    fact = known(start, start, call("PreToolUse", "t", **sub), stop, at=[1.0, 6.0, 7.0, 5.0])
    assert fact.stopped is None
    assert list(fact.calls) == ["t"]


@pytest.mark.parametrize("name", sorted(clients.CLIENTS))
def test_every_client_in_the_table_answers_the_same_questions(name: str) -> None:
    """Also the one that is asked only when a watcher has to be started."""
    speaker = clients.named(name)
    assert isinstance(speaker.plugin({}), str)
    assert isinstance(speaker.notice("words", {}), dict)
    assert len(speaker.process({})) == 3
    with pytest.raises(ValueError, match="none we listen to"):
        speaker.translate({})


COPILOT = {"COPILOT_CLI": "1", "COPILOT_LOADER_PID": "7"}


@pytest.mark.parametrize(
    ("env", "speaker"),
    [
        ({}, "claude"),
        (COPILOT, "copilot"),
        ({**COPILOT, "COPILOT_PROJECT_DIR": "/p"}, "copilot"),
        ({**COPILOT, "COPILOT_AGENT_SESSION_ID": "s"}, "claude"),  # a Claude Code in one of its commands
        ({**COPILOT, "COPILOT_AGENT_SESSION_ID": "s", "COPILOT_PROJECT_DIR": "/p"}, "copilot"),
        ({"QWEN_PROJECT_DIR": "/p", "GEMINI_PROJECT_DIR": "/p"}, ""),
        ({"GEMINI_SESSION_ID": "s"}, ""),
        ({"GROK_HOOK_EVENT": "Stop"}, ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "+".join(value) or "nothing",
)
def test_a_hook_of_claudes_settings_knows_who_runs_it(env: dict[str, str], speaker: str) -> None:
    project = {"CLAUDE_PROJECT_DIR": "/p"}  # all of them set it
    assert clients.speaking("claude", {**project, **env}) == speaker
    assert clients.speaking("qwen", {**project, **env}) == "qwen"


def test_what_copilot_tells_a_hook_of_claudes_settings_is_recorded_as_its_own(tmp_path: Path) -> None:
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "timestamp": "t", "cwd": "/p", "prompt": "x"}
    done = run_hook(tmp_path, prompt, **COPILOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    found = facts_in(tmp_path)["main"]
    assert (found.client_name, found.session) == ("copilot", "s1")
    assert found.client is not None
    assert found.client.pid == os.getpid()


def test_what_an_unknown_client_tells_a_hook_of_claudes_settings_is_no_session(tmp_path: Path) -> None:
    for mark in ("QWEN_PROJECT_DIR", "GEMINI_SESSION_ID", "GROK_HOOK_EVENT"):
        run_hook(tmp_path, event("UserPromptSubmit"), **{mark: "x"})
        run_hook(tmp_path, {"hookEventName": "stop", "sessionId": "s1"}, **{mark: "x"})
    assert facts_in(tmp_path) == {}
    assert not (tmp_path / "state" / "hook.log").exists()
