"""What each client is told to run: its own events, in its own shape, and the same line for as long as we can."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from contract import clients as contract
from contract.clients import codex as codex_events
from installer.clients import CLIENTS, opencode
from installer.hooks import entries
from installer.hooks.program import Program
from installer.plan import NOBODY
from support.needs import need

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = Program("/v/bin/python", "/p/hook.py")
LINE = "test -f /v/bin/python && test -x /v/bin/python && test -r /p/hook.py && exec /v/bin/python -S -E /p/hook.py"
END = " >/dev/null 2>&1; : # yourturn-hook"
WITH_HOOKS = [name for name in CLIENTS if name != "opencode"]


def written(client: str) -> dict[str, Any]:
    value = json.loads(CLIENTS[client].editor(PROGRAM).put(""))
    assert isinstance(value, dict)
    return value


def hook(client: str, event: str) -> Any:
    (item,) = written(client)["hooks"][event]
    return item["hooks"][0] if "hooks" in item else item


def test_every_client_that_rooms_know_can_be_installed_into() -> None:
    assert list(CLIENTS) == list(contract.CLIENTS)


def test_the_line_that_codex_has_to_trust_stays_the_same() -> None:
    """It asks the user again whenever a hook changes: who changes this line asks everybody for a new review."""
    wanted = {
        event: [{"hooks": [{"type": "command", "command": f"{LINE} codex{END}", "timeout": 10}]}]
        for event in (
            "SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "SubagentStart",
            "SubagentStop", "Stop", "PreCompact", "PostCompact",
        )
    }  # fmt: skip
    for event in ("Interrupt", "SessionEnd"):
        wanted[event] = [{"hooks": [{"type": "command", "command": f"{LINE} codex{END}", "timeout": 3}]}]
    assert written("codex") == {"hooks": wanted}
    assert set(codex_events.EVENTS) == set(wanted)


def test_qwen_counts_milliseconds_and_names_the_hook() -> None:
    plain = {"type": "command", "name": "yourturn", "command": f"{LINE} qwen{END}", "timeout": 10_000}
    assert hook("qwen", "Stop") == plain
    assert hook("qwen", "PostToolUse") == {**plain, "async": True}


def test_gemini_has_names_of_its_own_and_counts_milliseconds() -> None:
    line = f"{LINE} gemini{END}"
    wanted = {"type": "command", "name": "yourturn", "command": line, "timeout": 10_000}
    assert hook("gemini", "AfterAgent") == wanted
    assert "PreCompress" not in written("gemini")["hooks"]


def test_copilot_has_a_file_with_a_version_and_no_groups() -> None:
    wanted = {"type": "command", "bash": f"{LINE} copilot{END}", "timeoutSec": 10}
    assert written("copilot")["version"] == 1
    assert hook("copilot", "Stop") == wanted


@pytest.mark.parametrize("client", WITH_HOOKS)
def test_a_line_tells_which_program_it_starts(client: str) -> None:
    odd = Program("/v v/py'thon", '/p"p/$HOME/hook.py')
    for program in (PROGRAM, odd):
        editor = CLIENTS[client].editor(program)
        text = editor.put("")
        assert set(editor.programs(text)) == {program}
        assert len(editor.programs(text)) == len(editor.names) > 5
    edited = CLIENTS[client].editor(PROGRAM).put("").replace("-S -E", "-E -S")
    assert set(CLIENTS[client].editor(NOBODY).programs(edited)) == {None}


@pytest.mark.parametrize("client", WITH_HOOKS)
def test_no_client_takes_the_line_of_another_for_its_own(client: str) -> None:
    text = CLIENTS[client].editor(PROGRAM).put("").replace(f"hook.py {client}", "hook.py parrot")
    assert set(CLIENTS[client].editor(NOBODY).programs(text)) == {None}
    assert entries.program_of(f"{LINE} {client}{END}", f" {client}") == PROGRAM


ODD = Program('/a "b"/\\c\u2028/日本/`${x}`/python', "/'p'/@python@/\"@hook@\"/hook.py")


def test_the_plugin_of_opencode_starts_exactly_these_two(tmp_path: Path) -> None:
    need("node")
    plugin = tmp_path / "yourturn.mjs"
    plugin.write_text(opencode.written(ODD).replace("const COMMAND", "export const COMMAND"))
    code = f"import({json.dumps(plugin.as_uri())}).then((made) => console.log(JSON.stringify(made.COMMAND)))"
    told = subprocess.run([shutil.which("node") or "", "-e", code], capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == [ODD.interpreter, "-S", "-E", ODD.script, "opencode"]
    assert opencode.read(opencode.written(ODD)) == ODD


def test_a_plugin_that_was_edited_starts_nobody_knows_what() -> None:
    text = opencode.written(PROGRAM)
    assert opencode.read(text.replace('"-S", ', "")) is None
    assert opencode.read(text.replace('"/v/bin/python"', '"\\q"')) is None


def test_the_plugin_begins_as_one_of_any_version_does() -> None:
    """Who changes these words leaves older plugins behind."""
    assert opencode._template().startswith("// Tells yourturn what happens in OpenCode")
    older = "// Tells yourturn what happens in OpenCode, as it did long ago\n"
    assert opencode.editor(PROGRAM).put(older) == opencode.written(PROGRAM)


def test_no_place_in_the_plugin_is_left_to_be_filled() -> None:
    assert "@python@" in opencode._template()
    assert "@" not in opencode.written(PROGRAM).partition("const PATIENCE_MS")[0].partition("const COMMAND")[2]
