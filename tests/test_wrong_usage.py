"""Every wrong usage of every command ends with 2, says what was wrong, and does nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import yourturn
from support.command import yourturn as run
from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

WRONG = "\x01 no such value"
MANY = "many"  # more words than any command takes


def commands() -> dict[str, argparse.ArgumentParser]:
    actions = yourturn.parser()._actions
    found = next(dict(action.choices) for action in actions if isinstance(action.choices, dict))
    assert set(found) == yourturn._commands()
    return found


def options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings and "--help" not in action.option_strings]


def wrong_lines(word: str, parser: argparse.ArgumentParser) -> list[list[str]]:
    """With an unknown option, a wrong value or none for each option, a value for a switch, and too many words."""
    lines = [[word, "--no-such-option"]]
    for action in options(parser):
        name = action.option_strings[0]
        lines += [[word, f"{name}={WRONG}"]] if action.nargs == 0 or action.type or action.choices else []
        lines += [[word, name]] if action.nargs is None else []
    for action in parser._actions:
        if not action.option_strings and (action.type or action.choices):
            lines.append([word, WRONG])
    takes_any = any(action.nargs in ("*", "+") for action in parser._actions)
    return lines if takes_any else [*lines, [word, *[MANY] * 9]]


@pytest.mark.parametrize("word", sorted(yourturn._commands()))
def test_a_wrong_option_or_value_is_wrong_usage(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = wrong_lines(word, commands()[word])
    assert lines
    for line in lines:
        with pytest.raises(SystemExit) as ended:
            yourturn.main(line)
        out, err = capsys.readouterr()
        assert (ended.value.code, out) == (2, ""), line
        assert f"yourturn {word}: error: " in err or err.startswith("usage: yourturn"), line


WRONG_AFTER_PARSING = (
    "stauts", "--no-such-option", "status --full", "line --for tmux --follow", "config no.such.setting",
    "config no.such.setting 1", "config front nowhere", "config notify.enabled perhaps", "explain nobody",
    "tree nobody", "go nobody", "log --session nobody", "spawn", "spawn --agent nobody x", "spawn --name a/b -- true",
    "spawn --cwd /no/such/folder -- true", "spawn --parent nobody -- true", "kill nobody --yes",
    "dispatch /no/such/file", "dispatch", "kill", "completion tcsh", "login perhaps", "demo --front nowhere",
)  # fmt: skip


def test_what_only_the_command_can_see_is_wrong_usage_too(tmp_path: Path) -> None:
    """In one shell: each line is a process of its own."""
    script = "".join(
        f'"$@" {line} </dev/null >out 2>err; echo $? $(wc -c <out) $(wc -c <err)\n' for line in WRONG_AFTER_PARSING
    )
    argv = ["sh", "-c", script, "sh", sys.executable, str(PROJECT / "yourturn.py")]
    found = subprocess.run(
        argv, env=environ(tmp_path / "state"), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for line, told in zip(WRONG_AFTER_PARSING, found.stdout.splitlines(), strict=True):
        code, said, complained = map(int, told.split())
        assert (code, said, complained > 0) == (2, 0, True), line
    assert not (tmp_path / "state" / "config.toml").exists()


def test_a_wrong_command_says_which_one_may_be_meant(tmp_path: Path) -> None:
    assert "Did you mean install or uninstall?" in run(tmp_path, "instal").stderr
