"""A client's file on disk: read, backed up next to itself, replaced atomically; links are followed."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from installer.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

BOM = b"\xef\xbb\xbf"
LARGEST = 64 << 20
PRIVATE = 0o600
MOST_PER_SECOND = 100


class Content(NamedTuple):
    """The content of a file; None if it does not exist."""

    data: bytes | None

    @property
    def text(self) -> str:
        """Without the byte order mark; UnicodeDecodeError if it is not UTF-8."""
        return (self.data or b"").removeprefix(BOM).decode("utf-8")

    @property
    def digest(self) -> str | None:
        return None if self.data is None else digest(self.data)

    def with_text(self, text: str) -> bytes:
        """The bytes of another text, with the same byte order mark or none."""
        return (BOM if (self.data or b"").startswith(BOM) else b"") + text.encode("utf-8")


@contextmanager
def refusing(doing: str) -> Iterator[None]:
    """Turn an error of the file system into a refusal that says what to do."""
    try:
        yield
    except OSError as error:
        in_the_way = _no_folder(error)
        if in_the_way:
            remedy = "Move it away, or name another folder, then try again."
            raise Refusal(f"{doing}: {in_the_way} is a file where a folder is needed.", remedy) from error
        where = f" ({error.filename})" if error.filename else ""
        remedy = "Check its owner and permissions, then try again."
        raise Refusal(f"{doing}: {error.strerror or error}{where}.", remedy) from error


def _no_folder(error: OSError) -> str | None:
    """The part of the error's path that should be a folder, but is not."""
    if not isinstance(error, NotADirectoryError | FileExistsError) or not isinstance(error.filename, str):
        return None
    path = error.filename if isinstance(error, FileExistsError) else os.path.dirname(error.filename)
    while path != os.path.dirname(path) and not os.path.lexists(path):
        path = os.path.dirname(path)
    return None if os.path.isdir(path) else path


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read(path: str) -> Content:
    """A missing file and a broken link are the same: no content."""
    try:
        # O_NONBLOCK, because opening a named pipe would wait for ever.
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refusal(f"{path} is not a regular file.", "Move it away and try again.")
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return Content(None)
    except IsADirectoryError:
        raise Refusal(f"{path} is a directory.", "Move it away and try again.") from None
    if len(data) > LARGEST:
        raise Refusal(f"{path} is larger than {LARGEST >> 20} MB.", "That is not a settings file; move it away.")
    return Content(data)


def read_unlinked(path: str) -> Content:
    """For a file that only yourturn writes.

    A link, or anything but a regular file, was put there by somebody else: it is neither followed nor read.
    """
    try:
        return Content(b"") if os.path.islink(path) else read(path)
    except NotADirectoryError:
        return Content(None)
    except (OSError, Refusal):
        return Content(b"")


def check_writable(path: str) -> None:
    """A rename could replace a read-only file, but somebody made it read-only on purpose."""
    target = os.path.realpath(path)
    if not is_writable(path):
        link = f" (a link to {target})" if os.path.islink(path) else ""
        raise Refusal(f"{path}{link} is read-only.", "Make it writable, or add the hooks where it is generated.")


def is_writable(path: str) -> bool:
    target = os.path.realpath(path)
    return not os.path.exists(target) or os.access(target, os.W_OK)


def back_up(path: str, content: Content, now: float) -> str | None:
    """Save what was read in a new dated file next to it, with its mode; never overwrite an older backup."""
    if content.data is None:
        return None
    stem = f"{path}.yourturn-{time.strftime('%Y%m%d-%H%M%S', time.localtime(now))}"
    mode = stat.S_IMODE(os.stat(path).st_mode)
    for name in (f"{stem}.bak", *(f"{stem}-{n}.bak" for n in range(1, MOST_PER_SECOND))):
        with suppress(FileExistsError):
            fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
            with _gone_on_failure(name):
                _write(fd, content.data, mode)
            return name
    raise FileExistsError(errno.EEXIST, "too many backups in one second", stem)


def replace(path: str, data: bytes, expected: Content) -> None:
    """Replace what was read by these bytes, atomically; a link stays, and its target is replaced.

    Refuses if the file has changed since: a client saves its settings whenever the person changes one.
    """
    target = os.path.realpath(path)
    if not os.path.islink(path):
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    check_writable(path)
    fd, beside = tempfile.mkstemp(prefix=".yourturn-", suffix=".tmp", dir=os.path.dirname(target))
    with _gone_on_failure(beside):
        _write(fd, data, _take_over_owner(target, fd))
        _same_or_refuse(path, expected)
        os.replace(beside, target)
    _sync_folder(os.path.dirname(target))


def remove(path: str, expected: Content) -> None:
    """Remove what was read; a link stays and is broken, as before."""
    target = os.path.realpath(path)
    check_writable(path)
    _same_or_refuse(path, expected)
    os.unlink(target)
    _sync_folder(os.path.dirname(target))


def missing_folders(path: str) -> tuple[str, ...]:
    """The folders that must be made before this file can be, the outermost first."""
    missing: tuple[str, ...] = ()
    folder = os.path.dirname(path)
    while folder != os.path.dirname(folder) and not os.path.lexists(folder):
        missing, folder = (folder, *missing), os.path.dirname(folder)
    return missing


def remove_folders(made: tuple[str, ...]) -> None:
    """Those of them that are empty."""
    for folder in reversed(made):
        with suppress(OSError):
            os.rmdir(folder)


@contextmanager
def _gone_on_failure(path: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise


def _same_or_refuse(path: str, expected: Content) -> None:
    if read(path) != expected:
        raise Refusal(f"{path} was changed by another program just now.", "Nothing was written; run this again.")


def _take_over_owner(target: str, fd: int) -> int:
    """Give the new file the owner of the old one, if permitted; return the old one's mode."""
    try:
        was = os.stat(target)
    except FileNotFoundError:
        return PRIVATE
    if (was.st_uid, was.st_gid) != (os.getuid(), os.getgid()):
        with suppress(PermissionError):
            os.fchown(fd, was.st_uid, was.st_gid)
    return stat.S_IMODE(was.st_mode)


def _write(fd: int, data: bytes, mode: int) -> None:
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fchmod(fd, mode)
        os.fsync(fd)


def _sync_folder(folder: str) -> None:
    """So that a power cut does not undo the renaming. Some file systems do not support it."""
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
