"""Children of a Codex process that may be commands of its shell tool."""

from __future__ import annotations

from processes.process import Proc
from watcher.clients.codex.adapter import ADAPTER
from watcher.clients.codex.commands import commands, text


def child(pid: int, *argv: str, ppid: int = 7, forked: bool = False) -> Proc:
    return Proc(pid, ppid, "1", began=float(pid), name=argv[0] if argv else "", argv=argv, forked=forked)


def test_a_shell_or_what_it_has_become_is_a_command() -> None:
    assert text(("/bin/bash", "-c", "npm test; echo")) == "npm test; echo"
    assert text(("/usr/bin/zsh", "-lc", "npm test")) == "npm test"
    assert text(("wc", "/tmp/a door")) == "wc /tmp/a door"


def test_only_its_own_children_that_are_programs_count_and_none_is_marked() -> None:
    found = commands(
        [child(3, "wc", "b"), child(2, "wc", "a"), child(4), child(5, "x", forked=True), child(6, "y", ppid=8)], 7
    )
    assert [(one.pid, one.text, one.is_marked) for one in found] == [(2, "wc a", False), (3, "wc b", False)]


def test_a_rollout_tells_the_folder_it_belongs_to() -> None:
    assert ADAPTER.folder_of("/home/me/.codex/sessions/2026/11/17/rollout-x.jsonl") == "/home/me/.codex"
