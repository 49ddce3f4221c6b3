"""A command of the Bash tool is told from everything else a client starts. The argv are as they were captured."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from processes.clients import claude, gemini
from processes.process import Proc
from processes.shell_words import LONGEST, first_word
from processes.shells import command_text, commands
from processes.table import Probe
from support.families import spawn

if TYPE_CHECKING:
    from pathlib import Path

CLIENT = 8929
PRELUDE = (
    "source /home/me/.claude/shell-snapshots/snapshot-bash-1794796318125-j83y0d.sh 2>/dev/null || true"
    " && \\builtin shopt -u extglob 2>/dev/null || true"
    " && { \\builtin unalias -- 'which'; \\builtin unset -f -- 'which'; } >/dev/null 2>&1 || true"
    " && { \\builtin unalias -- 'unsetenv'; \\builtin unset -f -- 'unsetenv'; } >/dev/null 2>&1 || true"
)
QUOTES = """touch made && echo "it's \\"here\\" $HOME" && python3 -c 'import time; time.sleep(1.5)'"""
QUOTED = (
    "'touch made && echo \"it'\"'\"'s \\\"here\\\" $HOME\" && python3 -c '\"'\"'import time; time.sleep(1.5)'\"'\"''"
    " < /dev/null"
)
HEREDOC = "cat <<'X' > f\nline 'one'\nX\npython3 -c 'import time; time.sleep(1)' | cat"
HEREDOC_QUOTED = (
    "'cat <<'\"'\"'X'\"'\"' > f\nline '\"'\"'one'\"'\"'\nX\npython3 -c '\"'\"'import time; time.sleep(1)'\"'\"' | cat'"
)


def bash(quoted: str, prelude: str = PRELUDE) -> tuple[str, ...]:
    return ("/bin/bash", "-c", f"{prelude} && eval {quoted} && pwd -P >| /tmp/claude-d36d-cwd")


def child(
    pid: int = 9029, ppid: int = CLIENT, argv: tuple[str, ...] = (), *, at: float = 10.0, forked: bool = False
) -> Proc:
    return Proc(pid, ppid, str(round(at * 100)), at, "bash", argv or bash("'ls'"), forked=forked)


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (bash(QUOTED), QUOTES),
        (bash(HEREDOC_QUOTED), HEREDOC),
        (bash("ls"), "ls"),
        (bash("'npm test' \\< /dev/null"), "npm test"),
        (bash('"it\'s \\$5"'), "it's $5"),
        (bash("'x'", prelude="\\builtin shopt -u extglob 2>/dev/null || true"), "x"),
        (
            bash("'x'", prelude="source '/home/me/my dir/.claude/shell-snapshots/snapshot-zsh-1-a.sh' || true"),
            "x",
        ),
        (("/bin/zsh", "-c", "-l", bash("'ls -l'")[2]), "ls -l"),
        (("bwrap", "--ro-bind", "/", "/", "--", *bash("'ls -l'")), "ls -l"),
        (bash("'echo && eval x && pwd -P >| y'"), "echo && eval x && pwd -P >| y"),
    ],
)
def test_the_command_is_read_whatever_the_quoting(argv: tuple[str, ...], text: str) -> None:
    assert command_text(argv) == text


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("/bin/bash",),
        ("/bin/sh", "-c", "cat > /dev/null; eval 'true' && sleep 0.15 # yourturn-hook"),
        ("/bin/sh", "-c", "true && eval 'true' && pwd -P"),
        ("/bin/sh", "-c", "source /home/me/.bashrc && eval 'true'"),
        (
            "/bin/bash",
            "-c",
            "-l",
            "SNAPSHOT_FILE=/home/me/.claude/shell-snapshots/snapshot-bash-1-a.sh\nsource x && eval y",
        ),
        ("/bin/bash", "-c", "source /home/me/.claude/shell-snapshots/snapshot-bash-1-a.sh && true"),
        ("/bin/sh", "-c", "cat; source /home/me/.claude/shell-snapshots/snapshot-bash-1-a.sh && eval 'true'"),
        ("/bin/sh", "-c", 'ps aux | grep -E "code|cursor|windsurf" | grep -v grep'),
        ("/usr/bin/git", "-c", "core.askPass=", "remote", "get-url", "origin"),
        ("node", "/home/me/mcp/server.js"),
        ("claude", "--permission-mode", "default"),
        ("rg", "--no-config", "&& eval"),
    ],
)
def test_hooks_servers_and_helpers_are_no_commands(argv: tuple[str, ...]) -> None:
    assert command_text(argv) is None


def test_a_command_that_came_through_the_environment_is_a_command_without_text() -> None:
    handed_over = """{ \\builtin [ -n "${__CLAUDE_CC_COMMAND_TEXT:+1}" ]; } && 'eval' "$__CLAUDE_CC_COMMAND_TEXT\""""
    assert command_text(("/bin/bash", "-c", f"{PRELUDE} && {handed_over} && pwd -P >| /tmp/claude-1-cwd")) == ""


