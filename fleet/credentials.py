"""Who we are for a broker: user and password, or a certificate, from a file that nobody else can read."""

from __future__ import annotations

import os
import stat
import tomllib
from typing import NamedTuple

FIELDS = ("user", "password", "certificate", "key")
FORM = 'it must have lines such as user = "box" and password = "…", or certificate = "FILE" and key = "FILE"'
LARGEST = 64 << 10


class Unusable(Exception):  # noqa: N818 - an expected outcome
    """Why a file of credentials cannot be used. No value of it is in here."""


class Credentials(NamedTuple):
    user: str = ""
    password: str = ""
    certificate: str = ""  # files
    key: str = ""

    def __repr__(self) -> str:
        return "Credentials(…)"


def read(path: str) -> Credentials:
    """No file: none. Raises Unusable."""
    if not path:
        return Credentials()
    found = _parsed(path)
    for name in ("certificate", "key"):
        if file := getattr(found, name):
            _look_at(file, is_secret=name == "key")
    return found


def _parsed(path: str) -> Credentials:
    try:
        raw = tomllib.loads(_private(path).decode())
    except (OSError, ValueError, RecursionError):  # whose words may quote the file
        raise Unusable(f"{path} cannot be read as TOML: {FORM}") from None
    if not raw or any(name not in FIELDS or not isinstance(value, str) for name, value in raw.items()):
        raise Unusable(f"{path} has something else than {', '.join(FIELDS)} in it: {FORM}")
    return Credentials(**raw)


def _private(path: str) -> bytes:
    """Of the very file that was checked: another one may have its name by then."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would keep us waiting
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from None
    try:
        _check(path, os.fstat(fd), is_secret=True)
        return os.read(fd, LARGEST)
    finally:
        os.close(fd)


def _look_at(path: str, *, is_secret: bool) -> None:
    try:
        _check(path, os.stat(path), is_secret=is_secret)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from None


def _check(path: str, seen: os.stat_result, *, is_secret: bool) -> None:
    if not stat.S_ISREG(seen.st_mode):
        raise Unusable(f"{path} is no file")
    if is_secret and (seen.st_mode & 0o077 or seen.st_uid not in (os.geteuid(), 0)):
        raise Unusable(f"{path} can be read by others, or is not yours. To close it: chmod 600 {path}")
