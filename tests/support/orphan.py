"""A command that nobody above it started: tests may be run by an agent, who may not answer for a person."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from support.patience import until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# The one in the middle ends at once, so the command's parent is whoever takes orphans in.
APART = """
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    folder, *argv = sys.argv[1:]
    with open(f"{folder}/out", "wb") as out, open(f"{folder}/err", "wb") as err:
        code = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False).returncode
    with open(f"{folder}/code.new", "w") as file:
        file.write(str(code))
    os.rename(f"{folder}/code.new", f"{folder}/code")
os._exit(0)
"""


def orphan(folder: Path, argv: Sequence[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run it to its end. `folder` is for what it prints."""
    folder.mkdir(parents=True)
    subprocess.run([sys.executable, "-c", APART, str(folder), *argv], env=dict(env), cwd=folder, check=True)
    until((folder / "code").exists, "the end of the command")
    code, out, err = ((folder / name).read_text() for name in ("code", "out", "err"))
    return subprocess.CompletedProcess(argv, int(code), out, err)
