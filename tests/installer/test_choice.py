"""Which clients install and uninstall touch: those that are named, all that are found, or Claude Code."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from installer.clients import CLIENTS
from support.at_a_terminal import at_a_terminal
from support.installing import Person
from support.other_clients import FILES, OTHERS, User, paths

MODEL = '{\n  "model": "opus"\n}\n'


class Stranger(Person):
    """Somebody who has no program of this machine."""

    @property
    def environ(self) -> dict[str, str]:
        return {**super().environ, "PATH": f"{self.root}/bin"}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody with Claude Code, Codex and Qwen Code."""
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".qwen").mkdir()
    return Stranger(tmp_path).has(MODEL)


def installed(person: Person) -> list[str]:
    """The clients whose files have our hooks."""
    found = {"claude": person.settings, **{name: person.root / FILES[name] for name in OTHERS}}
    return [name for name, path in found.items() if path.exists() and "hook.py" in path.read_text()]


def test_without_a_terminal_it_is_claude_code_and_the_others_are_named(person: Person) -> None:
    done = person.runs("install", "--yes", "--no-service")
    assert (done.returncode, installed(person)) == (0, ["claude"])
    assert "Also found: Codex and Qwen Code. To add the hooks: " in done.stdout
    assert "install --client codex,qwen\n" in done.stdout
    assert "Also found" in person.runs("install", "--dry-run").stdout


def test_the_clients_that_are_named_are_the_ones(person: Person) -> None:
    assert person.runs("install", "--client", "qwen", "--yes").returncode == 0
    assert installed(person) == ["qwen"]
    assert person.settings.read_text() == MODEL
    assert person.runs("install", "--client", "codex, claude", "--client", "gemini", "--yes").returncode == 0
    assert installed(person) == ["claude", "codex", "gemini", "qwen"]


def test_all_are_those_that_are_found(person: Person) -> None:
    program = person.root / "bin" / "copilot"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = person.runs("install", "--all", "--yes")
    assert (done.returncode, installed(person)) == (0, ["claude", "codex", "copilot", "qwen"])
    assert (
        "To do: Codex runs hooks only after you have reviewed them; 12 of 12 are not yet. Start `codex`" in done.stdout
    )
    assert "Also found" not in done.stdout
    again = person.runs("install", "--yes")
    assert "Also found" not in again.stdout


def test_where_nothing_is_found_all_is_nothing(tmp_path: Path) -> None:
    done = Stranger(tmp_path).runs("install", "--all", "--yes")
    assert (done.returncode, list(tmp_path.iterdir())) == (1, [])
    assert f"Name one with --client: {', '.join(CLIENTS)}." in done.stderr


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("word", ["cursor", "", "codex,", "Codex"])
def test_an_unknown_name_is_wrong_usage(command: str, word: str, person: Person) -> None:
    done = person.runs(command, "--client", word, "--yes")
    assert (done.returncode, installed(person)) == (2, [])
    assert f"there are {', '.join(CLIENTS)}" in done.stderr


def test_all_and_some_is_wrong_usage(person: Person) -> None:
    assert person.runs("install", "--all", "--client", "codex", "--yes").returncode == 2


def test_one_file_that_is_refused_keeps_us_from_all(person: Person) -> None:
    (person.root / FILES["qwen"]).write_text('{"a": 1,}')
    done = person.runs("install", "--all", "--yes")
    assert (done.returncode, installed(person)) == (1, [])
    assert f"{person.root / FILES['qwen']}:1:9: " in done.stderr


def test_one_file_that_is_read_only_keeps_us_from_all() -> None:
    with tempfile.TemporaryDirectory() as folder:  # that of pytest is not open to others
        person = Stranger(Path(folder)).has(MODEL)
        User(person, "qwen").has(b"{}").path.chmod(0o444)
        # Modes mean nothing to root, so a superuser's run of this test becomes another user's.
        nobody = {"AS_UID": "65534"} if os.getuid() == 0 else {}
        for path in [person.root, *person.root.rglob("*")] if nobody else []:
            os.chown(path, 65534, 65534)
        done = person.runs("install", "--all", "--yes", **nobody)
        assert (done.returncode, installed(person)) == (1, [])
        assert f"{person.root / FILES['qwen']} is read-only." in done.stderr


