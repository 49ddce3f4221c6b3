"""yourturn brought to another machine over the connection, and taken away again: another home, reached by `env`."""

import io
import json
import os
import shlex
import stat
import sys
import tarfile
from pathlib import Path

import pytest

from contract import paths
from fleet import reached_by, remote_install, sources
from fleet.sources import Source
from support.collecting import Here, script
from support.patience import until

CLAUDE = '{\n  "model": "opus"\n}\n'


class Far:
    """A home of its own, in which a connection begins as over ssh."""

    def __init__(self, home: Path, *, python: str = sys.executable) -> None:
        self.home = home
        (home / ".claude").mkdir(parents=True)
        (home / ".claude" / "settings.json").write_text(CLAUDE)
        tools = home.with_name(home.name + "-bin")
        tools.mkdir()
        (tools / "python3").write_text(f'#!/bin/sh\nexec {shlex.quote(python)} "$@"\n')
        (tools / "python3").chmod(0o755)
        words = ["env", "-i", "-C", str(home), f"HOME={home}", f"PATH={tools}:/usr/bin:/bin", "YOURTURN_NO_WATCHER=1"]
        self.source = Source("box", shlex.join(words))
        self.before = self.files()

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.home.rglob("*"))
        return {str(path.relative_to(self.home)): b"" if path.is_dir() else path.read_bytes() for path in found}


@pytest.fixture
def box(tmp_path: Path) -> Far:
    return Far(tmp_path / "far")


def test_it_is_brought_with_its_hooks_and_answers(box: Far, here: Here) -> None:
    done = here.run("hosts", "add", "box", box.source.command, "--install")
    assert done.returncode == 0, done.stderr
    launcher = box.home / ".local" / "bin" / "yourturn"
    assert "box: Hooks written to" in done.stderr
    assert f"{launcher} doctor" in done.stderr, "what can be typed there"
    assert stat.S_IMODE(launcher.stat().st_mode) == 0o700
    assert sources.load(str(here.chosen))["box"].program == str(launcher)
    hooks = json.loads((box.home / ".claude" / "settings.json").read_text())["hooks"]
    assert str(box.home / ".local/share/yourturn-carried/hook.py") in json.dumps(hooks)


def test_taken_away_again_it_leaves_no_trace(box: Far, here: Here) -> None:
    assert here.run("hosts", "add", "box", box.source.command, "--install").returncode == 0
    done = here.run("hosts", "remove", "box", "--uninstall")
    assert done.returncode == 0, done.stderr
    assert "pip uninstall" not in done.stderr
    assert box.files() == box.before
    assert not here.chosen.exists()


def test_folders_that_others_use_meanwhile_stay(box: Far) -> None:
    assert remote_install.install(box.source).is_done
    (box.home / ".local" / "bin" / "mine").touch()
    assert remote_install.uninstall(box.source).is_done
    assert box.files().keys() == {*box.before, ".local", ".local/bin", ".local/bin/mine"}


def test_a_second_time_replaces_the_first(box: Far) -> None:
    assert remote_install.install(box.source).is_done
    stray = box.home / ".local/share/yourturn-carried/old.py"
    stray.touch()
    assert remote_install.install(box.source).is_done
    assert not stray.exists()
    assert remote_install.uninstall(box.source).is_done
    assert box.files() == box.before


def test_a_program_of_that_name_which_we_did_not_bring_is_left_alone(
    box: Far, capsys: pytest.CaptureFixture[str]
) -> None:
    launcher = box.home / ".local" / "bin" / "yourturn"
    launcher.parent.mkdir(parents=True)
    launcher.write_text("#!/bin/sh\n")
    before = box.files()
    assert not remote_install.install(box.source).is_done
    assert not remote_install.uninstall(box.source).is_done
    assert box.files() == before
    assert str(launcher) in capsys.readouterr().err


def test_an_old_python_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A python3 that says it is 3.9, first on the PATH there."""
    old = tmp_path / "old.py"
    old.write_text(
        "import sys\nsys.version_info = (3, 9, 2, 'final', 0)\nexec(compile(sys.stdin.read(), '-', 'exec'))\n"
    )
    python = tmp_path / "old-python"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} {old}\n")
    python.chmod(0o755)
    box = Far(tmp_path / "far", python=str(python))
    assert not remote_install.install(box.source).is_done
    assert "3.9; yourturn needs 3.11 or newer" in capsys.readouterr().err
    assert box.files() == box.before


def test_without_python_that_is_said(tmp_path: Path, here: Here) -> None:
    command = script(tmp_path / "far.py", 'print("sh: 1: python3: not found", file=sys.stderr); sys.exit(127)')
    done = here.run("hosts", "add", "box", command, "--install")
    assert done.returncode == 1
    assert "could not install on box: sh: 1: python3: not found" in done.stderr


def test_a_home_with_a_space_in_its_path(tmp_path: Path, here: Here) -> None:
    box = Far(tmp_path / "far away")
    done = here.run("hosts", "add", "box", box.source.command, "--install")
    assert done.returncode == 0, done.stderr
    assert sources.load(str(here.chosen))["box"].program == "", "it is found by its place in the home"
    assert here.run("hosts", "remove", "box", "--uninstall").returncode == 0
    assert box.files() == box.before


def test_an_uninstall_that_fails_keeps_the_machine(box: Far, here: Here) -> None:
    store = f"# mine\n[box]\ncommand = {json.dumps(box.source.command)}\n"
    here.chosen.write_text(store)
    done = here.run("hosts", "remove", "box", "--uninstall")
    assert done.returncode == 1
    assert "was not brought there" in done.stderr
    assert here.chosen.read_text() == store


def test_taken_away_while_it_is_looked_at_nothing_comes_back(box: Far, here: Here) -> None:
    """The other end shows states as a front end does, and such a one starts a watcher where none runs."""
    source = box.source.command.replace(" YOURTURN_NO_WATCHER=1", "")
    assert here.run("hosts", "add", "box", source, "--install", YOURTURN_NO_WATCHER="0").returncode == 0
    here.speaks("box")
    until(lambda: os.path.exists(paths.heartbeat(f"{box.home}/.local/state/yourturn")), "a watcher there")
    done = here.run("hosts", "remove", "box", "--uninstall")
    assert done.returncode == 0, done.stderr
    assert box.files() == box.before


def test_garbage_instead_of_an_outcome_is_none() -> None:
    for line in (
        b"",
        b"hello",
        b"[]",
        b"{}",
        b'{"done": true}',
        b'{"done": true, "words": "x", "program": 7}',
        b"[" * 9999,
    ):
        assert remote_install.outcome(line) is None
    found = remote_install.outcome(b'{"done": true, "words": "ok", "program": "/a b/yourturn"}')
    assert found == remote_install.Outcome(is_done=True, words="ok", program="")


def test_nothing_of_this_machine_goes_along() -> None:
    with tarfile.open(fileobj=io.BytesIO(remote_install.archive())) as packed:
        members = packed.getmembers()
    assert {member.uid for member in members} == {0}
    names = [member.name for member in members]
    assert {"yourturn.py", "hook.py", "contract/version.py", "watchdog/__init__.py"} <= set(names)
    assert not [name for name in names if name.endswith((".pyc", ".so")) or name.startswith(("/", "..", "tests"))]


def test_the_way_it_is_called_there_is_plain(box: Far) -> None:
    brought = remote_install.install(box.source)
    assert reached_by.is_plain(brought.program)
