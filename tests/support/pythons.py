"""Other versions of Python on this machine: on PATH, or where a version manager keeps them beside this one."""

from __future__ import annotations

import functools
import glob
import os
import shutil
import subprocess
import sys

import pytest

from support.needs import SKIPPED
from support.patience import PATIENCE_S

WHERE = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"


def need_python(version: str) -> str:
    """The interpreter itself, or the test says loudly that it did not run."""
    found = find(version)
    if not found:
        pytest.skip(f"{SKIPPED}python{version}")
    return found


@functools.cache
def find(version: str) -> str:
    """'' if there is none of this version. pyenv's own commands on PATH start only the versions that are chosen."""
    beside = glob.glob(f"{os.path.dirname(sys.base_prefix)}/*{version}.*/bin/python{version}")
    for candidate in filter(None, (shutil.which(f"python{version}"), *beside)):
        asked = subprocess.run(
            [candidate, "-S", "-E", "-c", WHERE], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        said, _, path = asked.stdout.strip().partition(" ")
        if asked.returncode == 0 and said == version:
            return path
    return ""
