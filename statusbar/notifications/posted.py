"""A notification that was sent: what the program that shows it says, whether it was clicked, and taking it away."""

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
    ending_s: float  # how long it may take to end once it has spoken
    said: bytes = b""
    is_over: bool = False  # the program has said all it had to say
    is_unwanted: bool = False  # to be taken away as soon as its number is known

    def fileno(self) -> int:
        """Readable when the program says something, or ends."""
        return self.process.stdout.fileno() if self.process.stdout and not self.is_over else -1

    @property
    def id(self) -> int:
        """Its number on the desktop; 0 if nobody has told it yet. A line that is cut off could be half a number."""
        found = ID.match(self.said) if b"\n" in self.said else None
        return int(found[1]) if found else 0

    @property
    def is_clicked(self) -> bool:
        return CLICKED.encode() in self.said.split()

    @property
    def has_failed(self) -> bool:
        return bool(self.is_over and self.process.returncode)

    def listen(self) -> None:
        """Waits until there is something to hear."""
        heard = os.read(self.fileno(), 1 << 12)
        self.said += heard
        if not heard or self.is_clicked:
            self._end(self.ending_s)

    def hurry(self, patience_s: float) -> None:
        """Hear its number now, if it has just been sent."""
        deadline = time.monotonic() + patience_s
        while not self.is_over and not self.id:
            if not select.select([self.fileno()], (), (), max(deadline - time.monotonic(), 0.0))[0]:
                return
            self.listen()

    def close(self) -> None:
        """Nobody waits for a click any more."""
        if not self.is_over:
            self.process.kill()
            self._end(None)

    def _end(self, patience_s: float | None) -> None:
        """It ends once it has spoken; one that does not is ended."""
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.is_over = True
