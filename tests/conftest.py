"""What every test gets."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as settings_of_hypothesis

from contract import store
from e2e.agents.installed import lacking as lacking_clients
from e2e.harness.chosen import TOO_OLD
from installer.services import launchd
from statusbar.menu import actions, settings_actions
from statusbar.notifications import notify, server
from statusbar.system import bus
from statusbar.terminals import go
from support import children, guard
from support.builders import event
from support.looking import Patient, World
from support.needs import missing
from support.patience import PATIENCE_S
from support.watching import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest_plugins = ["e2e.harness.delays", "e2e.harness.watched", "support.wheels"]

E2E_NOT_RUN = "end-to-end tests did not run: "
FOREIGN = ("CLAUDE", "ANTHROPIC", "YOURTURN_HOME", "YOURTURN_EVIDENCE", "XDG_STATE", "XDG_CONFIG", "TMUX")

sys.addaudithook(guard.refuse)
# A shell that starts us in the background makes us deaf to Ctrl-C, and with us all that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Hints name the command as it works here: with ours on PATH, by its name alone, wherever the tests run.
os.environ["PATH"] = f"{sys.prefix}/bin{os.pathsep}{os.environ['PATH']}"
# What tools download lies outside the borrowed home, so that it is there for the next run.
os.environ.setdefault("XDG_CACHE_HOME", f"{guard.REAL_HOME}/.cache")

# How long one example takes says nothing on a busy machine, nor how long it took to find it.
settings_of_hypothesis.register_profile(
    "steady", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings_of_hypothesis.load_profile("steady")
HURRIED = (
    (store, "PATIENCE_S"), (launchd, "SETTLING_S"), (actions, "PATIENCE_S"), (bus, "PATIENCE_S"),
    (settings_actions, "PATIENCE_S"), (server, "PATIENCE_S"), (notify, "TEST_S"), (go, "SHORT_PATIENCE_S"),
    (go, "ONE_OF_SEVERAL_S"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_child_left() -> Iterator[None]:
    """Set up before what a test asks for itself, so that it looks when all of that has ended."""
    with children.none_left(children.LONGEST_S):
        yield


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where our own code waits for a program, a busy machine has time; a test that wants less says so."""
    for module, name in HURRIED:
        monkeypatch.setattr(module, name, PATIENCE_S)


@pytest.fixture(autouse=True)
def borrowed_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for one test, and an environment without anything of a client that may run around us."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(FOREIGN):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("YOURTURN_NO_WATCHER", "1")
    return home


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A state folder, clients, and real watchers; all that it starts ends with the test."""
    with Scene(tmp_path) as made:
        yield made


@pytest.fixture
def world(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> World:
    """The same with a watch that looks when it is told to."""
    return World(scene, monkeypatch)


@pytest.fixture
def patient(world: World, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """That with a session, and with time that goes by when it is told to."""
    world.hook(event("UserPromptSubmit", prompt="x"))
    return Patient(world, monkeypatch)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [str(report.longrepr) for report in skipped]
    if any(E2E_NOT_RUN in reason for reason in reasons):
        terminalreporter.write_sep("!", "the end-to-end tests with the real client DID NOT RUN", red=True, bold=True)
    for report in skipped:
        if TOO_OLD in str(report.longrepr):
            words = str(report.longrepr[2]).removeprefix("Skipped: ")
            terminalreporter.write_line(f"NOT TESTED: {report.nodeid.rpartition('::')[2]}: {words}", red=True)
    if clients := lacking_clients(reasons):
        words = f"not installed, so NOT TESTED: {', '.join(clients)}; make test-clients"
        terminalreporter.write_sep("!", words, red=True, bold=True)
    lacking = [found for reason in reasons if (found := missing(reason))]
    if lacking:
        programs = ", ".join(sorted({program for found in lacking for program in found}))
        words = f"{len(lacking)} tests DID NOT RUN; missing here: {programs}"
        terminalreporter.write_sep("!", words, red=True, bold=True)
