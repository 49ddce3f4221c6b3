"""The files of open requests: `open/<id>.json`, which is shown, and `open/<id>.pipe`, through which the answer comes.

Both are there only as long as somebody waits: a request whose pipe nobody reads is over, however that came about.
"""

from __future__ import annotations

import posix
import time

from answers.request import decode, encode, is_id
from contract import paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from answers.request import Request

KIND, FIFO, REGULAR, OTHERS = 0o170000, 0o010000, 0o100000, 0o077  # of the mode of a file
OPEN = posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOFOLLOW
NOBODY_READS = 6  # ENXIO
LEFT = ("pipe", "json.tmp")
MOST = 200  # requests that are looked at
STALE_S = 60.0  # after which what has no request beside it was left by a hook that was killed as it began


class NobodyWaits(Exception):  # noqa: N818 - an expected outcome
    """There is no such request any more."""


class NotOurs(Exception):  # noqa: N818 - as above
    """What lies there was not made by us, or others may write to it."""


class PipeFull(Exception):  # noqa: N818 - as above
    """Somebody fills the pipe faster than it is read."""


def place(home: str) -> str:
    return paths.open_dir(home)


def new_id() -> str:
    with open("/dev/urandom", "rb", buffering=0) as source:
        return source.read(8).hex()


class Held:
    """The two files of a request, taken away on every way out."""

    def __init__(self, home: str, request: Request) -> None:
        self._folder, self.request = paths.open_dir(home), request
        self._file, self._pipe = _path(home, request.id, "json"), _path(home, request.id, "pipe")
        self.fd = self._kept = -1

    def __enter__(self) -> Self:
        store.private_folder(self._folder)
        store.close_to_others(self._folder)
        try:
            posix.mkfifo(self._pipe, 0o600)
            self.fd = posix.open(self._pipe, posix.O_RDONLY | OPEN)
            # With a writer of our own, the end of another one's line is not the end of all.
            self._kept = posix.open(self._pipe, posix.O_WRONLY | OPEN)
            _check(self.fd, FIFO)
            # The pipe has a reader before anybody can know of it.
            store.replace(self._file, encode(self.request))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Whoever was interrupted here calls it again."""
        for path in (self._file, self._file + ".tmp", self._pipe):
            store.remove(path)
        ends, self.fd, self._kept = (self.fd, self._kept), -1, -1
        for fd in ends:
            if fd >= 0:
                posix.close(fd)

    def is_there(self) -> bool:
        """Whether the file that is shown is still there: who removes it takes the request back."""
        return store.exists(self._file) and store.exists(self._pipe)


def requests(home: str) -> list[Request]:
    """All that are open, the oldest first. What a killed hook has left is taken away."""
    try:
        names = store.names(paths.open_dir(home), "")
    except OSError:  # a folder of somebody else
        return []
    shown = [id_ for name in names if name.endswith(".json") and is_id(id_ := name[: -len(".json")])]
    _sweep(home, names, set(shown))
    found = []
    for id_ in shown[:MOST]:
        try:
            found.append(find(home, id_))
        except NobodyWaits:
            _clear(home, id_)
        except (NotOurs, OSError):
            continue
    return sorted(found, key=lambda one: (one.at, one.id))


def find(home: str, id_: str) -> Request:
    """This request, if somebody still waits for its answer; NobodyWaits or NotOurs."""
    if not is_id(id_):
        raise NobodyWaits
    posix.close(writer(home, id_))
    request = decode(_read(_path(home, id_, "json")))
    if request is None or request.id != id_:
        raise NotOurs
    return request


def writer(home: str, id_: str) -> int:
    """A descriptor of the pipe's other end."""
    try:
        fd = posix.open(_path(home, id_, "pipe"), posix.O_WRONLY | OPEN)
    except FileNotFoundError:
        raise NobodyWaits from None
    except OSError as error:
        if error.errno == NOBODY_READS:
            raise NobodyWaits from None
        raise NotOurs from None  # a link, a folder, a file that may not be written to
    try:
        _check(fd, FIFO)
    except NotOurs:
        posix.close(fd)
        raise
    return fd


def _read(path: str) -> bytes:
    try:
        fd = posix.open(path, posix.O_RDONLY | OPEN)
    except FileNotFoundError:
        raise NobodyWaits from None
    except OSError:
        raise NotOurs from None
    try:
        _check(fd, REGULAR)
        return _whole(fd)
    finally:
        posix.close(fd)


def _whole(fd: int) -> bytes:
    """Of the very file that was checked: by now another one may have its name."""
    chunks, size = [], 0
    while chunk := posix.read(fd, 1 << 16):
        chunks.append(chunk)
        size += len(chunk)
        if size > store.LARGEST:
            raise NotOurs
    return b"".join(chunks)


def _check(fd: int, kind: int) -> None:
    seen = posix.fstat(fd)
    is_ours = seen.st_uid == posix.geteuid() and not seen.st_mode & OTHERS and seen.st_nlink == 1
    if seen.st_mode & KIND != kind or not is_ours:
        raise NotOurs


def _clear(home: str, id_: str) -> None:
    for suffix in ("json", "pipe"):
        store.remove(_path(home, id_, suffix))


def _sweep(home: str, names: list[str], shown: set[str]) -> None:
    """A pipe, or the half of a file, that a hook left which was killed before its request could be seen."""
    for name in names:
        id_, _, suffix = name.partition(".")
        if suffix in LEFT and is_id(id_) and id_ not in shown and _is_stale(_path(home, id_, suffix)):
            store.remove(_path(home, id_, suffix))


def _is_stale(path: str) -> bool:
    try:
        return time.time() - posix.lstat(path).st_mtime > STALE_S
    except OSError:
        return False


def _path(home: str, id_: str, suffix: str) -> str:
    return f"{paths.open_dir(home)}/{id_}.{suffix}"
