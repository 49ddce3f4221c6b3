"""install, uninstall and doctor as a person runs them: at a terminal, in a script, in a pipe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from contract.clients.claude import EVENTS
from installer.hooks import entries
from support.at_a_terminal import at_a_terminal
from support.installing import Person
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

MODEL = b'{\n  "model": "opus"\n}\n'


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path).has(MODEL)


def test_a_preview_sums_up_and_on_request_shows_the_diff_and_writes_nothing(person: Person) -> None:
    for command in ("install", "uninstall"):
        done = person.runs(command, "--dry-run")
        assert (done.returncode, done.stderr, "+++" in done.stdout) == (0, "", False)
    assert os.listdir(person.root) == ["config"]
    assert os.listdir(person.config) == ["settings.json"]
    assert person.settings.read_bytes() == MODEL
    lines = person.runs("install", "--dry-run", "--yes", "--diff").stdout.splitlines()
    assert lines[:2] == [f"--- {person.settings}", f"+++ {person.settings}"]
    assert '-  "model": "opus"' in lines
    assert '+  "model": "opus",' in lines
    assert person.settings.read_bytes() == MODEL


@pytest.mark.parametrize("content", [MODEL, MODEL.rstrip()], ids=["newline", "no newline"])
def test_a_preview_is_a_patch_that_applies(content: bytes, person: Person) -> None:
    person.has(content)
    shown = person.runs("install", "--dry-run", "--diff").stdout.rpartition("This is a preview")[0]
    copy = person.root / "copy.json"
    copy.write_bytes(content)
    patch = shown.replace(f"--- {person.settings}", "--- copy.json").replace(f"+++ {person.settings}", "+++ copy.json")
    subprocess.run(["git", "apply", "-p0", "-"], input=patch, text=True, cwd=person.root, check=True)
    person.runs("install", "--yes")
    assert copy.read_bytes() == person.settings.read_bytes()


def test_without_a_terminal_and_without_yes_nothing_happens(person: Person) -> None:
    done = person.runs("install")
    assert (done.returncode, done.stdout) == (1, "")
    assert "--yes" in done.stderr
    assert person.settings.read_bytes() == MODEL
    person.runs("install", "--yes")
    installed = person.settings.read_bytes()
    done = person.runs("uninstall")
    assert (done.returncode, done.stdout) == (1, "")
    assert "--yes" in done.stderr
    assert person.settings.read_bytes() == installed


def test_where_there_is_nothing_to_change_there_is_nothing_to_ask(person: Person) -> None:
    person.runs("install", "--yes")
    assert person.runs("install").returncode == 0
    person.runs("uninstall", "--yes")
    done = person.runs("uninstall")
    assert (done.returncode, done.stdout) == (0, "Nothing to uninstall.\n")


def test_a_closed_standard_input_and_output_is_no_terminal_either(person: Person) -> None:
    line = 'exec "$@" <&- >&-'
    done = person.calls(["sh", "-c", line, "sh", *person.argv("install")])
    assert (done.returncode, "--yes" in done.stderr) == (1, True)
    done = person.calls(["sh", "-c", line, "sh", *person.argv("install", "--yes")])
    assert (done.returncode, done.stderr) == (0, "")
    assert entries.found_in(json.loads(person.settings.read_text()))


@pytest.mark.parametrize("answer", [b"y\n", b"YES\n"])
def test_at_a_terminal_a_yes_goes_on(answer: bytes, person: Person) -> None:
    code, screen = at_a_terminal(person, answer, "install")
    assert code == 0
    assert f"Change {person.settings}? [y/N, d to see the diff]" in screen
    assert entries.found_in(json.loads(person.settings.read_text()))
    code, screen = at_a_terminal(person, answer, "uninstall")
    assert (code, person.settings.read_bytes()) == (0, MODEL)
    assert not person.state.exists()


def test_at_a_terminal_a_d_shows_the_diff_and_asks_again(person: Person) -> None:
    code, screen = at_a_terminal(person, b"d\ny\n", "install")
    summary, question, rest = screen.partition("[y/N, d to see the diff] ")
    assert (code, "+++" in summary, bool(question)) == (0, False, True)
    assert "+++" in rest.partition("[y/N, d to see the diff]")[0]
    assert entries.found_in(json.loads(person.settings.read_text()))


def test_with_the_diff_on_the_screen_already_it_is_not_offered(person: Person) -> None:
    code, screen = at_a_terminal(person, b"d\n", "install", "--diff")
    assert (code, "+++" in screen, "[y/N] " in screen) == (1, True, True)
    assert person.settings.read_bytes() == MODEL


@pytest.mark.parametrize(
    "answer", [b"\n", b"n\n", b"yeah\n", b"\x04"], ids=["nothing", "no", "something", "end of input"]
)
def test_at_a_terminal_anything_else_is_a_no(answer: bytes, person: Person) -> None:
    code, screen = at_a_terminal(person, answer, "install")
    assert (code, "Nothing was changed" in screen) == (1, True)
    assert person.settings.read_bytes() == MODEL
    assert not person.state.exists()


def test_right_above_the_question_a_line_sums_up(person: Person) -> None:
    def above(*words: str) -> str:
        screen = at_a_terminal(person, b"n\n", *words)[1].splitlines()
        return screen[next(n for n, line in enumerate(screen) if line.endswith("diff] Nothing was changed.")) - 1]

    added = f"Adds {len(EVENTS)} hooks. Nothing else in {person.settings} changes."
    assert above("install") == added
    assert added in person.runs("install", "--dry-run").stdout
    person.runs("install", "--yes")
    removed = f"Removes {len(EVENTS)} hooks. Nothing else in {person.settings} changes."
    assert above("uninstall") == removed
    installed = json.loads(person.settings.read_text())
    del installed["hooks"]["Stop"]
    installed["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 1
    person.has(json.dumps(installed))
    assert above("install") == f"Adds 1 hook, changes 1 hook. Nothing else in {person.settings} changes."


CAVEATS = {
    "hooks switched off": ({"disableAllHooks": True}, "runs no hooks: disableAllHooks is set. Remove it from"),
}


@pytest.mark.parametrize(("settings", "told"), CAVEATS.values(), ids=CAVEATS)
def test_what_keeps_the_hooks_from_their_work_is_told(settings: dict[str, Any], told: str, person: Person) -> None:
    person.has(json.dumps(settings))
    screen = at_a_terminal(person, b"n\n", "install")[1]
    assert told in screen.partition("[y/N]")[0]
    for words in (("--dry-run",), ("--yes",), ("--yes",)):
        done = person.runs("install", *words)
        assert (done.returncode, told in done.stdout, "from your next prompt" in done.stdout) == (0, True, False)
    person.has(MODEL)
    assert "from your next prompt" in person.runs("install", "--yes").stdout


def test_doctor_breaks_its_lines_between_words_where_the_terminal_ends(person: Person) -> None:
    screen = at_a_terminal(person, b"", "doctor", COLUMNS="60", NO_COLOR="1")[1].splitlines()
    start = screen.index("                    -> Install Claude Code, or add the")
    assert screen[start + 1] == "                       folder of `claude` to PATH."
    assert all(len(line) <= 60 or " " not in line[23:].strip() for line in screen)
    assert (
        "-> Install Claude Code, or add the folder of `claude` to PATH.\n" in person.runs("doctor", COLUMNS="60").stdout
    )


def test_colour_is_for_terminals_that_want_it(person: Person) -> None:
    assert "\x1b[32m+" in at_a_terminal(person, b"", "install", "--dry-run", "--diff")[1]
    assert "\x1b[31mFAIL" in at_a_terminal(person, b"", "doctor")[1]
    assert "\x1b" not in at_a_terminal(person, b"", "install", "--dry-run", "--diff", NO_COLOR="1")[1]
    assert "\x1b" not in at_a_terminal(person, b"", "doctor", TERM="dumb")[1]
    assert "\x1b" not in person.runs("install", "--dry-run", "--diff").stdout


def test_a_reader_that_leaves_early_does_not_stop_us(person: Person) -> None:
    line = 'set -o pipefail; "$@" | true'
    done = person.calls(["bash", "-c", line, "sh", *person.argv("install", "--yes")])
    assert (done.returncode, done.stderr) == (0, "")
    assert entries.found_in(json.loads(person.settings.read_text()))


def test_a_terminal_that_cannot_say_a_letter_gets_an_escape(person: Person) -> None:
    person.has('{\n  "language": "日本語"\n}\n')
    done = person.runs("install", "--dry-run", "--diff", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\u65e5" in done.stdout


def test_installing_compiles_what_the_hook_imports(person: Person) -> None:
    project = person.root / "project"
    for room in ("contract", "recorder", "installer"):
        shutil.copytree(PROJECT / room, project / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "hook.py", project)
    done = person.calls(person.argv("install", "--yes", project=project))
    assert (done.returncode, done.stderr) == (0, "")
    for room in ("contract", "recorder"):
        sources = {path.stem for path in (project / room).glob("*.py")}
        assert {path.name.split(".")[0] for path in (project / room / "__pycache__").glob("*.pyc")} == sources
        assert sources


def test_every_option_is_explained(person: Person) -> None:
    for command, options in (
        ("install", ["--yes", "--dry-run"]),
        ("uninstall", ["--keep-state"]),
        ("doctor", ["--json"]),
    ):
        done = person.runs(command, "--help")
        assert done.returncode == 0
        assert all(option in done.stdout for option in options)


def test_the_default_places_are_used_where_none_is_named(person: Person) -> None:
    bare = {key: value for key, value in person.environ.items() if key in ("PATH", "HOME")}
    person.calls(person.argv("install", "--yes"), env=bare)
    assert (person.root / ".claude" / "settings.json").exists()
    done = person.calls(person.argv("uninstall", "--yes"), env=bare)
    assert done.returncode == 0
    assert not (person.root / ".claude").exists()
