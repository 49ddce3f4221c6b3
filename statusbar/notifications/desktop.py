"""A notification on the desktop of this machine: by its own program, with arguments and never a shell."""

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
    """How a notice gets to a person, the best first."""

    OSASCRIPT = "Notification Center"
    CLICKABLE = "desktop notifications that can be clicked"
    GDBUS = "desktop notifications over D-Bus"
    NOTIFY_SEND = "desktop notifications"  # an old one: it does not tell by which number they can be taken away
    BELL = "the bell of this terminal"


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
    """The desktop's own: named, or where it lies by convention."""
    return bool(bus.address(env))


def argv(how: Way, notice: Notice, *, sound: bool) -> list[str]:
    """Title and body come from outside: each is one argument that cannot be an option, nor markup, nor code."""
    if how is Way.OSASCRIPT:
        return osascript.argv(SCRIPT, notice.title, notice.body, MAC_SOUND if sound else "")
    if how is Way.GDBUS:
        return _gdbus(notice, sound=sound)
    urgent = notice.state == NEEDS_APPROVAL
    words = ["notify-send", f"--app-name={APP}", f"--urgency={'critical' if urgent else 'normal'}"]
    words += [f"--hint=string:sound-name:{SOUND}"] if sound else []
    words += ["--print-id"] if how is not Way.NOTIFY_SEND else []
    words += [f"--action={CLICKED}=Go there"] if how is Way.CLICKABLE and notice.session_id else []
    # notify-send reads escapes in the body, and \074 would be a < again.
    return [*words, "--", notice.title, markup(notice.body).replace("\\", "\\\\")]


def closing(number: int) -> list[str] | None:
    """How the desktop is told to take a notification away; None if nothing here can tell it."""
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
    """By a program that nobody needs to wait for; None if there is none."""
    argv, nothing = closing(number), subprocess.DEVNULL
    try:
        return subprocess.Popen(argv, stdin=nothing, stdout=nothing, stderr=nothing) if argv else None
    except OSError:
        return None


def markup(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def show(how: Way, notice: Notice, *, sound: bool) -> subprocess.Popen[bytes] | None:
    """The program that shows it, whose words say whether it was clicked; None if there is none."""
    if how is Way.BELL:
        return None
    nothing = subprocess.DEVNULL
    try:
        return subprocess.Popen(argv(how, notice, sound=sound), stdin=nothing, stdout=subprocess.PIPE, stderr=nothing)
    except (OSError, ValueError):
        return None


def _takes_actions() -> bool:
    asked = ["notify-send", "--help"]
    try:
        said = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--action" in said.stdout and b"--print-id" in said.stdout


def _gdbus(notice: Notice, *, sound: bool) -> list[str]:
    """It reads each argument as a value in GVariant's own notation."""
    hints = ", ".join(
        [f"'urgency': <byte {2 if notice.state == NEEDS_APPROVAL else 1}>"] + [f"'sound-name': <'{SOUND}'>"] * sound
    )
    values = (APP, "0", "", notice.title, markup(notice.body))
    texts = [value if value == "0" else _gvariant(value) for value in values]
    call = ["gdbus", "call", "--session", "--dest", BUS, "--object-path", "/" + BUS.replace(".", "/")]
    return [*call, "--method", f"{BUS}.Notify", *texts, "@as []", f"{{{hints}}}", "int32 -1"]


def _gvariant(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
