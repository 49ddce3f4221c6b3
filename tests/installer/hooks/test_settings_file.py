"""Real-looking settings files through install, install again, uninstall: the last state equals the first."""

from __future__ import annotations

import json
import os
import stat

import pytest

from contract.clients.claude import EVENTS
from installer.hooks import entries
from installer.hooks.program import Program
from support.installing import PYTHON, Person
from support.project import PROJECT
from support.settings_files import MODEL, install_twice, our_events, uninstall

OTHER_TOOL = {"type": "command", "command": "~/.local/bin/other-tool notify", "timeout": 5}
OLD = {
    "type": "command",
    "command": "{ /gone/python -S -E /gone/hook.py; } >/dev/null 2>&1 || : # yourturn-hook",
}
GONE = "test -f /gone/python && test -x /gone/python && test -r /gone/hook.py && exec /gone/python -S -E /gone/hook.py"
UNNAMED = {"type": "command", "command": f"{GONE} >/dev/null 2>&1; : # yourturn-hook", "timeout": 10}
WITH_OTHERS = json.dumps(
    {
        "$schema": "https://json.schemastore.org/claude-code-settings.json",
        "hooks": {
            "Stop": [{"hooks": [OTHER_TOOL]}],
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [OTHER_TOOL]},
                {"matcher": "Edit|Write", "hooks": [OTHER_TOOL]},
            ],
            "WorktreeCreate": [{"hooks": [OTHER_TOOL]}],
        },
        "permissions": {"allow": ["Bash(git:*)"], "deny": []},
    },
    indent=2,
).encode()
FILES: dict[str, bytes] = {
    "an empty file": b"",
    "a file of blanks": b"\n  \n",
    "an empty object": b"{}",
    "an empty object with a newline": b"{}\n",
    "an open empty object": b"{\n}\n",
    "other tools' hooks on the same events": WITH_OTHERS,
    "hooks that are empty": b'{"hooks": {}}\n',
    "an event that is empty": b'{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}\n',
    "unknown keys": b'{\n  "zeta": {"deep": [1, 2.50, 1e3, null]},\n  "alpha": true\n}\n',
    "Windows line ends": b'{\r\n  "model": "opus",\r\n  "env": {\r\n    "A": "1"\r\n  }\r\n}\r\n',
    "a byte order mark": b"\xef\xbb\xbf" + MODEL,
    "tabs": b'{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    "four spaces": b'{\n    "model": "opus"\n}\n',
    "no newline at the end": b'{\n  "model": "opus"\n}',
    "blank lines all over": b'\n\n{\n\n  "model" :   "opus"  \n\n}\n\n\n',
    "one line": b'{"model":"opus","env":{"A":"1"}}',
    "letters of many tongues": '{\n  "language": "日本語 größer", "x": "\\u00e9\\ud83d\\ude00"\n}\n'.encode(),
    "duplicate keys elsewhere": b'{\n  "env": {"A": "1"},\n  "env": {"A": "2"}\n}\n',
}  # fmt: skip


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_the_last_state_equals_the_first(content: bytes, person: Person) -> None:
    person.has(content).settings.chmod(0o640)
    install_twice(person)
    assert person.settings.read_bytes().startswith(b"\xef\xbb\xbf") is content.startswith(b"\xef\xbb\xbf")
    assert [path.read_bytes() for path in person.backups] == [content]
    uninstall(person)
    assert person.settings.read_bytes() == content
    assert stat.S_IMODE(person.settings.stat().st_mode) == 0o640
    assert sorted(os.listdir(person.root)) == ["config"]
    assert os.listdir(person.config) == ["settings.json"]


def test_where_there_was_no_file_and_no_folder_there_is_none_again(person: Person) -> None:
    install_twice(person)
    assert stat.S_IMODE(person.settings.stat().st_mode) == 0o600
    assert stat.S_IMODE(person.config.stat().st_mode) == 0o700
    assert stat.S_IMODE(person.state.stat().st_mode) == 0o700
    assert stat.S_IMODE((person.state / "install.json").stat().st_mode) == 0o600
    uninstall(person)
    assert os.listdir(person.root) == []


@pytest.mark.parametrize(
    "target", ["../dotfiles/claude.json", "{root}/dotfiles/claude.json"], ids=["relative", "absolute"]
)
def test_a_symlink_stays_a_symlink(target: str, person: Person) -> None:
    real = person.root / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(MODEL)
    person.config.mkdir()
    link = target.format(root=person.root)
    person.settings.symlink_to(link)
    install_twice(person)
    assert os.readlink(person.settings) == link
    assert our_events(person) == set(EVENTS)
    assert [path.parent for path in person.backups] == [person.config]
    uninstall(person)
    assert os.readlink(person.settings) == link
    assert real.read_bytes() == MODEL
    assert os.listdir(real.parent) == ["claude.json"]


def test_a_link_to_nowhere_points_to_nowhere_again(person: Person) -> None:
    person.config.mkdir()
    person.settings.symlink_to("later.json")
    install_twice(person)
    assert (person.config / "later.json").is_file()
    uninstall(person)
    assert os.listdir(person.config) == ["settings.json"]
    assert os.readlink(person.settings) == "later.json"


