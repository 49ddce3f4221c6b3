"""`yourturn completion`, in the shells themselves."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from statusbar.cli.completion import HARMLESS, SHELLS, words
from statusbar.model import targets
from support.command import yourturn
from support.needs import need
from support.project import PROJECT
from support.showing import HOSTILE, Terminal, agent, environ, hostile, put, session, statuses, terminal

SHOP = session(
    "9df7420c", NEEDS_APPROVAL, name="shop", cwd="/p/market", agents=(agent(), agent("a1f0", type="Explore"))
)
EVIL = (
    *(hostile(text) for text in HOSTILE.values()),
    *(
        session(f"{k}evil", name=name)
        for k, name in enumerate(("$(touch x)", "`touch x`", "a;touch x", "~", "-rf", "="))
    ),
)


def test_targets_are_offered_by_name_agents_by_id_and_groups() -> None:
    two = (session("aaaa", name="twin"), session("bbbb", name="twin"))
    there = statuses(SHOP, *two, session("cccc", name="two words"), session("dddd", hidden=True))
    assert set(words(there)) == {
        "@blocked", "@waiting", "@working", "project:market", "project:aaaa", "project:bbbb", "project:cccc",
        "shop", "9df7/a1f0", "aaaa", "bbbb", "cccc",
    }  # fmt: skip


def test_everything_that_is_offered_is_harmless_and_names_somebody() -> None:
    there = statuses(SHOP, *EVIL)
    offered = words(there)
    assert {"shop", "0evi", "3evi"} <= set(offered)
    for word in offered:
        assert HARMLESS.fullmatch(word.removeprefix("@").removeprefix(targets.PROJECT))
        assert word in targets.GROUPS or targets.find(there, word)


@pytest.mark.parametrize(
    "word", ["$(x)", "`x`", "a b", "a;b", "-a", "~", "=a", "a'", 'a"', "a\\b", "a\n", "*", "é", ""]
)
def test_what_a_shell_could_take_for_something_else_is_not_harmless(word: str) -> None:
    assert not HARMLESS.fullmatch(word)


def test_the_command_that_lists_targets_is_shown_nowhere_and_fast(tmp_path: Path) -> None:
    put(tmp_path, SHOP)
    assert "shop\n" in yourturn(tmp_path, "targets").stdout
    assert "targets" not in yourturn(tmp_path, "--help").stdout.replace("options and targets", "")
    code = (
        "import sys, yourturn; yourturn.main(sys.argv[1:]); sys.exit(bool({'shtab', 'watchdog'} & sys.modules.keys()))"
    )
    for command in ("targets", "status", "ps"):
        argv = [sys.executable, "-c", code, command]
        found = subprocess.run(argv, env=environ(tmp_path), cwd=PROJECT, capture_output=True, check=False)
        assert found.returncode == 0, command


def test_another_shell_is_wrong_usage(tmp_path: Path) -> None:
    assert yourturn(tmp_path, "completion", "tcsh").returncode == 2


# bash, asked directly


ASK = """
source "$1"
shift
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
read -ra COMP_WORDS <<< "$1"
[[ $1 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_yourturn 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def bash(tmp_path: Path) -> Callable[[str], set[str]]:
    need("bash")
    home = tmp_path / "state"
    put(home, SHOP, *EVIL)
    env = {**environ(home), "PATH": f"{program(tmp_path)}:{os.environ['PATH']}"}
    (tmp_path / "script").write_text(yourturn(home, "completion", "bash").stdout)

    def ask(line: str) -> set[str]:
        argv = ["bash", "--norc", "-c", ASK, "bash", str(tmp_path / "script"), line]
        done = subprocess.run(argv, env=env, cwd=tmp_path, capture_output=True, text=True, check=True)
        return set(done.stdout.split("\n")) - {""}

    return ask


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("yourturn exp", {"explain"}),
        ("yourturn go sh", {"shop"}),
        ("yourturn go 9df7/", {"9df7/a1f0"}),
        ("yourturn go @b", {"@blocked"}),
        ("yourturn go project:m", {"market"}),
        ("yourturn wait shop project:m", {"market"}),
        ("yourturn wait --for needs", {"needs_approval"}),
        ("yourturn wait --ti", {"--timeout"}),
        ("yourturn log --session sho", {"shop"}),
        ("yourturn ps --kind sub", {"sub_agent"}),
        ("yourturn completion f", {"fish"}),
        ("yourturn go zz", set()),
    ],
)
def test_bash_offers_what_can_come_next(line: str, offered: set[str], bash: Callable[[str], set[str]]) -> None:
    assert bash(line) == offered


