"""The line our entries run: silent, not noticed when its program is gone, and known again."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from contract.clients.claude import EVENTS
from installer.hooks import entries as hooks
from installer.hooks import program
from installer.hooks.program import Program
from installer.hooks.shape import MARK
from installer.refusal import Refusal
from support.builders import event
from support.installing import PYTHON, Person
from support.patience import PATIENCE_S

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


def missing_programs(folder: Path) -> dict[str, Program]:
    """What a hook entry may find when the project was deleted or its Python replaced."""
    fine = script(folder / "fine.py", "print('{}')")
    (folder / "fine.py").chmod(0o644)
    (folder / "dangling").symlink_to(folder / "gone")
    return {
        "interpreter gone": Program(str(folder / "gone"), fine),
        "interpreter a link to nowhere": Program(str(folder / "dangling"), fine),
        "interpreter not executable": Program(fine, fine),
        "script gone": Program(PYTHON, str(folder / "gone.py")),
        "script that talks": Program(PYTHON, fine),
        "folder in its place": Program(str(folder), str(folder)),
    }


def broken_programs(folder: Path) -> dict[str, Program]:
    """A Python that is there and does not work."""
    fine = script(folder / "fine.py", "print('{}')")
    return {
        "interpreter broken": Program(script(folder / "broken", "#!/bin/sh\necho out; echo err >&2; exit 1\n"), fine),
        "interpreter without its own": Program(script(folder / "orphan", "#!/gone/interpreter\n"), fine),
        "interpreter killed": Program(script(folder / "killed", "#!/bin/sh\nkill -9 $$\n"), fine),
        "interpreter crashed": Program(script(folder / "crashed", "#!/bin/sh\nkill -11 $$\n"), fine),
    }


@pytest.mark.parametrize("shell", SHELLS)
def test_a_hook_whose_program_is_gone_is_silent_and_exits_0(shell: str, tmp_path: Path) -> None:
    for what, one in missing_programs(tmp_path).items():
        done = run(shell, hooks.command_of(one), "{" + " " * 100_000)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), what


@pytest.mark.parametrize("shell", SHELLS)
def test_a_hook_whose_python_is_broken_is_silent_and_refuses_nothing(shell: str, tmp_path: Path) -> None:
    """The client tells of it, as it should; 2 alone would mean no to what the person wants."""
    for what, one in broken_programs(tmp_path).items():
        done = run(shell, hooks.command_of(one), "{" + " " * 100_000)
        assert (done.stdout, done.stderr) == ("", ""), what
        assert done.returncode not in (0, 2), what


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_becomes_the_hook_and_does_not_stay_to_wait(shell: str, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    copy = script(
        tmp_path / "copy.py", f"import os; open({str(seen)!r}, 'w').write(f'{{os.getpid()}} {{os.getppid()}}')"
    )
    line = hooks.command_of(Program(PYTHON, copy))
    argv = [shell, *(["sh"] if shell.endswith("busybox") else []), "-c", line]
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"}) as started:
        assert started.wait(PATIENCE_S) == 0
    assert seen.read_text() == f"{started.pid} {os.getpid()}"


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


@pytest.mark.parametrize("path", HOSTILE)
def test_a_line_of_an_older_version_can_be_read_back_and_renewed(path: str) -> None:
    word = shlex.quote(path)
    older = f"{{ {word} -S -E {word}; }} >/dev/null 2>&1 || : # yourturn-hook"
    assert hooks.program_of(older) == Program(path, path)
    assert hooks.renewed(older) == hooks.command_of(Program(path, path))
    assert hooks.is_ours({"type": "command", "command": older})


@pytest.mark.parametrize("path", HOSTILE)
def test_a_line_that_names_no_client_is_ours_and_is_renewed(path: str) -> None:
    word = shlex.quote(path)
    unnamed = (
        f"test -f {word} && test -x {word} && test -r {word} && exec {word} -S -E {word} >/dev/null 2>&1; :"
        " # yourturn-hook"
    )
    assert hooks.program_of(unnamed) == Program(path, path)
    assert hooks.renewed(unnamed) == hooks.command_of(Program(path, path)) != unnamed
    assert hooks.is_ours({"type": "command", "command": unnamed})


def test_the_line_says_which_client_speaks(tmp_path: Path) -> None:
    copy = script(tmp_path / "copy.py", f"import sys; open({str(tmp_path / 'seen')!r}, 'w').write(repr(sys.argv[1:]))")
    assert run("sh", hooks.command_of(Program(PYTHON, copy))).returncode == 0
    assert (tmp_path / "seen").read_text() == "['claude']"


@pytest.mark.parametrize(
    "line", ["", "python hook.py # yourturn-hook", "{ a -S -E 'b; } # yourturn-hook", "{ a -S -E b; }"]
)
def test_a_rewritten_line_is_not_taken_for_ours(line: str) -> None:
    assert hooks.program_of(line) is None


def test_each_event_of_the_table_has_one_entry_without_a_matcher() -> None:
    entries = hooks.entries("x" + MARK)
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
