"""The only file I/O of the contract: lock, read, replace, list.

Written over `posix`, because `os` is the same calls plus a millisecond that every hook would pay.
"""

from __future__ import annotations

import fcntl
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

LARGEST = 8 << 20
PATIENCE_S = 5.0
KIND, LINK, OTHERS = 0o170000, 0o120000, 0o077  # of the mode of a file


class BusyError(OSError):
    """Somebody else kept the lock for longer than we can wait."""


class ForeignError(PermissionError):
    """A folder of another user: what we left in it would be in their way, and they could read it."""

    def __init__(self, folder: str) -> None:
        super().__init__(1, "it belongs to another user: run yourturn as that user", folder)


class Locked:
    """The lock beside a data file, `<path>.lock`: the same `flock` that filelock's FileLock takes on that path.

    The data file itself cannot carry the lock, because `replace` swaps it. The lock file may be removed with its
    data by its holder, so a lock that was won on a file no longer there is won again on the new one.
    """

    __slots__ = ("alone", "data", "fd", "has_flock")

    def __init__(self, path: str, *, alone: bool = False) -> None:
        """`alone`: this process has one thread and this one job, so it may use alarms to stand in line."""
        self.data = path
        self.alone = alone
        self.has_flock = True
        self.fd = -1

    def __enter__(self) -> Self:
        while True:
            self.fd = _open_private(self.data + ".lock", posix.O_RDWR | posix.O_CREAT)
            try:
                self._win()
                if not self.has_flock or _is_still(self.data + ".lock", self.fd):
                    return self
            except BaseException:
                posix.close(self.fd)
                raise
            posix.close(self.fd)

    def _win(self) -> None:
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            from contract import lock_waiting  # noqa: PLC0415 - the usual hook does not wait

            lock_waiting.win(self.fd, self.data, alone=self.alone)
        except OSError as error:
            from contract import heldfile  # noqa: PLC0415 - on some network file systems

            if error.errno not in heldfile.NO_FLOCK:
                raise
            held = heldfile.take(self.data)
            posix.close(self.fd)
            self.fd, self.has_flock = held, False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.has_flock:
            posix.close(self.fd)
            return
        from contract import heldfile  # noqa: PLC0415 - as above

        heldfile.release(self.data, self.fd)


