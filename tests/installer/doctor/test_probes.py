"""What doctor finds out about this machine."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from installer.doctor import probes
from installer.hooks.program import Program
from installer.place import Place
from support.diagnosing import examine, verdict
from support.installing import PYTHON, Person
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

FALSE = shutil.which("false") or "false"


def test_managed_settings_are_looked_at(tmp_path: Path) -> None:
    managed = tmp_path / "managed.json"
    managed.write_text('{"allowManagedHooksOnly": true}')
    seen = probes.look(
        Place(str(tmp_path / "settings.json"), str(tmp_path)), {"PATH": "", "HOME": str(tmp_path)}, str(managed)
    )
    assert verdict("switch", seen)[0] == "FAIL"


@pytest.mark.parametrize(
    ("interpreter", "script", "words"),
    [
        ("/gone/python", str(PROJECT / "hook.py"), "/gone/python does not exist"),
        (PYTHON, "/gone/hook.py", "/gone/hook.py does not exist"),
        (FALSE, str(PROJECT / "hook.py"), f"{FALSE} fails (exit code 1)"),
        (str(PROJECT / "LICENSE"), str(PROJECT / "hook.py"), "does not start (PermissionError)"),
        (PYTHON, str(PROJECT / "hook.py"), None),
    ],
)
def test_a_program_that_cannot_run_is_found_out(interpreter: str, script: str, words: str | None) -> None:
    found = probes.trouble_with(Program(interpreter, script))
    assert found == words or (words and found and words in found)


def test_an_old_python_is_found_out(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text(f'#!/bin/sh\n"{PYTHON}" -c "import sys; sys.version_info = (3, 9); $4"\n')
    old.chmod(0o755)
    found = probes.trouble_with(Program(str(old), str(PROJECT / "hook.py")))
    assert found == f"{old} is older than Python 3.11"


def test_the_interpreter_of_the_entries_is_the_one_that_is_tried(person: Person) -> None:
    person.has(person.settings.read_text().replace(PYTHON, "/gone/python"))
    assert examine(person)[1]["interpreter"] == ("fail", "/gone/python does not exist")


@pytest.mark.parametrize("line", ["exit 3", "true", "echo 2.1.325; exit 1"])
def test_a_client_that_fails_has_no_version(line: str, person: Person) -> None:
    (person.root / "bin" / "claude").write_text(f"#!/bin/sh\n{line}\n")
    assert examine(person)[1]["client"] == ("warn", f"{person.root}/bin/claude does not print its version")
