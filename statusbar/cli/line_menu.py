"""The board as SwiftBar and xbar read it: a title, and below it the rows of a menu, which can be clicked.

What follows a | in a line are its parameters, and both hosts run what `bash` says. SwiftBar hands it to a shell with
its arguments, and not every version quotes them.
"""

from __future__ import annotations

import re
import sys

from contract import launch
from contract.status import NEEDS_APPROVAL
from statusbar.model.board import first_to_go_to
from statusbar.model.rows import Action
from statusbar.text.symbols import HEX, TROUBLE
from statusbar.text.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from statusbar.model.board import Board
    from statusbar.model.rows import Row

WIDEST = 72  # cells
NOBODY = "No agent is running"
# No shell reads more into these than what they are; and an id that begins with a dash would be an option.
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", re.ASCII)
SAFE_PATH = re.compile(r"/[A-Za-z0-9_./@+-]+", re.ASCII)


def menu(whole: Board, harmless: str) -> str:
    """`harmless` are the parameters that keep a host from reading more into a text."""
    urgent = "red" if whole.counts[NEEDS_APPROVAL] else ""
    title = urgent if whole.is_well else TROUBLE.colour
    colour = f" color={HEX[title]}" if title else ""
    rows = [*_first(whole, harmless), *_rows(whole, harmless)]
    rows += [f"{TROUBLE.symbol} {_escaped(words)} | {harmless}" for words in whole.notices]
    return "\n".join([f"{_escaped(whole.title)} | {harmless}{colour}", "---", *(rows or [f"{NOBODY} | {harmless}"])])


def described(row: Row) -> str:
    parts = [*dict.fromkeys((row.project, row.name)), row.client, row.detail, row.age]
    return "  " * row.depth + f"{row.look.symbol} " + "  ".join(part for part in parts if part)


def _first(whole: Board, harmless: str) -> Iterator[str]:
    """The one thing to do. Not if it could not be clicked."""
    row = first_to_go_to(whole)
    click = _click(row) if row else ""
    if row and click:
        yield f"{_escaped(cut(row.way, WIDEST))} | {harmless}{click}"
        yield "---"


def _rows(whole: Board, harmless: str) -> Iterator[str]:
    """Those of agents are in submenus. macOS does not let one click a row that has a submenu.

    In the colours of the system: those of the states are for signs, and too pale for text.
    """
    for number, row in enumerate(whole.rows, 1):
        has_submenu = any(below.depth > row.depth for below in whole.rows[number : number + 1])
        click, indent = _click(row), "--" * row.depth
        yield f"{indent}{_escaped(described(row).strip())} | {harmless}{'' if has_submenu else click}"
        if has_submenu and click:
            yield f"{indent}--{Action.GO.value.capitalize()} | {harmless}{click}"


def _click(row: Row) -> str:
    """The parameters by which a click goes to the terminal; none where they could be read as anything else."""
    paths = (sys.executable, launch.FRONT_DOOR)
    is_safe = SAFE_ID.fullmatch(row.session_id) and all(map(SAFE_PATH.fullmatch, paths))
    if Action.GO not in row.actions or not is_safe:
        return ""
    program, script = paths
    return f" bash={program} param1={script} param2=go param3={row.session_id} terminal=false"


def _escaped(text: str) -> str:
    """A backslash could begin a line break."""
    return text.replace("|", "¦").replace("\\", "/").replace("\n", " ")
