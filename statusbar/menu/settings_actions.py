"""What the menu itself can do: change a setting, mute a project, open at login."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from contract import launch, typed
from contract.clean import clean
from statusbar.menu.model import MenuAction
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
    """'' on success, else a sentence that says why it failed."""
    action = choice.action
    try:
        return FUNCTIONS[action](choice, session, env) if isinstance(action, MenuAction) else ""
    except (config.Refused, OSError, subprocess.SubprocessError) as error:
        return f"Could not {action.value}: {clean(str(error), LONGEST)}"


def change_setting(choice: Choice, _session: SessionStatus | None, env: Env) -> str:
    config.change(settings.path(env), choice.setting, choice.value)
    return ""


def mute(choice: Choice, session: SessionStatus | None, env: Env) -> str:
    """A muted folder above it stays muted: it may contain other projects."""
    if session is None:
        return "This session has ended."
    folder = os.path.normpath(session.cwd)
    config.edit(settings.path(env), "notify.mute", lambda folders: _muted(folders, folder, is_on=bool(choice.value)))
    if choice.value or not rules.is_muted(folder, settings.load(env).mute):
        return ""
    change = typed.command("config notify.mute", anywhere=True)
    return f"A folder above this project is muted too. To change that: {change}"


def open_at_login(choice: Choice, _session: SessionStatus | None, env: Env) -> str:
    """As a command, because this package may not import the installer."""
    argv = [sys.executable, launch.FRONT_DOOR, "login", "on" if choice.value else "off"]
    nothing = subprocess.DEVNULL
    done = subprocess.run(
        argv, env=dict(env), stdin=nothing, stdout=nothing, stderr=subprocess.PIPE, timeout=PATIENCE_S, check=False
    )
    error = clean(done.stderr.decode("utf-8", "replace"), LONGEST).removeprefix("yourturn: ")
    return (error or f"Could not {choice.action.value}: exit code {done.returncode}") if done.returncode else ""


FUNCTIONS: dict[MenuAction, Callable[[Choice, SessionStatus | None, Env], str]] = {
    MenuAction.SET: change_setting,
    MenuAction.MUTE: mute,
    MenuAction.LOGIN: open_at_login,
}


def _muted(folders: list[str], folder: str, *, is_on: bool) -> list[str]:
    others = [other for other in folders if os.path.normpath(os.path.expanduser(other)) != folder]
    return [*others, folder] if is_on else others
