"""Programs of a desktop, such as notify-send: real ones that write down what they are asked."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def program(folder: Path, name: str, code: str = "") -> Path:
    """Writes down its arguments as JSON, one call a line."""
    path = folder / name
    path.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        f"if sys.argv[1:] == ['--help']: print('  -p, --print-id -A, --action=[NAME=]Text'); sys.exit()\n"
        f"fd = os.open({str(folder / (name + '.calls'))!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        f"os.write(fd, json.dumps(sys.argv[1:]).encode() + b'\\n')\n{code}\n"
    )
    path.chmod(0o755)
    return folder / f"{name}.calls"


def calls(path: Path) -> list[list[str]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


NOTHING: dict[str, str] = {}
BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}
