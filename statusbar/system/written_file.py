"""A file that the person asked for, such as a picture: replaced as a whole, or left as it was."""

from __future__ import annotations

import os
import sys
import tempfile

EVERYBODY = 0o666


def write(path: str, data: bytes) -> None:
    """Like `-o` of other programs: what was there is replaced; - is the standard output. Links are followed."""
    if path == "-":
        sys.stdout.buffer.write(data)
        return
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:  # a pipe or a device; raises for a folder
            file.write(data)
        return
    path = os.path.realpath(path)
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else EVERYBODY & ~_umask()
    fd, beside = tempfile.mkstemp(prefix=f".{os.path.basename(path)[:100]}.", dir=os.path.dirname(path))
    try:
        with open(fd, "wb") as file:
            file.write(data)
        os.chmod(beside, mode)
        os.rename(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _umask() -> int:
    """It can only be asked for by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
