"""What the hooks start: a Python interpreter and hook.py."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import subprocess
from typing import NamedTuple

from installer.refusal import Refusal

PROJECT = os.path.abspath(__file__).rpartition("/installer/")[0]
ASK_TIMEOUT_S = 20
OLDEST_PYTHON = (3, 9)  # of the hooks; all else needs 3.11
KEG = re.compile(r"^(.*)/Cellar/([^/]+)/[^/]+/")


class Program(NamedTuple):
    interpreter: str
    script: str


def this(executable: str, project: str = PROJECT) -> Program:
    return Program(lasting(executable), lasting(os.path.join(project, "hook.py")))


def lasting(path: str) -> str:
    """The name that stays after an upgrade: Homebrew removes the folder of a version, and renews a link beside it."""
    stays = KEG.sub(r"\1/opt/\2/", path, count=1)
    return stays if os.path.exists(stays) and os.path.samefile(stays, path) else path


def find(executable: str, project: str = PROJECT) -> Program:
    """The program of this copy of the project, or a refusal if its hooks could not run."""
    program = this(interpreter(executable), project)
    if not os.path.isfile(program.script):
        raise Refusal(f"{program.script} is missing.", "This copy of yourturn is incomplete; download it again.")
    for path in program:
        _utf8_or_refuse(path)
    return program


def drop_bundles(project: str) -> None:
    """Remove what the hooks write next to Python's bytecode: in a checkout nobody else does."""
    for path in glob.glob(f"{glob.escape(project)}/recorder/__pycache__/packed_*"):
        with contextlib.suppress(OSError):  # another user's copy of the project; they may remove it
            os.unlink(path)


def interpreter(executable: str) -> str:
    """The real interpreter: a version manager's shim is a script that costs more than the whole hook."""
    if not _is_script(executable):
        return executable
    asked = subprocess.run(
        [executable, "-S", "-E", "-c", "import sys; print(sys.executable)"],
        capture_output=True,
        text=True,
        timeout=ASK_TIMEOUT_S,
        check=False,
    )
    found = asked.stdout.strip()
    if asked.returncode != 0 or not os.path.isabs(found) or _is_script(found):
        raise Refusal(
            f"{executable} is a script, not an interpreter.", "Run yourturn from its own virtual environment."
        )
    return found


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _utf8_or_refuse(path: str) -> None:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        trouble = f"The path {path!r} is not UTF-8, so it cannot be written into settings.json."
        raise Refusal(trouble, "Move the project to another folder.") from None
