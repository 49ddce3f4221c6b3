"""The list of all files in ARCHITECTURE.md, made from their first sentences: `python -m tools.rooms` writes it anew."""

from __future__ import annotations

import ast
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = f"{PROJECT}/ARCHITECTURE.md"
BEGIN, END = "<!-- made by tools/rooms.py -->\n", "<!-- end -->\n"
ROOMS = (
    "recorder",
    "contract",
    "processes",
    "watcher",
    "conversations",
    "statusbar",
    "agency",
    "fleet",
    "answers",
    "usage",
    "installer",
)


def first_sentence(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        said = ast.get_docstring(ast.parse(file.read())) or ""
    return said.partition("\n")[0]


def listed(folder: str, depth: int = 3) -> Iterator[str]:
    """A room, its files, and the rooms in it."""
    yield f"{'#' * depth} `{folder}/`\n\n{first_sentence(f'{PROJECT}/{folder}/__init__.py')}\n\n"
    names = sorted(os.listdir(f"{PROJECT}/{folder}"))
    files = [name for name in names if name.endswith(".py") and not name.startswith("__")]
    yield "".join(f"- `{name}`: {first_sentence(f'{PROJECT}/{folder}/{name}')}\n" for name in files)
    yield "\n" if files else ""
    for name in names:
        if os.path.exists(f"{PROJECT}/{folder}/{name}/__init__.py"):
            yield from listed(f"{folder}/{name}", depth + 1)


def page(text: str) -> str:
    """The page with the list as it should be."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    made = "".join(line for room in ROOMS for line in listed(room))
    return f"{head}{BEGIN}\n{made}{END}{tail}"


def main() -> int:
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
