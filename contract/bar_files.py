"""The files of the bar that the installer must find again: settings, locks, and the entry that opens it at login."""

from __future__ import annotations

import sys

from contract import paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LABEL = "io.github.yourturn.menubar"
SCRIPT = b"yourturn.py"
SWITCHED_OFF = (b"Hidden=true", b"X-GNOME-Autostart-enabled=false")


def lock(home: str) -> str:
    """Held by the menubar as long as it lives; the number of its process stands in it."""
    return home + "/bar.lock"


def notify_lock(home: str) -> str:
    """Held by the one front end that sends notifications."""
    return home + "/notify.lock"


def settings(env: Mapping[str, str]) -> str:
    """What the person has chosen."""
    if env.get("YOURTURN_HOME") or sys.platform == "darwin":
        return paths.home(env) + "/config.toml"
    return _config_home(env) + "/yourturn/config.toml"


def login(env: Mapping[str, str], platform: str = sys.platform) -> str:
    """The file that opens the bar when a person logs in."""
    if platform == "darwin":
        return f"{paths.user_home(env)}/Library/LaunchAgents/{LABEL}.plist"
    return _config_home(env) + "/autostart/yourturn.desktop"


def opens_at_login(path: str) -> bool:
    """Desktops let people switch such a file off, and then leave it where it is."""
    try:
        data = store.read(path) or b""
    except OSError:
        return False
    lines = [line.replace(b" ", b"").rstrip() for line in data.splitlines()]
    return SCRIPT in data and not any(off in lines for off in SWITCHED_OFF)


def _config_home(env: Mapping[str, str]) -> str:
    """The XDG specification: a relative path is invalid and is to be ignored."""
    chosen = env.get("XDG_CONFIG_HOME", "")
    return chosen.rstrip("/") if chosen.startswith("/") else paths.user_home(env) + "/.config"
