"""The rooms know each other only through the contract."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from support.project import PROJECT
from watcher.clients import CLIENTS

ROOMS = {
    "contract",
    "recorder",
    "processes",
    "watcher",
    "statusbar",
    "installer",
    "hook",
    "yourturn",
    "bench",
    "simulator",
    "torture",
    "tests",
}
MAY_IMPORT = {
    "contract": set(),
    "recorder": {"contract"},
    "hook": {"contract", "recorder"},
    "processes": {"contract"},
    "watcher": {"contract", "processes"},
    "statusbar": {"contract", "processes"},
    "installer": {"contract"},
}
STANDARD_LIBRARY_ONLY = ("contract", "recorder", "hook")


def sources(room: str) -> list[Path]:
    found = [PROJECT / f"{room}.py"] if (PROJECT / f"{room}.py").exists() else sorted((PROJECT / room).rglob("*.py"))
    assert found, f"{room}: looked at nothing"
    return found


def imported(path: Path) -> set[str]:
    """The top-level names a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_go_one_way(room: str) -> None:
    for path in sources(room):
        foreign = imported(path) & ROOMS - {room} - MAY_IMPORT[room]
        assert not foreign, f"{path.relative_to(PROJECT)} imports {foreign}"


@pytest.mark.parametrize("room", STANDARD_LIBRARY_ONLY)
def test_what_the_hook_needs_is_in_the_standard_library(room: str) -> None:
    for path in sources(room):
        outside = imported(path) - ROOMS - set(sys.stdlib_module_names) - {"posix"}
        assert not outside, f"{path.relative_to(PROJECT)} imports {outside}"


def modules(path: Path) -> set[str]:
    """The whole names of the modules that a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    whole = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return plain | {f"{node.module}.{alias.name}" for node in whole for alias in node.names}


def test_the_wall_in_front_of_the_clients_has_no_hole() -> None:
    """Who is not a client's own adapter asks through `base`, and finds the adapters in the table."""
    clients = sorted(p.name for p in (PROJECT / "watcher" / "clients").iterdir() if (p / "__init__.py").exists())
    assert clients == sorted(CLIENTS), "each has a folder and a line in the table"
    inside = set(sources("watcher/clients"))
    outside = [path for room in ("watcher", "statusbar", "installer", "processes") for path in sources(room)]
    for path in set(outside) - inside:
        known = [
            name for name in modules(path) for client in clients if f"{name}.".startswith(f"watcher.clients.{client}.")
        ]
        assert not known, f"{path.relative_to(PROJECT)} imports {known}"


def test_only_the_menubar_knows_rumps() -> None:
    users = [p.name for room in ("watcher", "statusbar", "installer") for p in sources(room) if "rumps" in imported(p)]
    assert set(users) <= {"menubar.py"}


@pytest.mark.parametrize("module", ["statusbar.top.app", "statusbar.commands", "statusbar.demo.demo"])
def test_what_a_person_waits_for_loads_no_event_loop(module: str) -> None:
    code = f"import sys, {module}; sys.exit('asyncio' in sys.modules or 'statusbar.menu.controller' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=False).returncode == 0
