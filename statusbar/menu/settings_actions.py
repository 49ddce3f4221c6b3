"""What the menu itself can do: change a setting, mute a project, open at login."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from contract import launch
from contract.clean import clean
from statusbar.menu.model import Deed
from statusbar.notifications import rules
from statusbar.settings import config, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from contract.status import SessionStatus
    from statusbar.menu.model import Choice

    Env = Mapping[str, str]

PATIENCE_S = 30.0
LONGEST = 300


def do(choice: Choice, session: SessionStatus | None, env: Env) -> str:
    """'' when it is done, else a sentence on why it is not."""
    deed = choice.deed
    try:
        return DEEDS[deed](choice, session, env) if isinstance(deed, Deed) else ""
    except (config.Refused, OSError, subprocess.SubprocessError) as error:
        return f"Could not {deed.value}: {clean(str(error), LONGEST)}"


def change_setting(choice: Choice, _session: SessionStatus | None, env: Env) -> str:
    config.change(settings.path(env), choice.setting, choice.value)
    return ""


def mute(choice: Choice, session: SessionStatus | None, env: Env) -> str:
    """A folder above it that is muted stays so: it may stand for more projects than this one."""
    if session is None:
        return "This session has ended."
    folder = os.path.normpath(session.cwd)
    config.edit(settings.path(env), "notify.mute", lambda folders: _muted(folders, folder, is_on=bool(choice.value)))
    if choice.value or not rules.is_muted(folder, settings.load(env).mute):
        return ""
    return "A folder above this project is muted. To change that: yourturn config notify.mute"


def open_at_login(choice: Choice, _session: SessionStatus | None, env: Env) -> str:
    """By a program of its own, because the installer is another room."""
    argv = [sys.executable, launch.FRONT_DOOR, "login", "on" if choice.value else "off"]
    nothing = subprocess.DEVNULL
    done = subprocess.run(
        argv, env=dict(env), stdin=nothing, stdout=nothing, stderr=subprocess.PIPE, timeout=PATIENCE_S, check=False
    )
    said = clean(done.stderr.decode("utf-8", "replace"), LONGEST).removeprefix("yourturn: ")
    return (said or f"Could not {choice.deed.value}: exit {done.returncode}") if done.returncode else ""


DEEDS: dict[Deed, Callable[[Choice, SessionStatus | None, Env], str]] = {
    Deed.SET: change_setting,
    Deed.MUTE: mute,
    Deed.LOGIN: open_at_login,
}


def _muted(folders: list[str], folder: str, *, is_on: bool) -> list[str]:
    others = [one for one in folders if os.path.normpath(os.path.expanduser(one)) != folder]
    return [*others, folder] if is_on else others
