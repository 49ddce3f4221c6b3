"""The pages that people copy commands from: each command there is one that we understand."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

import pytest

import yourturn
from support.project import PROJECT

PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((PROJECT / "docs").glob("*.md")))]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def typed(page: str) -> list[str]:
    """The commands in the blocks of a page, without the comments behind them. In a sentence they need not be whole."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in re.split(r" && |\s# ", line)]
    return [part for part in parts if part.startswith("yourturn ")]


def trouble(words: list[str]) -> str:
    """What our parser says of it; '' if it understands."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            yourturn.parser(words[0]).parse_args(words)
    except SystemExit as end:
        return said.getvalue() if end.code else ""
    return ""


def test_a_command_that_there_is_not_is_found() -> None:
    assert "--no-such-option" in trouble(["status", "--no-such-option"])
    assert len(typed("README.md")) > 20, "looked at next to nothing"


@pytest.mark.parametrize("page", PAGES)
def test_each_command_of_a_page_is_understood(page: str) -> None:
    for command in typed(page):
        assert not trouble(shlex.split(command)[1:]), command
