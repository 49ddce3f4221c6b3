"""Programs that a test needs and a machine may lack: then it says so loudly, or fails where all must run."""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRED = "YOURTURN_REQUIRE_E2E"


def need(*programs: str) -> None:
    missing = [program for program in programs if shutil.which(program) is None]
    if missing and os.environ.get(REQUIRED) == "1" and "tmux" in missing:
        pytest.fail(f"{', '.join(missing)} is missing", pytrace=False)
    if missing:
        pytest.skip(f"NOT TESTED, missing here: {', '.join(missing)}")