def is_locked(path: str) -> bool:
    """Whether somebody holds the lock file at this very path, asked without waiting."""
    try:
        fd = posix.open(path, posix.O_RDWR | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        # Shared, so that two who ask at the same moment do not take each other for the holder.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        posix.close(fd)
    return False


def take(path: str) -> int | None:
    """Take a lock file at this very path without waiting; its descriptor is the lock. None if somebody has it."""
    fd = _open_private(path, posix.O_RDWR | posix.O_CREAT)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        posix.close(fd)
        return None
    return fd


def read(path: str) -> bytes | None:
    """The whole of a regular file of bounded size; None if there is none. Links are not followed."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except FileNotFoundError:
        return None
    try:
        chunks = []
        size = 0
        while chunk := posix.read(fd, 1 << 16):
            chunks.append(chunk)
            size += len(chunk)
            if size > LARGEST:
                raise OSError(27, "file too large", path)
        return b"".join(chunks)
    finally:
        posix.close(fd)


def replace(path: str, data: bytes, *, durable: bool = False) -> None:
    """Put new content in place at once: a reader sees the old one or the new one, whole.

    Callers hold the lock or are the file's only writer, so the temporary name is fixed, and what is found there was
    left by a killed writer, or put there by somebody else. It is removed and never written to: it may be another name
    of a file that is none of ours. `durable` waits for the disk; facts and statuses do without, because after a power
    cut the agents they speak of are gone too.
    """
    beside = path + ".tmp"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL
    try:
        fd = _open_private(beside, flags)
    except FileExistsError:
        remove(beside)
        fd = _open_private(beside, flags)
    try:
        try:
            _write_all(fd, data)
            if durable:
                posix.fsync(fd)
        finally:
            posix.close(fd)
        posix.rename(beside, path)
    except OSError:
        remove(beside)
        raise


def append(path: str, line: bytes, *, limit: int) -> bool:
    """Add a line to a log that keeps itself and one predecessor below the limit; whether the next one begins a file.

    What is another name of a file that is none of ours is removed and not written to.
    """
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND
    fd = _open_private(path, flags)
    if posix.fstat(fd).st_nlink > 1:
        posix.close(fd)
        remove(path)
        fd = _open_private(path, flags)
    try:
        _write_all(fd, line)
        full = posix.fstat(fd).st_size >= limit
    finally:
        posix.close(fd)
    if full:
        posix.rename(path, path + ".1")
    return full


def exists(path: str) -> bool:
    try:
        posix.lstat(path)
    except OSError:
        return False
    return True


def remove(path: str) -> bool:
    """Whether there was something to remove."""
    try:
        posix.unlink(path)
    except OSError:
        return False
    return True


def set_aside(path: str) -> None:
    """Keep what cannot be read for a person to look at, out of the way."""
    posix.rename(path, path + ".bad")


def signature(file: posix.stat_result) -> tuple[int, int, int]:
    """Another one when the file has been replaced or written to."""
    return file.st_mtime_ns, file.st_size, file.st_ino


def signature_of(path: str) -> tuple[int, int, int] | None:
    """None if there is nothing to see. Links are followed."""
    try:
        return signature(posix.stat(path))
    except OSError:
        return None


def names(folder: str, suffix: str = ".json") -> list[str]:
    """The data files of a folder, sorted; none if there is no folder."""
    try:
        return sorted([name for name in posix.listdir(folder) if name.endswith(suffix)])
    except (FileNotFoundError, NotADirectoryError):
        return []


def private_folder(path: str) -> None:
    """Make a folder, and those above it that are missing, for their owner only; one of another user is refused."""
    _make_folders(path)
    if _owner(path) != posix.geteuid():
        raise ForeignError(path)


def _make_folders(path: str) -> None:
    try:
        _make_folder(path)
    except FileNotFoundError:
        parent = path.rpartition("/")[0]
        if not parent:
            raise
        _make_folders(parent)
        # Once only: below /proc, or behind a link to nowhere, the parent is there and the folder can never be.
        _make_folder(path)


def _make_folder(path: str) -> None:
    """Root makes none in a folder of somebody else: `sudo` may keep the home of the person who used it."""
    parent = path.rpartition("/")[0] or "/"
    if posix.geteuid() == 0 and _owner(parent) and not exists(path):
        raise ForeignError(parent)
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return


def _owner(path: str) -> int | None:
    try:
        return posix.stat(path).st_uid
    except FileNotFoundError:
        return None


def close_to_others(folder: str, *, may_be_link: bool = False) -> None:
    """Nobody but its owner may look into it, or put something there for us to find; and its owner is who we are."""
    seen = posix.stat(folder) if may_be_link else posix.lstat(folder)
    if seen.st_uid != posix.geteuid() or seen.st_mode & KIND == LINK:
        raise ForeignError(folder)
    if seen.st_mode & OTHERS:
        posix.chmod(folder, 0o700)


def _open_private(path: str, flags: int) -> int:
    """For a writer. Nothing is made in a folder of another user."""
    folder = path.rpartition("/")[0] or "/"
    if _owner(folder) not in (posix.geteuid(), None):
        raise ForeignError(folder)
    return posix.open(path, flags | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK, 0o600)


def _is_still(path: str, fd: int) -> bool:
    try:
        there = posix.stat(path)
    except FileNotFoundError:
        return False
    here = posix.fstat(fd)
    return (there.st_ino, there.st_dev) == (here.st_ino, here.st_dev)


def _write_all(fd: int, data: bytes) -> None:
    """`write` may take less than it was given; a half-written record must never be put in place."""
    view = memoryview(data)
    while view:
        view = view[posix.write(fd, view) :]
