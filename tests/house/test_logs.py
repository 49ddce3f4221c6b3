"""Nothing that an agent or a person wrote, and nothing of the environment, is in any file of the state folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from contract import paths
from contract.facts import Stamp
from recorder import trouble
from support.builders import SESSION, ask, call, event, run_hook
from support.patience import until

if TYPE_CHECKING:
    from support.watching import Scene

SECRET = "sEcr3t-7f3a"  # noqa: S105 - nobody's
COMMAND = {"command": f"curl -u bob:{SECRET} https://example.org -d 'p={SECRET}' && echo {SECRET}"}
ENVIRONMENT = {"ANTHROPIC_API_KEY": SECRET, "CLAUDE_CODE_MESSAGING_TOKEN": SECRET, "PS1": SECRET, "OLDPWD": SECRET}
TASK = {"id": "b1", "type": "shell", "status": "running", "description": COMMAND["command"], "command": SECRET}
USUAL: list[dict[str, Any]] = [
    event("SessionStart", source="startup"),
    event("UserPromptSubmit", prompt=f"my password is {SECRET}"),
    call("PreToolUse", "t1", given=COMMAND),
    ask(COMMAND),
    call("PostToolUse", "t1", given=COMMAND, tool_response={"stdout": SECRET}),
    call("PostToolUseFailure", "t2", given=COMMAND, error=SECRET),
    call("PreToolUse", "t3", "Write", given={"file_path": "/home/me/notes", "content": SECRET}),
    event("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_use_id": "t4", "tool_input": COMMAND}]),
    event("Notification", notification_type="idle_prompt", message=SECRET),
    event("Stop", background_tasks=[TASK], session_crons=[{"prompt": SECRET}], last_assistant_message=SECRET),
    event("UserPromptSubmit", prompt=SECRET),
    ask({"command": f"export TOKEN={SECRET}; ./deploy"}),
]
HOSTILE: list[bytes] = [
    b"",
    SECRET.encode(),
    b'{"prompt": "' + SECRET.encode(),
    json.dumps([SECRET]).encode(),
    json.dumps({SECRET: SECRET}).encode(),
    json.dumps(event(SECRET)).encode(),
    json.dumps(event("Stop", session_id={SECRET: 1})).encode(),
    json.dumps(event("Stop", session_id=[SECRET])).encode(),
    json.dumps(event("Stop", background_tasks={SECRET: SECRET})).encode(),
    json.dumps(event("Stop", background_tasks=[{"id": {"a": SECRET}, "type": [SECRET], "status": [SECRET]}])).encode(),
    json.dumps(event("UserPromptSubmit", prompt={"a": [SECRET]}, prompt_id=[SECRET])).encode(),
    json.dumps(event("PreToolUse", tool_name=[SECRET], tool_input=SECRET, tool_use_id={"a": SECRET})).encode(),
    json.dumps(call("PreToolUse", "t5", given=[SECRET])).encode(),
    json.dumps(call("PreToolUse", "t6", given={"command": {"a": SECRET}})).encode(),
    json.dumps(event("Notification", notification_type=[SECRET])).encode(),
    json.dumps(event("PostToolBatch", tool_calls={SECRET: [SECRET]})).encode(),
    b'{"session_id": "' + SESSION.encode() + b'", "hook_event_name": "Stop", "x": ' + b"[" * 3000 + SECRET.encode(),
    b'{"session_id": "\\ud800", "hook_event_name": "Stop", "prompt": "' + SECRET.encode() + b'\xff"}',
]
# Python's own words on these quote the value.
FAULTS = {
    "a key that is missing": "{}[SECRET]",
    "no number": "int(SECRET)",
    "an attribute": "getattr(0, SECRET)",
    "no such codec": "b'x'.decode(SECRET)",
    "any other": "(_ for _ in ()).throw(RuntimeError('bad: ' + SECRET))",
}


def leaks(scene: Scene) -> list[str]:
    files = [path for path in Path(scene.state).rglob("*") if path.is_file()]
    assert len(files) > 3, "nothing was written, so nothing was looked at"
    return [
        f"{path.name}: {path.read_text(errors='replace')}"
        for path in files
        if SECRET in path.read_text(errors="replace")
    ]


def transcript(scene: Scene) -> str:
    """Lines as the client writes them, and lines of every wrong shape."""
    path = scene.home / "transcript.jsonl"
    usual = {"type": "user", "timestamp": "2026-01-01T00:00:00.000Z", "message": {"role": "user", "content": SECRET}}
    odd: list[Any] = [
        usual,
        {**usual, "timestamp": SECRET},
        {**usual, "message": {"role": "assistant", "content": [{"type": "tool_use", "id": [SECRET], "input": SECRET}]}},
        {**usual, "type": "assistant", "message": {"content": [{"type": "text", "text": SECRET}, SECRET, 5]}},
        {**usual, "type": "system", "subtype": [SECRET], "content": SECRET},
        {**usual, "toolUseResult": {"stdout": SECRET}, "toolDenialKind": SECRET},
        [SECRET],
        SECRET,
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in odd) + '{"type": "user", "x": "' + SECRET + "\n")
    return str(path)


def test_no_prompt_command_or_environment_is_in_any_file(scene: Scene) -> None:
    client = scene.client()
    path = transcript(scene)
    for payload in USUAL[:-1]:
        scene.hook(client, {**payload, "transcript_path": path}, **ENVIRONMENT)
    scene.registry(client, SESSION, "waiting", waitingFor="permission prompt", secret=SECRET)
    scene.watcher(**ENVIRONMENT)
    scene.hook(client, {**USUAL[-1], "transcript_path": path}, **ENVIRONMENT)
    scene.becomes("needs_approval")
    until(scene.beat)
    scene.polled()
    assert leaks(scene) == []


def test_what_cannot_be_read_is_not_quoted_anywhere(scene: Scene) -> None:
    client = scene.client()
    scene.hook(client, USUAL[0])
    for payload in HOSTILE:
        done = run_hook(scene.home, payload, CLAUDE_PID=str(client.pid), **ENVIRONMENT)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    scene.watcher()
    until(scene.beat)
    scene.polled()
    log = Path(paths.hook_log(scene.state)).read_text()
    assert len(log.splitlines()) > 5
    assert "ValueError: the event is not an object (recorder/receive.py:" in log
    assert leaks(scene) == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_the_hook_is_noted_without_its_value(fault: str, tmp_path: Path) -> None:
    with pytest.raises(Exception) as found:  # noqa: PT011 - one of many
        eval(fault, {"SECRET": SECRET})  # noqa: S307 - our own
    assert SECRET in str(found.value)
    trouble.note(str(tmp_path), Stamp((0.0, 0.0)), found.value)
    noted = Path(paths.hook_log(str(tmp_path))).read_text()
    assert type(found.value).__name__ in noted
    assert SECRET not in noted


def test_logs_stay_below_their_bounds_whatever_comes(scene: Scene) -> None:
    """The hook's own: two files of 64 KB; a line is short however long the event is."""
    for _ in range(3):
        run_hook(scene.home, b'["' + b"x" * 1_000_000)
    line = max(Path(paths.hook_log(scene.state)).read_text().splitlines(), key=len)
    assert len(line) < 400
    error = OSError(28, "No space left on device", "/x" * 1000)
    for _ in range(500):
        trouble.note(scene.state, Stamp((0.0, 0.0)), error)
    sizes = [path.stat().st_size for path in Path(scene.state).glob("hook.log*")]
    assert len(sizes) == 2
    assert sum(sizes) < 2 * (trouble.LIMIT + 400)
