"""What keeps a client from running installed hooks: read from its own files, and nothing in them is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from installer.clients import CLIENTS
from installer.hooks.program import Program

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = Program("/v/bin/python", "/p/hook.py")
# As Codex 0.166.0 calls the hooks of a file.
EVENTS = [
    "session_start",
    "user_prompt_submit",
    "pre_tool_use",
    "permission_request",
    "post_tool_use",
    "subagent_start",
    "subagent_stop",
    "interrupt",
    "stop",
    "pre_compact",
    "post_compact",
    "session_end",
]


def told(client: str, path: Path, text: str | None = None) -> list[str]:
    text = CLIENTS[client].editor(PROGRAM).put("") if text is None else text
    return [caveat.what for caveat in CLIENTS[client].caveats(str(path), text)]


def reviewed(path: Path, events: list[str], more: str = "") -> str:
    return "".join(f'[hooks.state."{path}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n{more}' for event in events)


def test_codex_has_to_be_told_that_its_hooks_are_trusted(tmp_path: Path) -> None:
    path, config = tmp_path / "hooks.json", tmp_path / "config.toml"
    (new,) = CLIENTS["codex"].caveats(str(path), CLIENTS["codex"].editor(PROGRAM).put(""))
    assert "12 of 12 are not yet" in new.what
    assert new.is_step
    assert '"Hooks need review"' in new.words
    config.write_text(reviewed(path, EVENTS[1:]))
    assert ["1 of 12 are not yet" in words for words in told("codex", path)] == [True]
    config.write_text(reviewed(path, EVENTS).replace("trusted_hash", "other"))
    assert ["12 of 12 are not yet" in words for words in told("codex", path)] == [True]
    config.write_text(reviewed(path, EVENTS))
    assert told("codex", path) == []
    assert config.read_text() == reviewed(path, EVENTS)


def test_a_hook_of_codex_is_known_by_its_place_among_others(tmp_path: Path) -> None:
    path, config = tmp_path / "hooks.json", tmp_path / "config.toml"
    theirs = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}'
    text = CLIENTS["codex"].editor(PROGRAM).put(theirs)
    config.write_text(reviewed(path, EVENTS))
    assert ["1 of 12" in words for words in told("codex", path, text)] == [True]
    config.write_text(reviewed(path, EVENTS) + f'[hooks.state."{path}:stop:1:0"]\ntrusted_hash = "sha256:0"\n')
    assert told("codex", path, text) == []


def test_a_folder_of_codex_behind_a_link_has_two_names(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    path = tmp_path / "link" / "hooks.json"
    for named in (path, tmp_path / "real" / "hooks.json"):
        (tmp_path / "real" / "config.toml").write_text(reviewed(named, EVENTS))
        assert told("codex", path) == []
    (tmp_path / "real" / "config.toml").write_text(reviewed(tmp_path / "other" / "hooks.json", EVENTS))
    assert len(told("codex", path)) == 1


@pytest.mark.parametrize(
    "config", ["[hooks", "\xff", "hooks = 1\n", "[hooks]\nstate = []\n", "[hooks.state]\nx = 1\n", "[[hooks]]\n"]
)
def test_what_codex_does_not_say_is_not_taken_for_trust(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(config.encode("latin-1"))
    assert len(told("codex", tmp_path / "hooks.json")) == 1


def test_codex_can_be_told_to_run_no_hooks(tmp_path: Path) -> None:
    path, config = tmp_path / "hooks.json", tmp_path / "config.toml"
    for switch in ("hooks", "codex_hooks"):
        config.write_text(f"[features]\n{switch} = false\n" + reviewed(path, EVENTS))
        assert told("codex", path) == [f"Codex runs no hooks: features.{switch} is false"]
    config.write_text(reviewed(path, EVENTS, "enabled = false\n"))
    assert told("codex", path) == [f"12 of the hooks are disabled in {config}"]


SWITCHES = {
    "qwen": ('{"disableAllHooks": true}', "disableAllHooks is set"),
    "qwen, with a comment": ('{"disableAllHooks": true // for now\n}', "disableAllHooks is set"),
    "copilot": ('{"version": 1, "disableAllHooks": true}', "disableAllHooks is set"),
    "gemini": ('{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled is false"),
    "gemini, by name": ('{"hooksConfig": {"disabled": ["other", "yourturn"]}}', "hooksConfig.disabled"),
}


@pytest.mark.parametrize(("text", "words"), SWITCHES.values(), ids=SWITCHES)
def test_a_switch_of_the_client_is_seen(text: str, words: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    client = request.node.callspec.id.partition(",")[0]
    assert [words in what for what in told(client, tmp_path / "file", text)] == [True]
    assert told(client, tmp_path / "file") == []


@pytest.mark.parametrize("text", ['{"hooksConfig": []}', '{"hooksConfig": {"disabled": {}}}', "{}"])
def test_what_gemini_would_not_understand_is_no_switch(text: str, tmp_path: Path) -> None:
    assert told("gemini", tmp_path / "settings.json", text) == []


def test_gemini_says_in_which_folders_it_runs_no_hooks(tmp_path: Path) -> None:
    note = CLIENTS["gemini"].note(str(tmp_path / "settings.json"))
    assert note == "it runs them only in folders that you trust"
    (tmp_path / "trustedFolders.json").write_text('{"/a": "TRUST_FOLDER", "/b": "DO_NOT_TRUST"}')
    assert CLIENTS["gemini"].note(str(tmp_path / "settings.json")) == f"{note} (1 that you do not)"
    (tmp_path / "trustedFolders.json").write_text("[")
    assert CLIENTS["gemini"].note(str(tmp_path / "settings.json")) == note
