"""ARCHITECTURE.md lists every file of every room with its first sentence."""

import ast
import os
import re
from pathlib import Path

import pytest

from support.project import PROJECT
from tools import rooms


def modules() -> list[Path]:
    found = [path for room in rooms.ROOMS for path in sorted((PROJECT / room).rglob("*.py"))]
    assert len(found) > 100, "looked at nothing"
    return found


def test_the_list_of_files_is_up_to_date() -> None:
    text = Path(rooms.PAGE).read_text()
    assert rooms.page(text) == text, "write it anew: python -m tools.rooms"


@pytest.mark.parametrize("path", modules(), ids=lambda path: os.path.relpath(path, PROJECT))
def test_every_file_says_in_one_sentence_what_is_in_it(path: Path) -> None:
    if path.name in ("__main__.py", "version.py"):
        return
    said = rooms.first_sentence(str(path))
    assert said.endswith((".", ":", "?")), "a whole sentence on the first line"


def test_a_new_file_is_missed() -> None:
    text = Path(rooms.PAGE).read_text()
    assert rooms.page(text.replace("- `loop.py`", "- `loops.py`")) == text
    assert rooms.page(text.replace("- `loop.py`", "- `loops.py`")) != text.replace("- `loop.py`", "- `loops.py`")


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


def test_the_way_of_a_request_names_functions_that_there_are() -> None:
    way = Path(rooms.PAGE).read_text().partition("## One request")[2].partition("\n## ")[0]
    named = re.findall(r"`([\w/]+\.py): (\w+)`", way)
    assert len(named) > 10, "looked at nothing"
    for path, function in named:
        assert function in functions(PROJECT / path), f"{path}: {function}"
