"""Who asks: an agent, a person at a terminal, or a script."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from processes.caller import Caller, asks, judge
from processes.process import Proc
from support.project import PROJECT
from support.showing import environ, put, session

if TYPE_CHECKING:
    from pathlib import Path

ASK = "import json, processes.caller as w, statusbar.model.reader as r, contract.paths as p;"
ASK += "print(json.dumps(w.asks(r.read(p.home()).sessions)))"


def proc(pid: int, *argv: str, name: str = "", **more: bool) -> Proc:
    """Its parent has the next pid."""
    return Proc(pid, pid + 1, str(pid), 0.0, name or argv[0], argv, **more)


ME, SHELL, INIT = proc(1, "python3", "yourturn.py", "kill"), proc(2, "bash"), proc(9, "init")
CLAUDE = proc(3, "claude", "-p")


@pytest.mark.parametrize(
    ("line", "has_terminal", "expected"),
    [
        ((ME, SHELL), True, Caller("terminal", "", 2, "bash")),
        ((ME, SHELL), False, Caller("script", "", 2, "bash")),
        ((ME, SHELL, CLAUDE), True, Caller("agent", "", 3, "bash")),
        ((ME, SHELL, CLAUDE), False, Caller("agent", "", 3, "bash")),
        ((ME, SHELL, proc(3, "claude", "mcp")), False, Caller("script", "", 2, "bash")),
        ((ME, SHELL, proc(3, "claude", "daemon", "run")), False, Caller("script", "", 2, "bash")),
        ((ME, SHELL, proc(3, "my-agent", agent_mode=True)), True, Caller("agent", "", 3, "bash")),
        ((ME,), False, Caller("script")),
        ((), True, Caller("terminal")),
    ],
    ids=[
        "a shell in a terminal", "a shell without one", "an agent in a terminal", "an agent without one",
        "an agent's server", "an agent's daemon", "a program in agent mode", "nobody may be looked at", "not even we",
    ],
)  # fmt: skip
def test_who_asks_follows_from_the_processes_above(
    line: tuple[Proc, ...], has_terminal: bool, expected: Caller
) -> None:
    assert judge(line, {}, has_terminal=has_terminal) == expected


def test_an_agent_is_named_by_its_session() -> None:
    found = judge((ME, SHELL, CLAUDE), {3: "s1"}, has_terminal=True)
    assert (found.session, found.words()) == ("s1", "agent s1")


def test_who_is_known_as_a_sessions_client_is_an_agent_whatever_it_is_called() -> None:
    line = (ME, SHELL, proc(3, "claude bg-spare"))
    assert judge(line, {}, has_terminal=False).kind == "script"
    assert judge(line, {3: "s1"}, has_terminal=False) == Caller("agent", "s1", 3, "bash")


def test_the_nearest_agent_is_the_one_that_asks() -> None:
    line = (ME, CLAUDE._replace(pid=2, ppid=3), SHELL._replace(pid=3, ppid=4), CLAUDE._replace(pid=4, ppid=5))
    assert judge(line, {2: "inner", 4: "outer"}, has_terminal=False).session == "inner"


def test_a_real_agent_that_asks_is_named(tmp_path: Path) -> None:
    """`exec -a` gives a shell the name of an agent; its pid is in a status."""
    script = f"read go; {sys.executable} -c '{ASK}'; true"
    argv = ["bash", "-c", 'exec -a claude sh -c "$0"', script]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ(tmp_path), cwd=PROJECT
    ) as one:
        put(tmp_path, session("s1", pid=one.pid))
        said, _ = one.communicate(b"go\n")
    assert json.loads(said) == ["agent", "s1", one.pid, "sh"]


def test_our_own_line_can_be_looked_at() -> None:
    assert asks(()).kind in ("agent", "terminal", "script")
    assert asks(()).program
