"""What a run of the hook has said, and what it has logged."""

import subprocess
from pathlib import Path


def log_lines(home: Path) -> list[str]:
    log = home / "state" / "hook.log"
    return log.read_text().splitlines() if log.exists() else []


def is_silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
