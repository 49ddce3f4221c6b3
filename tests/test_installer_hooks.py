"""The line our entries run: silent whatever happens, and known again."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from builders import event
from contract.events import EVENTS
from installer import hooks, program
from installer.program import Program
from installer.refusal import Refusal
from installing import PYTHON, Person
from patience import PATIENCE_S

if TYPE_CHECKING:
    from pathlib import Path

SHELLS = [shell for name in ("sh", "bash", "dash", "zsh", "busybox") if (shell := shutil.which(name))]
HOSTILE = [
    "/plain/python",
    "/with space/py",
    "/it's/py",
    '/quo"te/py',
    "/$HOME/`id`/py",
    "/a;b/#c;",
    "/日本/py",
    "/new\nline/py",
]


def script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def run(shell: str, line: str, payload: str = "{}", **environ: str) -> subprocess.CompletedProcess[str]:
    argv = [shell, "sh", "-c", line] if shell.endswith("busybox") else [shell, "-c", line]
    env = {"PATH": "/usr/bin:/bin", **environ}
    return subprocess.run(argv, input=payload, capture_output=True, text=True, env=env, check=False, timeout=PATIENCE_S)


def broken_programs(folder: Path) -> dict[str, Program]:
    """What a hook entry may find when everything around it has changed."""
    fine = script(folder / "fine.py", "print('{}')")
    return {
        "interpreter gone": Program(str(folder / "gone"), fine),
        "script gone": Program(PYTHON, str(folder / "gone.py")),
        "script that fails": Program(PYTHON, script(folder / "fails.py", "1/0")),
        "script that talks": Program(PYTHON, fine),
        "script that asks to block": Program(PYTHON, script(folder / "blocks.py", "raise SystemExit(2)")),
        "interpreter broken": Program(script(folder / "broken", "#!/bin/sh\necho out; echo err >&2; exit 1\n"), fine),
        "interpreter not executable": Program(str(folder / "fine.py"), fine),
        "interpreter without its own": Program(script(folder / "orphan", "#!/gone/interpreter\n"), fine),
        "interpreter killed": Program(script(folder / "killed", "#!/bin/sh\nkill -9 $$\n"), fine),
        "interpreter crashed": Program(script(folder / "crashed", "#!/bin/sh\nkill -11 $$\n"), fine),
        "folder in its place": Program(str(folder), str(folder)),
    }


@pytest.mark.parametrize("shell", SHELLS)
def test_a_hook_whose_program_is_gone_or_broken_is_silent_and_exits_0(shell: str, tmp_path: Path) -> None:
    programs = broken_programs(tmp_path)
    (tmp_path / "fine.py").chmod(0o644)
    for what, one in programs.items():
        done = run(shell, hooks.command_of(one), "{" + " " * 100_000)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), what


@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_hands_the_payload_to_the_hook(shell: str, tmp_path: Path) -> None:
    copy = script(
        tmp_path / "it's a copy.py",
        f"import sys; open({str(tmp_path / 'seen')!r}, 'w').write(sys.stdin.read())",
    )
    done = run(shell, hooks.command_of(Program(PYTHON, copy)), '{"a": "\\u00e9"}')
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "seen").read_text() == '{"a": "\\u00e9"}'


def test_an_installed_line_records_an_event(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.runs("install", "--yes")
    line = json.loads(person.settings.read_text())["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    payload = json.dumps(event("SessionStart", source="startup"))
    done = run(
        "sh",
        line,
        payload,
        YOURTURN_NO_WATCHER="1",
        **{key: person.environ[key] for key in ("HOME", "YOURTURN_HOME")},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [path.suffix for path in (person.state / "facts").glob("*.json")] == [".json"]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_line_can_be_read_back(path: str) -> None:
    wanted = Program(path, path + "/hook.py")
    assert hooks.program_of(hooks.command_of(wanted)) == wanted
    assert hooks.program_of(hooks.command_of(Program(path, path))) == Program(path, path)


@pytest.mark.parametrize(
    "line", ["", "python hook.py # yourturn-hook", "{ a -S -E 'b; } # yourturn-hook", "{ a -S -E b; }"]
)
def test_a_rewritten_line_is_not_taken_for_ours(line: str) -> None:
    assert hooks.program_of(line) is None


def test_each_event_of_the_table_has_one_entry_without_a_matcher() -> None:
    entries = hooks.entries("x" + hooks.MARK)
    assert list(entries) == list(EVENTS)
    assert len(entries) > 15
    for name, entry in entries.items():
        assert entry.get("async", False) is EVENTS[name]
        assert set(hooks.group(entry)) == {"hooks"}


def test_the_interpreter_behind_a_shim_is_recorded(tmp_path: Path) -> None:
    shim = script(tmp_path / "python3", f'#!/bin/sh\nexec "{PYTHON}" "$@"\n')
    assert program.interpreter(shim) == PYTHON
    assert program.interpreter(PYTHON) == PYTHON


@pytest.mark.parametrize("line", ["exit 127", f"echo {PYTHON}; exit 1", "echo relative", 'echo "$0"'])
def test_a_shim_with_nothing_behind_it_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="is a script"):
        program.interpreter(script(tmp_path / "python3", f"#!/bin/sh\n{line}\n"))


def test_a_project_without_its_hook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"hook\.py is missing"):
        program.find(PYTHON, str(tmp_path))


def test_a_path_that_no_json_can_hold_is_refused(tmp_path: Path) -> None:
    odd = tmp_path / "odd\udcff"
    odd.mkdir()
    (odd / "hook.py").touch()
    with pytest.raises(Refusal, match="not UTF-8"):
        program.find(PYTHON, str(odd))