@pytest.mark.parametrize("old", [OLD, UNNAMED], ids=["until 0.1.0", "without the client's name"])
def test_entries_from_an_older_path_are_updated_in_place(old: dict[str, object], person: Person) -> None:
    groups = {"Stop": [{"hooks": [old]}, {"hooks": [OTHER_TOOL]}], "SessionEnd": [{"hooks": [old]}]}
    person.has(json.dumps({"hooks": groups, "model": "opus"}, indent=2))
    install_twice(person)
    found = json.loads(person.settings.read_text())["hooks"]
    assert found["Stop"][1] == {"hooks": [OTHER_TOOL]}
    wanted = entries.command_of(Program(PYTHON, f"{PROJECT}/hook.py"))
    assert found["Stop"][0]["hooks"][0]["command"] == wanted
    assert list(found)[:2] == ["Stop", "SessionEnd"]
    uninstall(person)
    assert json.loads(person.settings.read_text()) == {
        "hooks": {"Stop": [{"hooks": [OTHER_TOOL]}]},
        "model": "opus",
    }


def test_a_moved_interpreter_is_followed_and_the_original_still_comes_back(person: Person) -> None:
    person.has(WITH_OTHERS)
    moved = person.root / "moved python"
    moved.symlink_to(PYTHON)
    person.calls(person.argv("install", "--yes", python=str(moved)))
    line = json.loads(person.settings.read_text())["hooks"]["Stop"][1]["hooks"][0]["command"]
    assert entries.program_of(line) == Program(str(moved), f"{PROJECT}/hook.py")
    install_twice(person)
    assert str(moved) not in person.settings.read_text()
    assert len(person.backups) == 2
    uninstall(person)
    assert person.settings.read_bytes() == WITH_OTHERS
    assert person.backups == []


def test_what_others_changed_since_stays_and_only_our_entries_go(person: Person) -> None:
    person.has(WITH_OTHERS)
    install_twice(person)
    # The client writes the whole file anew when a person changes one setting.
    value = json.loads(person.settings.read_text())
    value["model"] = "haiku"
    person.settings.write_text(json.dumps(value, indent=4))
    uninstall(person)
    assert json.loads(person.settings.read_text()) == json.loads(WITH_OTHERS) | {"model": "haiku"}
    assert [json.loads(path.read_text()) for path in person.backups] == [value]
    assert not person.state.exists()


def test_keys_that_were_empty_before_us_are_not_pruned(person: Person) -> None:
    person.has('{"hooks": {"Stop": []}}')
    install_twice(person)
    person.settings.write_text(person.settings.read_text() + "\n")
    uninstall(person)
    assert person.settings.read_text() == '{"hooks": {"Stop": []}}\n'


def test_installing_over_a_file_that_others_changed_gives_their_change_back(person: Person) -> None:
    person.has(MODEL)
    person.runs("install", "--yes")
    person.settings.write_text(person.settings.read_text().replace("opus", "haiku").replace(PYTHON, "/gone/python"))
    install_twice(person)
    uninstall(person)
    assert person.settings.read_bytes() == MODEL.replace(b"opus", b"haiku")


def test_a_file_of_ours_that_only_changed_its_shape_goes_too(person: Person) -> None:
    install_twice(person)
    person.settings.write_text(json.dumps(json.loads(person.settings.read_text())))
    uninstall(person)
    assert not person.settings.exists()


@pytest.mark.parametrize("lost", ["the backup", "the backup's content", "the record", "a garbled record"])
def test_without_memory_our_entries_go_all_the_same(lost: str, person: Person) -> None:
    person.has(WITH_OTHERS)
    install_twice(person)
    if lost == "the backup":
        person.backups[0].unlink()
    elif lost == "the backup's content":
        person.backups[0].write_text('{"somebody": "else"}')
    elif lost == "the record":
        (person.state / "install.json").unlink()
    else:
        (person.state / "install.json").write_text('{"v": 1, "files": {"x": []}}')
    uninstall(person)
    assert person.settings.read_bytes() == WITH_OTHERS
    theirs = [path for path in person.backups if "somebody" in path.read_text()]
    assert len(theirs) == (lost == "the backup's content")


def test_a_record_cannot_make_us_remove_a_strangers_file(person: Person) -> None:
    person.has(MODEL)
    install_twice(person)
    prey = [person.root / "prey.bak", person.config / "other.yourturn-1.bak"]
    for path in prey:
        path.touch()
    (person.config / "settings.json.yourturn-").mkdir()
    record = json.loads((person.state / "install.json").read_text())
    winding = f"{person.settings}.yourturn-/../../prey.bak"
    record["files"][str(person.settings)]["backups"] = [*map(str, prey), winding]
    (person.state / "install.json").write_text(json.dumps(record))
    uninstall(person)
    assert all(path.exists() for path in prey)


def test_a_backup_from_before_others_wrote_outlives_uninstalling(person: Person) -> None:
    person.has('{"round": 1}').runs("install", "--yes")
    person.has('{"round": 2}').runs("install", "--yes")
    uninstall(person)
    assert person.settings.read_text() == '{"round": 2}'
    assert [path.read_text() for path in person.backups] == ['{"round": 1}']


def test_an_older_backup_is_never_overwritten(person: Person) -> None:
    for round_ in range(4):
        content = json.dumps({"round": round_}).encode()
        person.has(content)
        person.runs("install", "--yes")
    assert sorted(path.read_bytes() for path in person.backups) == [b'{"round": %d}' % n for n in range(4)]


def test_two_configuration_folders_share_a_state_folder_until_the_last_leaves(person: Person) -> None:
    person.has(MODEL)
    other = str(person.root / "other")
    person.runs("install", "--yes")
    person.runs("install", "--yes", CLAUDE_CONFIG_DIR=other)
    uninstall(person)
    assert person.settings.read_bytes() == MODEL
    assert person.state.exists()
    person.runs("uninstall", "--yes", CLAUDE_CONFIG_DIR=other)
    assert os.listdir(person.root) == ["config"]
