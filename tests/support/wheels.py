"""Our wheel, and the tools that people install it with, made once for all tests that ask for them."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from support.needs import SKIPPED
from support.patience import PATIENCE_S
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

QUIETLY = ("--isolated", "--quiet", "--disable-pip-version-check", "--no-cache-dir")
TOOLS = PROJECT / "requirements-tools.lock"
# The lock of pipx for the next one of our name, and the client's folder for a project that is called like us.
OF_OTHERS = (".local/share/pipx/venvs/.yourturn.lock", ".claude/projects/")
# How this machine reaches the registry, if it has a way of its own.
WAYS = ("PIP_", "UV_", "SSL_CERT", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http", "https", "no_proxy")


def done(*argv: str, **how: Any) -> str:
    """What it prints, once it has ended well."""
    found = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=PATIENCE_S, **how)
    assert found.returncode == 0, f"{argv}: {found.stdout}{found.stderr}"
    return str(found.stdout)


def ways() -> dict[str, str]:
    """What is downloaded is kept for the next run."""
    cache = os.environ["XDG_CACHE_HOME"]
    kept = {name: value for name, value in os.environ.items() if name.startswith(WAYS)}
    return {**kept, "UV_CACHE_DIR": f"{cache}/uv", "PIP_CACHE_DIR": f"{cache}/pip", "UV_PYTHON_DOWNLOADS": "never"}


def _shared(factory: pytest.TempPathFactory, worker_id: str, name: str) -> Path:
    """The same folder for all workers."""
    own = factory.getbasetemp()
    return (own if worker_id == "master" else own.parent) / name


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Built once, whichever worker comes first."""
    folder = _shared(tmp_path_factory, worker_id, "wheel")
    words = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(PROJECT))
    with FileLock(f"{folder}.lock"):
        if not list(folder.glob("*.whl")):
            home = str(tmp_path_factory.getbasetemp())
            done(sys.executable, "-m", "pip", "wheel", *QUIETLY, *words, env={**os.environ, "HOME": home})
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def toolbox(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder with uv and pipx, of the versions in their lock; without a registry the test is skipped, loudly."""
    folder = _shared(tmp_path_factory, worker_id, "toolbox")
    with FileLock(f"{folder}.lock"):
        if not (folder / "bin" / "pipx").exists():
            venv.create(folder, symlinks=True, clear=True)
            words = (
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--require-hashes",
                "--requirement",
                str(TOOLS),
            )
            argv = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), *words]
            found = subprocess.run(argv, env={**os.environ, **ways()}, capture_output=True, text=True, check=False)
            if found.returncode != 0:
                print(found.stderr)
                pytest.skip(f"{SKIPPED}uv, pipx")
    return folder / "bin"


class Person:
    """Somebody with an empty home and one of the tools."""

    def __init__(self, home: Path, toolbox: Path) -> None:
        self.home = home
        path = f"{home}/.local/bin:{toolbox}:/usr/bin:/bin"
        self.env = {**ways(), "HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "PIPX_DEFAULT_PYTHON": sys.executable}

    def types(self, *words: str) -> str:
        return done("env", *words, env=self.env, cwd=self.home)

    def has(self) -> set[str]:
        """The files and folders that are named after us, or lie in one that is; but for what others call so."""
        found = {str(path.relative_to(self.home)) for path in self.home.rglob("*")}
        return {path for path in found if "yourturn" in path and not path.startswith(OF_OTHERS)}
