"""`tools/setup.sh` in a small project of its own: real environments and a real pip, which finds all it needs here."""

from __future__ import annotations

import hashlib
import os
import pty
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from support.patience import PATIENCE_S
from support.project import PROJECT

BACKEND = """
import zipfile
INFO = "own-1.dist-info"
def build_editable(folder, settings=None, metadata=None):
    with zipfile.ZipFile(f"{folder}/own-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("own.pth", "")
        wheel.writestr(f"{INFO}/METADATA", "Metadata-Version: 2.1\\nName: own\\nVersion: 1\\n")
        wheel.writestr(f"{INFO}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{INFO}/RECORD", "")
    return "own-1-py3-none-any.whl"
"""
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
ANOTHER = "#!/bin/sh\necho 3.99.0\n"


class Project:
    def __init__(self, folder: Path) -> None:
        self.folder, self.wheels = folder / "project", folder / "wheels"
        (self.folder / "tools").mkdir(parents=True)
        self.wheels.mkdir()
        shutil.copy(PROJECT / "tools" / "setup.sh", self.folder / "tools")
        (self.folder / "backend.py").write_text(BACKEND)
        (self.folder / "pyproject.toml").write_text(PYPROJECT)
        self.locks("requirements", "needed", "1")
        self.locks("requirements-nodeps", "apart", "1")
        self.locks("requirements-neighbour", "neighbour", "1")

    def locks(self, file: str, name: str, version: str, digest: str = "") -> None:
        wheel, info = self.wheels / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
        with zipfile.ZipFile(wheel, "w") as made:
            made.writestr(f"{name}.py", f"VERSION = {version!r}\n")
            made.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            made.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            made.writestr(f"{info}/RECORD", "")
        digest = digest or hashlib.sha256(wheel.read_bytes()).hexdigest()
        absent = "absent==1 ; sys_platform == 'nowhere' --hash=sha256:" + "0" * 64
        (self.folder / f"{file}.lock").write_text(f"{name}=={version} --hash=sha256:{digest}\n{absent}\n")

    @property
    def python(self) -> Path:
        return self.folder / ".venv" / "bin" / "python"

    @property
    def identity(self) -> tuple[int, int]:
        found = self.python.lstat()
        return found.st_ino, found.st_ctime_ns

    def setup(self, stderr: int = subprocess.PIPE, **env: str) -> subprocess.CompletedProcess[str]:
        base = {"HOME": str(self.folder), "PATH": f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin"}
        base |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        argv = [str(self.folder / "tools" / "setup.sh")]
        return subprocess.run(
            argv, env=base | env, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False, timeout=PATIENCE_S
        )

    def has(self, name: str) -> str:
        code = f"import {name}; print({name}.VERSION)"
        return subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Set up once. Each test leaves it whole."""
    made = Project(tmp_path_factory.mktemp("setup"))
    done = made.setup()
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("setup: making .venv with Python 3.")
    assert last.startswith("setup: done in ")
    assert {line.partition(":")[0] for line in done.stderr.splitlines()} == {"setup"}, "pip says nothing of its own"
    return made


def program(folder: Path, text: str) -> Path:
    path = folder / "python3"
    path.write_text(text)
    path.chmod(0o755)
    return path


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says EIO when the other end is closed
        return b""


def test_another_python_on_path_changes_nothing(project: Project, tmp_path: Path) -> None:
    before, other = project.identity, program(tmp_path, f"#!/bin/sh\ntouch {tmp_path}/asked\n{ANOTHER}")
    done = project.setup(PATH=f"{other.parent}:/usr/bin:/bin")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (project.identity, (tmp_path / "asked").exists()) == (before, False)


def test_another_python_by_name_is_refused_with_what_to_do(project: Project, tmp_path: Path) -> None:
    before = project.identity
    done = project.setup(PYTHON=str(program(tmp_path, ANOTHER)))
    assert (done.returncode, "remove .venv first" in done.stderr) == (1, True)
    assert project.identity == before


def test_a_new_lock_is_taken_over_in_place_and_a_terminal_shows_how_far_it_is(project: Project) -> None:
    before = project.identity
    project.locks("requirements", "needed", "2")
    ours, theirs = pty.openpty()
    done = project.setup(stderr=theirs)
    os.close(theirs)
    screen = b"".join(iter(lambda: read(ours), b"")).decode()
    os.close(ours)
    assert (done.returncode, project.has("needed")) == (0, "2"), screen
    assert "\r\x1b[Ksetup: getting packages: 2 of 2" in screen
    assert screen.rpartition("\r\x1b[K")[2].startswith("setup: done in ")
    assert project.identity == before, "a hook may run it at this moment"


def test_what_pip_cannot_do_is_said_and_the_next_setup_goes_on(project: Project) -> None:
    before = project.identity
    project.locks("requirements", "needed", "3", digest="1" * 64)
    done = project.setup()
    assert (done.returncode, "DO NOT MATCH THE HASHES" in done.stderr, "WARNING" in done.stderr) == (1, True, False)
    assert project.identity == before
    project.locks("requirements", "needed", "3")
    assert (project.setup().returncode, project.has("needed"), project.identity) == (0, "3", before)
