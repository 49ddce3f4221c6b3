"""Where an agent's terminal may be, and programs that write down what they are asked."""

from pathlib import Path
from typing import Any

from statusbar.terminals.whereabouts import TOOLS, Whereabouts

ALL = frozenset(TOOLS)
KITTY = {"KITTY_WINDOW_ID": "4", "KITTY_LISTEN_ON": "unix:/tmp/kitty-9"}


def where(terminal: dict[str, str], **more: Any) -> Whereabouts:
    return Whereabouts(terminal, **{"cwd": "/p/shop", "tools": ALL, **more})


def tool(folder: Path, name: str, rest: str = "") -> Path:
    """A program that writes down its arguments, one a line."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {folder}/{name}.said\n{rest}\n')
    path.chmod(0o755)
    return folder / f"{name}.said"
