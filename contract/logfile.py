"""The log of a process that runs in the background: bounded, private, and without a value of what went wrong."""

from __future__ import annotations

import logging
import logging.handlers
import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from contract import fault

if TYPE_CHECKING:
    from io import TextIOWrapper
    from types import TracebackType

LIMIT = 256 << 10  # bytes, and of one predecessor
FORMAT = "%(asctime)s %(levelname)s %(message)s"
LONGEST = 4 << 10  # of one entry

log = logging.getLogger("yourturn")


class Plain(logging.Formatter):
    """An error is told by its kind and its way; one entry stays one entry, however long what it names is."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

    def formatException(  # noqa: N802 - logging's own name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        return "\n".join(fault.trace(ei[1])) if ei[1] else ""


class Handler(logging.handlers.RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        """A link that lies in its place is not followed."""
        return open(self.baseFilename, "a", encoding="utf-8", errors="replace", opener=_private)


def start(path: str, *, verbose: bool = False) -> None:
    """`verbose`: on standard error too."""
    # Else a full disk would be told on standard error with everything that was to be written.
    logging.raiseExceptions = False
    file = Handler(path, maxBytes=LIMIT, backupCount=1)
    os.chmod(path, 0o600)
    handlers: list[logging.Handler] = [file, *([logging.StreamHandler()] if verbose else [])]
    for handler in handlers:
        handler.setFormatter(Plain(FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
    threading.excepthook = _thread_crashed


def bound(path: str) -> None:
    """Empty a file that somebody else appends to, once it is too large."""
    with suppress(OSError):
        if os.lstat(path).st_size > LIMIT:
            os.close(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW))


def _thread_crashed(told: threading.ExceptHookArgs) -> None:
    if told.exc_value:
        log.error("a thread crashed", exc_info=told.exc_value)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)
