"""`yourturn install --answers`: a second entry, beside the first, for those who ask for it."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from contract import paths
from support.installing import Person

THEIRS = {"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "mine --auto"}]}]}}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def asked(person: Person) -> list[dict[str, Any]]:
    """All hooks for requests."""
    found = json.loads(person.settings.read_text())["hooks"]["PermissionRequest"]
    return [hook for group in found for hook in group["hooks"]]


def answering(person: Person) -> list[dict[str, Any]]:
    return [hook for hook in asked(person) if hook["command"].endswith(" # yourturn-answers")]


def test_without_being_asked_for_it_is_not_there(person: Person) -> None:
    assert person.runs("install", "--yes").returncode == 0
    assert (len(asked(person)), answering(person)) == (1, [])


def test_it_is_one_more_hook_that_the_client_waits_for_all_day(person: Person) -> None:
    done = person.runs("install", "--yes", "--answers")
    assert done.returncode == 0
    assert "can be answered from outside now" in done.stdout
    (hook,) = answering(person)
    assert (hook["timeout"], hook.get("async"), len(asked(person))) == (86400, None, 2)
    folder = Path(paths.open_dir(str(person.state)))
    assert (folder.is_dir(), stat.S_IMODE(folder.stat().st_mode)) == (True, 0o700), "to be watched before it is needed"
    before = person.settings.read_bytes()
    assert person.runs("install", "--yes", "--answers").returncode == 0
    assert person.runs("install", "--yes").returncode == 0, "who does not say keeps it"
    assert person.settings.read_bytes() == before


def test_it_can_be_taken_back_alone(person: Person) -> None:
    person.runs("install", "--yes")
    plain = json.loads(person.settings.read_text())
    person.runs("install", "--yes", "--answers")
    assert person.runs("install", "--yes", "--no-answers").returncode == 0
    assert json.loads(person.settings.read_text()) == plain


@pytest.mark.parametrize(
    "before", [None, "", "{}\n", json.dumps(THEIRS, indent=4)], ids=["none", "empty", "{}", "others'"]
)
def test_uninstall_leaves_what_was_there_before(person: Person, before: str | None) -> None:
    if before is not None:
        person.settings.parent.mkdir(parents=True, exist_ok=True)
        person.settings.write_text(before)
    person.runs("install", "--yes", "--answers")
    assert person.runs("uninstall", "--yes").returncode == 0
    assert (person.settings.read_text() if person.settings.exists() else None) == before


def test_a_file_that_others_have_changed_since_loses_ours_alone(person: Person) -> None:
    person.runs("install", "--yes", "--answers")
    found = json.loads(person.settings.read_text())
    person.settings.write_text(json.dumps({**found, "model": "x"}))
    assert person.runs("uninstall", "--yes").returncode == 0
    assert json.loads(person.settings.read_text()) == {"model": "x"}


def test_doctor_names_others_that_may_answer_first(person: Person) -> None:
    person.settings.parent.mkdir(parents=True, exist_ok=True)
    person.settings.write_text(json.dumps(THEIRS))
    assert "answers" not in checks(person)
    person.runs("install", "--yes", "--answers")
    found = checks(person)["answers"]
    assert (found["verdict"], "mine --auto" in found["seen"]) == ("warn", True), found


def checks(person: Person) -> dict[str, Any]:
    return {check["name"]: check for check in json.loads(person.runs("doctor", "--json").stdout)["checks"]}


def test_a_hook_whose_program_is_gone_says_nothing(person: Person, tmp_path: Path) -> None:
    person.runs("install", "--yes", "--answers")
    (hook,) = answering(person)
    line = hook["command"].replace("answer_hook.py", "gone.py")
    done = subprocess.run(["/bin/sh", "-c", line], input=b"{}", capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_only_claude_code_can_be_answered(person: Person) -> None:
    done = person.runs("install", "--yes", "--answers", "--client", "qwen")
    assert done.returncode == 1
    assert "Only what Claude Code asks for" in done.stderr
