"""The plugin in OpenCode, run by node: what it hands to the hook, in which order, and that it minds its manners."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from recorder.clients.opencode import EVENTS
from support.needs import need
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

PLUGIN = PROJECT / "plugins" / "opencode" / "yourturn.js"
COMMAND = re.compile(r"^const COMMAND = .*$", re.MULTILINE)
# Plays the part of the client: `[hook, input, output]` for each line.
CLIENT = """
import { YourTurn } from "./yourturn.mjs"
const hooks = await YourTurn({ directory: "/home/me/proj" })
for (const [name, input, output] of JSON.parse(process.argv[2])) await hooks[name](input, output)
await hooks.dispose()
"""
MAIN, CHILD = "ses_main", "ses_child"


def happens(kind: str, **properties: Any) -> list[Any]:
    return ["event", {"event": {"type": kind, "properties": properties}}]


def created(session: str, **more: str) -> list[Any]:
    return happens("session.created", info={"id": session, "agent": "general", **more})


def status(session: str, kind: str) -> list[Any]:
    return happens("session.status", sessionID=session, status={"type": kind})


def begins(session: str, call: str) -> list[Any]:
    given = {"tool": "bash", "sessionID": session, "callID": call}
    return ["tool.execute.before", given, {"args": {"command": "npm test", "content": "secret"}}]


def asks(session: str, call: str, request: str) -> list[Any]:
    return happens("permission.asked", id=request, sessionID=session, permission="bash", tool={"callID": call})


def ends(session: str, call: str) -> list[Any]:
    part = {"type": "tool", "callID": call, "state": {"status": "error"}}
    return happens("message.part.updated", sessionID=session, part=part)


@pytest.fixture
def handed(tmp_path: Path) -> Any:
    """What the hook was given, in order."""
    need("node")

    def play(*lines: list[Any], command: list[str] | None = None) -> list[dict[str, Any]]:
        log = tmp_path / "log"
        hook = command or ["/bin/sh", "-c", f"cat >> {log}; echo >> {log}"]
        (tmp_path / "yourturn.mjs").write_text(COMMAND.sub(f"const COMMAND = {json.dumps(hook)}", PLUGIN.read_text()))
        (tmp_path / "client.mjs").write_text(CLIENT)
        argv = ["node", str(tmp_path / "client.mjs"), json.dumps(lines)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    return play


def test_every_event_that_it_hands_on_is_understood_and_no_other() -> None:
    text = PLUGIN.read_text()
    named = set(re.findall(r'(?:hand|asks|answered)\("([a-z.]+)"', text)) | set(
        re.findall(r'"(permission\.\w+ed)"', text)
    )
    assert set(EVENTS) == named - {"permission.replied"}


def test_a_turn_is_told_once_however_often_the_client_says_so(handed: Any) -> None:
    prompt = ["chat.message", {"sessionID": MAIN}, {"message": {"id": "msg_1"}}]
    busy, idle = status(MAIN, "busy"), status(MAIN, "idle")
    told = handed(created(MAIN), prompt, busy, busy, idle, happens("session.idle", sessionID=MAIN), idle)
    assert [one["event"] for one in told] == ["session.busy", "session.idle", "session.ended"]
    assert (told[0]["turn"], told[0]["source"], told[0]["cwd"]) == ("msg_1", "startup", "/home/me/proj")


def test_a_session_that_goes_on_is_resumed(handed: Any) -> None:
    assert handed(status(MAIN, "busy"))[0]["source"] == "resume"


def test_an_answer_names_the_call_that_was_asked_for(handed: Any) -> None:
    yes, no = (
        {"sessionID": MAIN, "requestID": name, "reply": word} for name, word in (("r1", "once"), ("r2", "reject"))
    )
    lines = [begins(MAIN, "a"), asks(MAIN, "a", "r1"), begins(MAIN, "b"), asks(MAIN, "b", "r2")]
    told = handed(*lines, happens("permission.replied", **yes), happens("permission.replied", **no), ends(MAIN, "b"))
    assert [(one["event"], one["call"]) for one in told] == [
        ("tool.began", "a"), ("permission.asked", "a"), ("tool.began", "b"), ("permission.asked", "b"),
        ("permission.approved", "a"), ("permission.rejected", "b"), ("tool.ended", "b"),
    ]  # fmt: skip
    assert all(one["about"] == {"command": "npm test"} for one in told)


def test_a_sub_agent_is_told_under_the_session_that_started_it(handed: Any) -> None:
    told = handed(created(CHILD, parentID=MAIN), status(CHILD, "busy"), begins(CHILD, "a"), status(CHILD, "idle"))
    assert [(one["session"], one["agent"], one["type"]) for one in told] == [(MAIN, CHILD, "general")] * 3


def test_who_is_interrupted_takes_its_sub_agents_along(handed: Any) -> None:
    busy = [status(MAIN, "busy"), created(CHILD, parentID=MAIN), status(CHILD, "busy")]
    aborted = happens("session.error", sessionID=MAIN, error={"name": "MessageAbortedError"})
    told = handed(*busy, aborted, status(MAIN, "idle"))
    assert [(one["event"], one.get("agent", "")) for one in told[2:4]] == [
        ("session.idle", CHILD),
        ("session.idle", ""),
    ]


@pytest.mark.parametrize("odd", [{}, {"info": None}, {"status": 7}, {"part": None}, {"sessionID": None}])
@pytest.mark.parametrize("kind", ["session.created", "session.status", "message.part.updated", "permission.asked"])
def test_an_odd_event_troubles_nobody(kind: str, odd: dict[str, Any], handed: Any) -> None:
    handed(happens(kind, **odd))


def test_without_a_hook_it_is_silent(handed: Any) -> None:
    assert handed(created(MAIN), status(MAIN, "busy"), command=["/nowhere/python", "hook.py"]) == []
