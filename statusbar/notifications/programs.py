"""A screen without a bus: a program of the desktop shows each notification, started with arguments, never a shell."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL
from statusbar.notifications.message import APP, markup, named
from statusbar.notifications.screen import Happened, Shown, What
from statusbar.system import osascript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from statusbar.notifications.rules import Notice
    from statusbar.notifications.screen import Sound

MOST = 12  # programs at once; each should end at once
MAC_SOUND = "Glass"
SCRIPT = """
on run argv
  set {aTitle, aBody, aSound} to {item 2 of argv, item 3 of argv, item 4 of argv}
  if aSound is "" then
    display notification aBody with title aTitle
  else
    display notification aBody with title aTitle sound name aSound
  end if
end run
"""


def with_osascript(notice: Notice, sound: Sound) -> list[str]:
    """Names of freedesktop sounds have a dash, and those of macOS have none."""
    own = sound if isinstance(sound, str) and "-" not in sound else MAC_SOUND if sound else ""
    return osascript.argv(SCRIPT, notice.title, notice.body, own)


def with_notify_send(notice: Notice, sound: Sound) -> list[str]:
    """Title and body come from outside: each is one argument that cannot be an option, markup or code."""
    urgency = "critical" if notice.state == NEEDS_APPROVAL else "normal"
    hint = f"string:sound-name:{named(sound)}" if sound else "boolean:suppress-sound:true"
    options = [f"--app-name={APP}", f"--urgency={urgency}", f"--hint={hint}"]
    # notify-send reads escapes in the body, and \074 would be a < again.
    return ["notify-send", *options, "--", notice.title, markup(notice.body).replace("\\", "\\\\")]


class ByProgram:
    """What it shows can be neither clicked nor withdrawn."""

    def __init__(self, argv: Callable[[Notice, Sound], list[str]]) -> None:
        self._argv = argv
        self._running: list[tuple[Shown, subprocess.Popen[bytes]]] = []

    def show(self, shown: Shown, *, sound: Sound) -> bool:
        nothing = subprocess.DEVNULL
        try:
            argv = self._argv(shown.notice, sound)
            process = subprocess.Popen(argv, stdin=nothing, stdout=nothing, stderr=nothing)
        except (OSError, ValueError):
            return False
        self._running.append((shown, process))
        while len(self._running) > MOST:
            _end(self._running.pop(0)[1], 0.0)
        return True

    def replace(self, shown: Shown) -> None: ...

    def withdraw(self, shown: Shown) -> None: ...

    def descriptors(self) -> list[int]:
        return []

    def read(self, _ready: Iterable[int]) -> list[Happened]:
        ended = [pair for pair in self._running if pair[1].poll() is not None]
        self._running = [pair for pair in self._running if pair not in ended]
        return [Happened(What.FAILED if process.returncode else What.IS_SHOWN, shown) for shown, process in ended]

    def close(self, patience_s: float) -> None:
        while self._running:
            _end(self._running.pop()[1], patience_s)


def _end(process: subprocess.Popen[bytes], patience_s: float) -> None:
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