def test_at_a_terminal_one_question_offers_the_others(person: Person) -> None:
    code, screen = at_a_terminal(person, b"y\ny\n", "install", "--no-service")
    assert (code, installed(person)) == (0, ["claude", "codex", "qwen"])
    assert "Add the hooks for Codex and Qwen Code? [y/N, d to see the diff]" in screen
    code, screen = at_a_terminal(person, b"", "install", "--no-service")
    assert (code, "Add the hooks" in screen) == (0, False)


def test_a_no_to_the_others_is_no_failure(person: Person) -> None:
    code, screen = at_a_terminal(person, b"y\nn\n", "install", "--no-service")
    assert (code, installed(person)) == (0, ["claude"])
    assert "Also found: Codex and Qwen Code." in screen


def test_a_no_to_claude_code_ends_it(person: Person) -> None:
    code, screen = at_a_terminal(person, b"n\n", "install")
    assert (code, installed(person), "Add the hooks" in screen) == (1, [], False)


def test_an_offer_shows_its_diff_on_request(person: Person) -> None:
    _, screen = at_a_terminal(person, b"y\nd\nn\n", "install", "--no-service")
    assert f"+++ {person.root / FILES['codex']}" in screen.partition("Add the hooks")[2].replace("\r", "")


def test_a_broken_file_of_another_is_told_and_left_out_of_the_offer(person: Person) -> None:
    (person.root / FILES["qwen"]).write_text("{")
    code, screen = at_a_terminal(person, b"y\ny\n", "install", "--no-service")
    assert (code, installed(person)) == (0, ["claude", "codex"])
    assert f"Left out Qwen Code: {person.root / FILES['qwen']}:1:2: " in screen


