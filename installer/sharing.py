"""What this machine has shared with a broker: taken back, by the command of ours that can speak to brokers."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from contract import launch

if TYPE_CHECKING:
    from installer.console import Console

PATIENCE_S = 60.0
SILENT = "yourturn: the broker did not answer. It keeps what it was told of this machine for up to a week."


def take_back(share_file: str, console: Console) -> None:
    """A broker that cannot be reached must not keep anybody from uninstalling: it is said, and that is all."""
    argv = [sys.executable, "-E", launch.FRONT_DOOR, "take-back", "--share-file", share_file]
    try:
        done = subprocess.run(argv, capture_output=True, timeout=PATIENCE_S, check=False, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        console.complain(SILENT)
        return
    if done.returncode:
        console.complain(done.stderr.strip() or SILENT)
    else:
        console.say("The broker keeps nothing of this machine any more.")