def test_a_command_cut_at_the_bound_of_its_argv_is_still_one() -> None:
    whole = bash("'" + "x" * 1000 + "'")
    assert command_text((*whole[:2], whole[2][: len(PRELUDE) + 100])) == "x" * (100 - len(" && eval '"))


def test_a_folder_with_a_space_does_not_hide_a_command_cut_at_the_bound() -> None:
    prelude = "source '/home/me/my dir/.claude/shell-snapshots/snapshot-zsh-1-a.sh' || true"
    assert command_text(("/bin/zsh", "-c", f"{prelude} && eval 'cut off")) == "cut off"


GEMINI = """shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=/tmp/gemini-shell-tU9yKp/bgpids.tmp
(
  trap 'jobs -p > "$_bgpids_file"' EXIT
{}
)
__code=$?
exit $__code"""


@pytest.mark.parametrize("text", ["npm test", QUOTES, HEREDOC, "(\nls\n)", "echo '\n)\n__code=$?\nexit $__code' # x"])
def test_a_command_of_gemini_is_told_by_what_it_notes(text: str) -> None:
    argv = ("/usr/bin/bash", "-c", GEMINI.replace("{}", text))
    assert gemini.command(argv) == command_text(argv) == text
    assert gemini.command(("bwrap", "--", *argv)) == text, "in a sandbox"
    assert claude.command(argv) is None


def test_a_command_of_gemini_may_be_cut_at_the_bound_and_is_bounded() -> None:
    whole = GEMINI.replace("{}", "x" * 100_000)
    assert gemini.command(("bash", "-c", whole)) == "x" * LONGEST
    assert gemini.command(("bash", "-c", whole[: whole.index("xxx") + 5])) == "xxxxx"


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("bash",),
        ("/usr/bin/bash", "-c", "/usr/bin/python3 -S -E /home/me/hook.py gemini"),
        ("bash", "-c", "echo _bgpids_file=x"),
        ("bash", "-c", "true; " + GEMINI),
        ("node", "/usr/bin/gemini", "--model", "x"),
    ],
)
def test_other_children_of_gemini_are_no_commands(argv: tuple[str, ...]) -> None:
    assert gemini.command(argv) is None


def test_the_text_of_a_command_is_bounded() -> None:
    assert first_word("'" + "x" * 100_000 + "'") == "x" * LONGEST


def test_only_direct_children_that_are_programs_of_their_own_count() -> None:
    shell = child(1)
    fork_of_the_client = child(2, forked=True)
    subshell = child(3, ppid=1)
    found = commands([shell, fork_of_the_client, subshell], CLIENT, claude.command)
    assert [command.pid for command in found] == [1]


def test_each_client_says_how_its_commands_look() -> None:
    found = commands([child(1), child(2, argv=("parrot-sh", "crack"))], CLIENT, lambda argv: argv[1][:5])
    assert [command.text for command in found] == ["-c", "crack"]
    assert commands([child(1)], CLIENT, lambda _argv: None) == ()


def test_only_what_began_since_then_counts_and_the_oldest_comes_first() -> None:
    found = commands([child(3, at=12.0), child(1, at=9.99), child(2, at=10.0)], CLIENT, claude.command, since=10.0)
    assert [(command.pid, command.start, command.began) for command in found] == [
        (2, "1000", 10.0),
        (3, "1200", 12.0),
    ]


def test_an_approved_command_is_seen_as_soon_as_it_runs_case_3(tmp_path: Path) -> None:
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    probe, me = Probe(), os.getpid()
    asked = time.clock_gettime(clock)
    hook = ["/bin/sh", "-c", "echo ready; read x # yourturn-hook"]
    tool = ["/bin/sh", "-c", f"true && eval 'echo ready; read x' && pwd -P >| {tmp_path}/cwd"]
    with spawn(hook) as one:
        assert one.stdout
        one.stdout.readline()
        assert commands(probe.children(me), me, claude.command, asked - 0.011) == ()
        probe.tick()
        with spawn(tool) as other:
            assert other.stdout
            other.stdout.readline()
            found = commands(probe.children(me), me, claude.command, asked - 0.011)
    assert [(command.pid, command.text) for command in found] == [(other.pid, "echo ready; read x")]
