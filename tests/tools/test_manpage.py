"""The manual page says what the help says, and is drawn without a warning."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
from datetime import date
from typing import TYPE_CHECKING

import pytest

import yourturn
from contract.version import VERSION
from support.needs import need
from tools import manpage

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2026, 11, 17)
CHECKS = {
    "man": ("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"),
    "mandoc": ("mandoc", "-Tlint", "-Wwarning"),
}


@pytest.fixture(scope="module")
def page() -> str:
    return manpage.page(DAY)


def plain(page: str) -> str:
    return re.sub(r"\\f[BIR]", "", page).replace(r"\-", "-").replace(r"\(aq", "'").replace(r"\(ti", "~")


def test_it_names_every_command_that_help_lists_with_every_option(page: str) -> None:
    said, commands = plain(page), manpage._commands(yourturn.parser())
    for group, words in yourturn.GROUPS.items():
        assert f"\n.SS {group}\n" in said
        for word in words:
            after = said.partition(f"\nyourturn {word}")[2].partition("\n.RE\n")[0]
            assert after, word
            for action in commands[word]._actions:
                if action.option_strings and action.help != argparse.SUPPRESS and "--help" not in action.option_strings:
                    assert action.option_strings[0] in after, (word, action.option_strings)
    assert not [word for word in ("yourturn targets", "yourturn keep", "--after-demo") if word in said]


def test_it_says_which_version_and_nothing_of_the_machine_that_built_it(page: str) -> None:
    assert page.startswith(f'.TH YOURTURN 1 "{DAY}" "yourturn {VERSION}" "User Commands"\n')
    assert "/bin/yourturn" not in page
    assert os.path.expanduser("~/") not in page


def test_its_day_is_that_of_the_sources_if_somebody_says_which() -> None:
    assert manpage.today({"SOURCE_DATE_EPOCH": "0"}) == date(1970, 1, 1)
    assert manpage.today({}) >= DAY


@pytest.mark.parametrize("program", CHECKS)
def test_it_is_drawn_without_a_warning(program: str, page: str, tmp_path: Path) -> None:
    need(program)
    path = tmp_path / "yourturn.1"
    path.write_text(page)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    argv = [str(shutil.which(program)), *CHECKS[program][1:], str(path)]
    found = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    assert program == "man" or found.stdout == ""