def test_who_has_no_claude_code_is_offered_what_there_is(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    person = Stranger(tmp_path)
    code, screen = at_a_terminal(person, b"y\n", "install", "--no-service")
    assert (code, installed(person)) == (0, ["codex"])
    assert f"Change {tmp_path / FILES['codex']}? [y/N" in screen
    assert not person.settings.exists()
    assert at_a_terminal(person, b"", "install", "--no-service")[0] == 0
    person.runs("uninstall", "--yes")
    code, screen = at_a_terminal(person, b"n\n", "install")
    assert (code, installed(person), "Nothing was changed" in screen) == (1, [], True)


def test_with_several_files_one_question_counts_them(person: Person) -> None:
    code, screen = at_a_terminal(person, b"n\n", "install", "--client", "codex,qwen")
    assert (code, installed(person), "Change these 2 files? [y/N" in screen) == (1, [], True)
    code, screen = at_a_terminal(person, b"y\n", "install", "--client", "codex", "--no-service")
    assert (code, f"Change {person.root / FILES['codex']}? [y/N" in screen) == (0, True)


def test_a_preview_of_several_changes_nothing(person: Person) -> None:
    before = User(person, "codex").everything()
    done = person.runs("install", "--all", "--dry-run", "--diff")
    assert (done.returncode, User(person, "codex").everything()) == (0, before)
    assert done.stdout.count("+++ ") == 3
    assert f"Adds 12 hooks. Nothing else in {person.root / FILES['codex']} changes." in done.stdout


def test_with_the_plugin_of_claude_code_all_leaves_its_settings_alone(person: Person) -> None:
    person.has_plugin()
    before = person.settings.read_bytes()
    done = person.runs("install", "--all", "--yes")
    assert (done.returncode, installed(person)) == (0, ["codex", "qwen"])
    assert "has the hooks of Claude Code already" in done.stdout
    assert person.settings.read_bytes() == before


def test_where_claude_code_is_refused_the_others_are_named(person: Person) -> None:
    person.has_plugin()
    done = person.runs("install", "--yes")
    assert (done.returncode, "Also found: Codex and Qwen Code." in done.stdout) == (3, True)
    assert "has the hooks already" in done.stderr


def test_uninstall_takes_all_of_it_out(person: Person) -> None:
    before = User(person, "codex").everything()
    person.runs("install", "--client", ",".join(CLIENTS), "--yes")
    assert installed(person) == list(CLIENTS)
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert User(person, "codex").everything() == before


def test_uninstall_for_one_client_leaves_the_rest(person: Person) -> None:
    person.runs("install", "--all", "--yes")
    done = person.runs("uninstall", "--client", "codex", "--yes")
    assert (done.returncode, installed(person)) == (0, ["claude", "qwen"])
    assert "Everything else of yourturn stays" in done.stdout
    assert set(json.loads((person.state / "install.json").read_text())["files"]) == {
        str(person.settings), str(person.root / FILES["qwen"]),
    }  # fmt: skip
    again = person.runs("uninstall", "--client", "codex", "--yes")
    assert (again.returncode, again.stdout) == (0, "Nothing to uninstall.\n")


def test_uninstall_asks_for_one_client_too(person: Person) -> None:
    person.runs("install", "--all", "--yes")
    code, screen = at_a_terminal(person, b"n\n", "uninstall", "--client", "codex")
    assert (code, installed(person)) == (1, ["claude", "codex", "qwen"])
    assert "Remove these hooks? [y/N" in screen
    assert person.runs("uninstall", "--client", "codex", "--dry-run").returncode == 0
    assert installed(person) == ["claude", "codex", "qwen"]


def test_hooks_that_the_person_took_out_can_be_forgotten(person: Person) -> None:
    person.runs("install", "--client", "codex", "--yes")
    (person.root / FILES["codex"]).unlink()
    assert person.runs("uninstall", "--client", "codex", "--dry-run").returncode == 0
    assert (person.state / "install.json").exists()
    assert person.runs("uninstall", "--client", "codex").returncode == 0
    assert not (person.state / "install.json").exists()


def test_a_broken_file_without_anything_of_ours_is_no_reason_to_stay(person: Person) -> None:
    person.runs("install", "--yes")
    (person.root / FILES["qwen"]).write_text("{")
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, done.stderr, installed(person)) == (0, "", [])


def test_a_broken_file_with_hooks_of_ours_is_refused(person: Person) -> None:
    person.runs("install", "--all", "--yes")
    with (person.root / FILES["qwen"]).open("a") as file:
        file.write("}")
    (person.state / "install.json").unlink()
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{person.root / FILES['qwen']}:" in done.stderr
    assert installed(person) == ["claude", "codex", "qwen"]


def test_another_folder_of_a_client_is_named_and_stays(person: Person) -> None:
    elsewhere = str(person.root / "elsewhere")
    person.runs("install", "--client", "claude,codex", "--yes", CODEX_HOME=elsewhere)
    for _ in range(2):
        done = person.runs("uninstall", "--yes")
        assert (done.returncode, installed(person)) == (0, [])
        assert f"{elsewhere}/hooks.json still has yourturn's hooks: set CODEX_HOME as it was" in done.stdout
    assert person.state.exists()
    assert person.runs("uninstall", "--yes", CODEX_HOME=elsewhere).returncode == 0
    assert not person.state.exists()
    assert not (person.root / "elsewhere").exists()


def test_help_names_every_client_and_what_is_left_to_the_user(person: Person) -> None:
    words = " ".join(person.runs("install", "--help").stdout.split())
    for name, client in CLIENTS.items():
        assert f"{name} ({client.TITLE})" in words
    assert "Codex runs new hooks only after you have reviewed them" in words
    assert "only in folders that you trust" in words
    assert "--client" in person.runs("uninstall", "--help").stdout


def test_every_file_of_a_client_is_known(person: Person) -> None:
    assert list(paths(person.environ)) == list(CLIENTS)
