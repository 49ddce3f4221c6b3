"""The clients that are on this machine: a test installs none, as that takes longer than it may."""

from __future__ import annotations

import re
import subprocess

import pytest

from support.project import PROJECT

INSTALLER = PROJECT / "tools" / "agents.sh"
SKIPPED = "NOT TESTED, not installed: "


def installed(client: str) -> str:
    """The path of the program; without it the test is skipped."""
    found = subprocess.run([INSTALLER, "--installed", client], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.skip(f"{SKIPPED}{client} (make test-clients installs it)")
    return found.stdout.strip()


def lacking(reasons: list[str]) -> list[str]:
    """The clients that these reasons to skip name, each once."""
    return sorted({name for reason in reasons for name in re.findall(rf"{SKIPPED}(\w+)", reason)})
