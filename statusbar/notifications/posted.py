"""A notification that was sent: what the program that shows it prints, and whether it was clicked."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from statusbar.notifications.desktop import CLICKED

if TYPE_CHECKING:
    from statusbar.notifications.rules import Notice

ID = re.compile(rb"(?:\(uint32 )?(\d+)\b")  # as notify-send and gdbus print it


@dataclass
class Posted:
    notice: Notice
    process: subprocess.Popen[bytes]
    ending_s: float  # how long the program may take to end once it has printed its result
    printed: bytes = b""
    is_over: bool = False  # the program has ended
    is_unwanted: bool = False  # to be removed from the screen as soon as its id is known

    def fileno(self) -> int:
        """Readable when the program prints something, or ends."""
        return self.process.stdout.fileno() if self.process.stdout and not self.is_over else -1

    @property
    def id(self) -> int:
        """Its number on the desktop; 0 while unknown. An incomplete line could be half a number."""
        match = ID.match(self.printed) if b"\n" in self.printed else None
        return int(match[1]) if match else 0

    @property
    def is_clicked(self) -> bool:
        return CLICKED.encode() in self.printed.split()

    @property
    def has_failed(self) -> bool:
        return bool(self.is_over and self.process.returncode)

    def read(self) -> None:
        """Waits until there is something to read."""
        data = os.read(self.fileno(), 1 << 12)
        self.printed += data
        if not data or self.is_clicked:
            self._end(self.ending_s)

    def read_id(self, patience_s: float) -> None:
        """Wait for the id of a notification that has just been sent."""
        deadline = time.monotonic() + patience_s
        while not self.is_over and not self.id:
            if not select.select([self.fileno()], (), (), max(deadline - time.monotonic(), 0.0))[0]:
                return
            self.read()

    def close(self) -> None:
        """Stop waiting for a click."""
        if not self.is_over:
            self.process.kill()
            self._end(None)

    def _end(self, patience_s: float | None) -> None:
        """Wait for the program to end by itself; kill it if it does not."""
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.is_over = True
