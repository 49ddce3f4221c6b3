"""What an attack needs of the machine, and how to get what is not there."""

from __future__ import annotations

import os
import shutil
import subprocess

from torture.result import MissingError

PACKAGES = {"strace": "strace", "unshare": "util-linux", "mount": "mount"}
NOBODY = 65534


def need(*programs: str) -> None:
    lacking = [program for program in programs if shutil.which(program) is None]
    if lacking:
        packages = " ".join(sorted({PACKAGES.get(program, program) for program in lacking}))
        raise MissingError(f"{', '.join(lacking)} (on Debian or Ubuntu: apt-get install {packages})")


def unshare(*flags: str) -> list[str]:
    """To run something in namespaces of its own; the first way that works here, as root or in a user namespace."""
    need("unshare")
    for way in (["unshare", *flags], ["unshare", "--user", "--map-root-user", *flags]):
        if _works([*way, "true"]):
            return way
    raise MissingError(f"the right to `unshare {' '.join(flags)}` (run it as root, and not in a closed container)")


def need_root(why: str) -> None:
    if os.geteuid() != 0:
        raise MissingError(f"root ({why}: sudo make torture)")


def need_strace() -> None:
    """A container may forbid to trace, though the program is there."""
    need("strace")
    if not _works(["strace", "-qq", "-e", "trace=none", "true"]):
        raise MissingError("the right to trace (in a container: --cap-add=SYS_PTRACE)")


def _works(argv: list[str]) -> bool:
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
