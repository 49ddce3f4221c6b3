"""What the tests with the real client stand on: the terminal, the installed program, and a clear word without them."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from e2e.harness.chosen import CLIENT, is_older, needs_client, version
from e2e.harness.patience import PATIENCE_S, ended, until
from support.needs import need
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION = version({"PATH": os.environ["PATH"], "HOME": "/nowhere"})
NEEDED = ("sh", "cat", "chmod", "env", "grep", "ln", "ls", "mkdir", "mktemp", "node", "rm", "touch", "wc")
NPM = """#!/bin/sh
touch "$XDG_CACHE_HOME/asked.$$"
{then}
for version; do :; done
cd node_modules 2>/dev/null || mkdir node_modules && cd node_modules
mkdir -p @anthropic-ai/claude-code-other @anthropic-ai/claude-code-this @anthropic-ai/claude-code
printf '#!/no/such/program' > @anthropic-ai/claude-code-other/claude
cat > @anthropic-ai/claude-code-this/claude <<END
#!/bin/sh
mkdir -p "\\$HOME/.claude"
echo "${version##*@} (Claude Code)"
END
chmod +x @anthropic-ai/*/claude
echo added 2 packages
"""
BOTH = 'until [ "$(ls "$XDG_CACHE_HOME" | grep -c asked)" = 2 ]; do :; done'


class Machine:
    """A folder of programs that is all of PATH, and a home."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home, self.cache = folder / "bin", folder / "home", folder / "cache"
        self._started: list[subprocess.Popen[str]] = []
        for path in (self.bin, self.home, self.cache):
            path.mkdir()
        for name in NEEDED:
            found = shutil.which(name)
            if found:
                (self.bin / name).symlink_to(found)

    def with_npm(self, then: str = "") -> Machine:
        (self.bin / "npm").write_text(NPM.replace("{then}", then))
        (self.bin / "npm").chmod(0o755)
        return self

    def start(self, *words: str, **more: str) -> subprocess.Popen[str]:
        env = {"PATH": str(self.bin), "HOME": str(self.home), "XDG_CACHE_HOME": str(self.cache), **more}
        pipe = subprocess.PIPE
        made = subprocess.Popen([CLIENT, *words], env=env, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
        self._started.append(made)
        return made

    def close(self) -> None:
        """What was started ends with the test, also one that waits for ever for another."""
        for one in self._started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.communicate()

    def install(self, *words: str, **more: str) -> tuple[int, str, str]:
        process = self.start(*words, **more)
        out, err = process.communicate(timeout=PATIENCE_S)
        return process.returncode, out, err

    def installed(self) -> list[str]:
        return sorted(os.listdir(self.cache / "yourturn")) if (self.cache / "yourturn").exists() else []

    def content(self) -> list[str]:
        return sorted(name for name in os.listdir(self.cache / f"yourturn/client-{VERSION}") if name[0] != ".")

    def times_asked(self) -> int:
        return sum(name.startswith("asked") for name in os.listdir(self.cache))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with contextlib.closing(Machine(tmp_path)) as made:
        yield made


def test_the_program_that_runs_here_is_installed_once(machine: Machine) -> None:
    need("node")
    machine.with_npm()
    path = f"{machine.cache}/yourturn/client-{VERSION}/claude"
    for _ in range(2):
        code, out, err = machine.install()
        assert (code, out) == (0, f"{path}\n"), err
    assert machine.times_asked() == 1
    assert os.path.realpath(path).endswith("claude-code-this/claude")
    assert machine.installed() == [f"client-{VERSION}"]


def test_another_version_is_chosen_by_name_and_lies_beside_the_first(machine: Machine) -> None:
    need("node")
    machine.with_npm().install()
    code, out, err = machine.install(YOURTURN_CLIENT="2.1.197")
    assert (code, out) == (0, f"{machine.cache}/yourturn/client-2.1.197/claude\n"), err
    assert machine.installed() == ["client-2.1.197", f"client-{VERSION}"]
    assert machine.install("--version", YOURTURN_CLIENT="2.1.197") == (0, "2.1.197\n", "")


@pytest.mark.parametrize("chosen", ["latest", "../../etc", "2.1.325 --global", ".", "$(touch x)"])
def test_what_is_no_version_is_refused(chosen: str, machine: Machine) -> None:
    code, out, err = machine.with_npm().install(YOURTURN_CLIENT=chosen)
    assert (code, out, err) == (2, "", f"client: YOURTURN_CLIENT={chosen} is not a version such as 2.1.325\n")
    assert machine.times_asked() == 0


def test_who_only_looks_for_it_installs_nothing(machine: Machine) -> None:
    need("node")
    machine.with_npm()
    code, out, err = machine.install("--installed")
    assert (code, out) == (4, "")
    assert err == f"client: {VERSION} is not installed; tools/client.sh installs it\n"
    assert machine.times_asked() == 0
    machine.install()
    assert machine.install("--installed") == (0, f"{machine.cache}/yourturn/client-{VERSION}/claude\n", "")


def test_a_registry_that_cannot_be_reached_is_said_and_leaves_nothing(machine: Machine, tmp_path: Path) -> None:
    need("npm")
    (machine.bin / "npm").symlink_to(str(shutil.which("npm")))
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and nobody listens
        where = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        code, out, err = machine.install(npm_config_registry=where, npm_config_cache=str(tmp_path / "npm"))
    assert (code, out) == (1, "")
    assert f"npm could not install @anthropic-ai/claude-code@{VERSION}" in err
    assert machine.installed() == []


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_older("2.1.99", "2.1.300")
    assert not is_older("2.1.300", "2.1.300")
    assert not is_older("2.10.1", "2.9.300")


def test_what_an_old_client_cannot_show_is_skipped_with_the_reason() -> None:
    never, always = needs_client("999.0.0", "it came later"), needs_client("0.0.1", "it was always there")
    assert (never.args, always.args) == ((True,), (False,))
    assert str(never.kwargs["reason"]).endswith("is before 999.0.0: it came later")


def test_trying_the_program_writes_into_no_home(machine: Machine) -> None:
    need("node")
    machine.with_npm().install()
    assert os.listdir(machine.home) == []
    assert machine.content() == ["claude", "node_modules"]


def test_of_two_that_install_at_once_both_have_it(machine: Machine) -> None:
    need("node")
    machine.with_npm(then=BOTH)
    both = [machine.start(), machine.start()]
    told = [process.communicate(timeout=PATIENCE_S) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told[0][0] == told[1][0] == f"{machine.cache}/yourturn/client-{VERSION}/claude\n"
    assert machine.installed() == [f"client-{VERSION}"]
    assert machine.content() == ["claude", "node_modules"]


def test_without_npm_there_is_one_clear_line(machine: Machine) -> None:
    code, out, err = machine.install()
    assert (code, out) == (3, "")
    assert re.fullmatch("client: npm is missing.*\n", err)


def test_what_npm_cannot_install_is_not_there_afterwards(machine: Machine) -> None:
    code, out, err = machine.with_npm(then="exit 7").install()
    assert (code, out) == (1, "")
    assert f"npm could not install @anthropic-ai/claude-code@{VERSION}" in err
    assert machine.installed() == []


def test_a_platform_without_a_program_is_told_so(machine: Machine) -> None:
    code, out, err = machine.with_npm(then="mkdir node_modules; exit 0").install()
    assert (code, out) == (1, "")
    assert "no program that runs on this platform" in err
    assert machine.installed() == []


def test_a_test_run_that_is_killed_leaves_no_terminal_behind(tmp_path: Path) -> None:
    need("tmux")
    killed = (
        "import os, sys; from e2e.harness.tmux import Terminal;"
        f"terminal = Terminal(['tail', '-f', '/dev/null'], '/', {{'TMUX_TMPDIR': {str(tmp_path)!r}, **os.environ}});"
        "print(terminal.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "tests")}
    run = subprocess.run([sys.executable, "-c", killed], env=env, capture_output=True, text=True, check=False)
    assert run.returncode == -9, run.stderr
    with contextlib.suppress(psutil.NoSuchProcess):
        until(lambda: ended(psutil.Process(int(run.stdout))))


@pytest.mark.parametrize(("required", "outcome"), [("0", "1 skipped"), ("1", "1 error")])
@pytest.mark.parametrize("lacks", ["tmux", "client"])
def test_without_what_they_stand_on_the_tests_are_loud(
    lacks: str, required: str, outcome: str, machine: Machine
) -> None:
    chosen = "tests/e2e/test_harness.py::test_a_turn_ends_with_the_scripted_words"
    argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", chosen]
    env = {"PATH": str(machine.bin), "HOME": str(machine.home), "XDG_CACHE_HOME": str(machine.cache)}
    if lacks == "client":
        need("tmux")
        (machine.bin / "tmux").symlink_to(str(shutil.which("tmux")))
    env |= {"YOURTURN_REQUIRE_E2E": required}
    run = subprocess.run(argv, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)
    assert outcome in run.stdout, run.stdout + run.stderr
    words = {"tmux": "tmux is missing", "client": f"client: {VERSION} is not installed"}[lacks]
    assert f"end-to-end tests did not run: {words}" in run.stdout
    assert ("DID NOT RUN" in run.stdout) == (required == "0")
