"""Our hooks in a client's settings, as `yourturn install` writes them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from e2e.harness.patience import PATIENCE_S
from support.project import PROJECT

if TYPE_CHECKING:
    from e2e.harness.place import Place


def install(place: Place, client: str, **environ: str) -> str:
    """What it says. `environ`: what the client needs to find its folder, if that is not in the home."""
    argv = [sys.executable, f"{PROJECT}/yourturn.py", "install", "--client", client, "--yes", "--no-service"]
    env = {**place.plain(), **environ}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout
