"""Shows a notification on the desktop, with the desktop's own program; started with arguments, never a shell."""

from __future__ import annotations

import shutil
import subprocess
import sys
from enum import Enum
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL
from statusbar.system import bus, osascript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statusbar.notifications.rules import Notice

APP, CLICKED = "yourturn", "default"
SOUND, MAC_SOUND = "message-new-instant", "Glass"
PATIENCE_S = 3.0
BUS = "org.freedesktop.Notifications"
CLOSE = f"{BUS}.CloseNotification"
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


class Way(Enum):
    """The ways to show a notification, the best first."""

    OSASCRIPT = "Notification Center"
    CLICKABLE = "desktop notifications that can be clicked"
    GDBUS = "desktop notifications over D-Bus"
    NOTIFY_SEND = "desktop notifications"  # an old version, which does not print the id needed to remove them
    BELL = "the terminal bell"


def way(env: Mapping[str, str], platform: str = sys.platform) -> Way:
    if platform == "darwin":
        return Way.OSASCRIPT if shutil.which("osascript") else Way.BELL
    if not has_bus(env):
        return Way.BELL
    has_notify_send = bool(shutil.which("notify-send"))
    if has_notify_send and _takes_actions():
        return Way.CLICKABLE
    if shutil.which("gdbus"):
        return Way.GDBUS
    return Way.NOTIFY_SEND if has_notify_send else Way.BELL


def has_bus(env: Mapping[str, str]) -> bool:
    """Whether there is a session bus: named in the environment, or in its usual place."""
    return bool(bus.address(env))


def argv(how: Way, notice: Notice, *, sound: bool) -> list[str]:
    """Title and body come from outside: each is one argument that cannot be an option, markup or code."""
    if how is Way.OSASCRIPT:
        return osascript.argv(SCRIPT, notice.title, notice.body, MAC_SOUND if sound else "")
    if how is Way.GDBUS:
        return _gdbus(notice, sound=sound)
    urgent = notice.state == NEEDS_APPROVAL
    options = [f"--app-name={APP}", f"--urgency={'critical' if urgent else 'normal'}"]
    options += [f"--hint=string:sound-name:{SOUND}"] if sound else []
    options += ["--print-id"] if how is not Way.NOTIFY_SEND else []
    options += [f"--action={CLICKED}=Go to the terminal"] if how is Way.CLICKABLE and notice.session_id else []
    # notify-send reads escapes in the body, and \074 would be a < again.
    return ["notify-send", *options, "--", notice.title, markup(notice.body).replace("\\", "\\\\")]


def closing(number: int) -> list[str] | None:
    """The command that removes a notification from the screen; None if no program for it is installed."""
    path = "/" + BUS.replace(".", "/")
    for argv in (
        ["gdbus", "call", "--session", "--dest", BUS, "--object-path", path, "--method", CLOSE, f"uint32 {number}"],
        ["busctl", "--user", "call", BUS, path, BUS, "CloseNotification", "u", str(number)],
        ["dbus-send", "--session", "--type=method_call", f"--dest={BUS}", path, CLOSE, f"uint32:{number}"],
    ):
        if shutil.which(argv[0]):
            return argv
    return None


def take_away(number: int) -> subprocess.Popen[bytes] | None:
    """Remove a notification from the screen; nobody needs to wait for the program. None if there is none."""
    argv, nothing = closing(number), subprocess.DEVNULL
    try:
        return subprocess.Popen(argv, stdin=nothing, stdout=nothing, stderr=nothing) if argv else None
    except OSError:
        return None


def markup(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def show(how: Way, notice: Notice, *, sound: bool) -> subprocess.Popen[bytes] | None:
    """The program that shows it, and prints whether it was clicked; None if there is none."""
    if how is Way.BELL:
        return None
    nothing = subprocess.DEVNULL
    try:
        return subprocess.Popen(argv(how, notice, sound=sound), stdin=nothing, stdout=subprocess.PIPE, stderr=nothing)
    except (OSError, ValueError):
        return None


def _takes_actions() -> bool:
    argv = ["notify-send", "--help"]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--action" in done.stdout and b"--print-id" in done.stdout


def _gdbus(notice: Notice, *, sound: bool) -> list[str]:
    """Gdbus reads each argument as a value in GVariant's notation."""
    hints = ", ".join(
        [f"'urgency': <byte {2 if notice.state == NEEDS_APPROVAL else 1}>"] + [f"'sound-name': <'{SOUND}'>"] * sound
    )
    values = (APP, "0", "", notice.title, markup(notice.body))
    texts = [value if value == "0" else _gvariant(value) for value in values]
    call = ["gdbus", "call", "--session", "--dest", BUS, "--object-path", "/" + BUS.replace(".", "/")]
    return [*call, "--method", f"{BUS}.Notify", *texts, "@as []", f"{{{hints}}}", "int32 -1"]


def _gvariant(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