def test_no_name_runs_in_bash(bash: Callable[[str], set[str]], tmp_path: Path) -> None:
    offered = bash("yourturn go ")
    assert {"shop", "@blocked", "0evi"} <= offered
    assert not [word for word in offered if set(word) & set("$`;~ \\'\"")]
    assert not (tmp_path / "x").exists()


# All shells, with a person's keys


def program(folder: Path) -> Path:
    """A folder with the command, as a person has it on the path."""
    made = folder / "bin"
    made.mkdir()
    (made / "yourturn").write_text(f'#!/bin/sh\nexec {sys.executable} {PROJECT}/yourturn.py "$@"\n')
    (made / "yourturn").chmod(0o755)
    return made


def start(one: Terminal, shell: str, folder: Path) -> None:
    loads = {
        "bash": "PS1='ready> '; eval \"$(yourturn completion bash)\"\n",
        "zsh": "PS1='ready> '; autoload -Uz compinit; compinit -u -D; eval \"$(yourturn completion zsh)\"\n",
        # What is suggested before the tab would look as if it had been completed.
        "fish": "set -g fish_autosuggestion_enabled 0; function fish_prompt; echo -n 'ready> '; end\n"
        "yourturn completion fish | source\n",
    }
    (folder / ".zshrc").write_text(loads[shell])
    argv = {
        "bash": ["bash", "--noprofile", "--rcfile", f"{folder}/.zshrc", "-i"],
        "zsh": ["zsh", "-d", "-i"],
        "fish": ["fish", "--no-config", "--init-command", f"source {folder}/.zshrc"],
    }[shell]
    path = f"{program(folder)}:{os.environ['PATH']}"
    one.start(*argv, PATH=path, ZDOTDIR=str(folder), HOME=str(folder), XDG_DATA_HOME=str(folder))


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    need(request.param)
    home = tmp_path / "state"
    put(home, SHOP, *EVIL)
    with terminal(home, tmp_path) as one:
        start(one, request.param, tmp_path)
        one.until("ready>")
        yield one


@contextmanager
def typed(one: Terminal, line: str) -> Iterator[None]:
    """The line with a tab at its end; afterwards the line is empty again."""
    one.keys("-l", line)
    one.keys("Tab")
    yield
    one.keys("C-a", "C-k")


def test_a_real_shell_completes_commands_options_and_targets(shell: Terminal, tmp_path: Path) -> None:
    for begun, whole in {
        "yourturn expl": "yourturn explain",
        "yourturn go sho": "yourturn go shop",
        "yourturn go 9df7": "yourturn go 9df7/a1f0",
        "yourturn go project:mar": "yourturn go project:market",
        "yourturn wait project:market @blo": "yourturn wait project:market @blocked",
        "yourturn wait --timeo": "yourturn wait --timeout",
        "yourturn ps --state susp": "yourturn ps --state suspended",
    }.items():
        with typed(shell, begun):
            shell.until(whole)
    with typed(shell, "yourturn go "):
        shell.keys("Tab")
        shell.until("shop", "@blocked")
    assert not (tmp_path / "x").exists()
    assert not (PROJECT / "x").exists()
