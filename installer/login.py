"""`yourturn login`: whether the icon opens at login, and turning that on and off."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from contract import bar_files, installation, paths, typed
from installer.hooks import settings_file
from installer.hooks.program import PROJECT
from installer.hooks.settings_file import Content
from installer.refusal import Refusal
from installer.services import autostart, job, launchd, manager
from installer.services.job import Job

if TYPE_CHECKING:
    from collections.abc import Mapping

    from installer.console import Console
    from installer.hooks.program import Program

MENUBAR = f"{PROJECT}/launchd/{bar_files.LABEL}.plist"
# What the icon is drawn with: the module, and the package that has it.
NEEDED = {"darwin": ("rumps", "rumps")}
NEEDED_ELSEWHERE = ("dbus_fast", "dbus-fast")


class Entry(NamedTuple):
    """The file that opens the icon at login, as it is on this machine."""

    platform: str
    path: str
    content: Content = Content(None)
    job: Job | None = None
    """What it starts; None if there is no file, or it was not written by yourturn."""

    @property
    def is_foreign(self) -> bool:
        return self.job is None and self.content.data is not None

    @property
    def is_on(self) -> bool:
        """False also if the person has turned it off in the desktop's settings."""
        return self.job is not None and bar_files.opens_at_login(self.path)


def look(environ: Mapping[str, str], platform: str = sys.platform) -> Entry:
    path = bar_files.login(environ, platform)
    content = settings_file.read_unlinked(path)
    starts = _read(content.data, paths.user_home(environ), platform) if content.data else None
    return Entry(platform, path, content, starts)


def run(word: str | None, program: Program, environ: Mapping[str, str], console: Console, *, as_json: bool) -> int:
    """Turn it on or off if asked to, then print the setting."""
    entry = look(environ)
    if word == "on":
        switch_on(entry, program, environ)
    elif word == "off":
        switch_off(entry)
    entry = look(environ)
    console.say(json.dumps(_state(entry)) if as_json else _words(entry))
    return 0


def switch_on(entry: Entry, program: Program, environ: Mapping[str, str]) -> None:
    """Only writes the file. Loading it into launchd now would open a second icon, or fail."""
    if entry.is_foreign:
        raise Refusal(f"{entry.path} was not written by yourturn.", "Move it away, then run this again.")
    module, package = NEEDED.get(entry.platform, NEEDED_ELSEWHERE)
    if importlib.util.find_spec(module) is None:
        raise Refusal(f"The icon needs {package}, which is not installed.", f"Run: {installation.adding(package)}")
    data = wanted(entry, program, environ)
    with settings_file.refusing("Could not write the login entry"):
        if entry.content.data != data:
            settings_file.replace(entry.path, data, entry.content)
    if entry.platform == "darwin":  # launchd remembers a disabled agent even without its file
        manager.ask(environ, ("launchctl", "enable", f"gui/{os.getuid()}/{bar_files.LABEL}"))


def switch_off(entry: Entry) -> None:
    """Only removes the file. Unloading it from launchd would end the icon, and with it this command."""
    if entry.is_foreign:
        raise Refusal(f"{entry.path} was not written by yourturn.", "Remove it yourself if you do not need it.")
    if entry.job is None:
        return
    with settings_file.refusing("Could not remove the login entry"):
        settings_file.remove(entry.path, entry.content)
    if entry.platform != "darwin":
        for folder in (os.path.dirname(entry.path), os.path.dirname(os.path.dirname(entry.path))):
            with suppress(OSError):
                os.rmdir(folder)


def wanted(entry: Entry, program: Program, environ: Mapping[str, str]) -> bytes:
    """The file as it should be."""
    script = os.path.join(os.path.dirname(program.script), job.ENTRY_SCRIPT)
    is_mac = entry.platform == "darwin"
    ours = Job(program.interpreter, script, paths.home(environ), _variables(environ, is_mac=is_mac))
    job.check(ours, job.ONLY_MOVE)
    with settings_file.refusing("This copy of yourturn is incomplete"):
        template = settings_file.read(MENUBAR if is_mac else autostart.TEMPLATE).data or b""
    return launchd.write(template, ours) if is_mac else autostart.write(template, ours)


def _read(data: bytes, user_home: str, platform: str) -> Job | None:
    if platform == "darwin":
        return launchd.read(data, user_home, bar_files.LABEL, "up")
    return autostart.read(data, user_home)


def _variables(environ: Mapping[str, str], *, is_mac: bool) -> dict[str, str]:
    """A desktop session may not have the variables that are set in a terminal."""
    chosen = {name: place(environ) for name, place in job.PLACES.items() if environ.get(name)}
    if is_mac:
        return {**chosen, "PATH": environ.get("PATH", os.defpath)}
    folders = {name: environ.get(name, "") for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    return {**chosen, **{name: path for name, path in folders.items() if path.startswith("/")}}


def _state(entry: Entry) -> dict[str, object]:
    ours = None if entry.content.data is None else not entry.is_foreign
    return {"v": 1, "on": entry.is_on, "path": entry.path, "ours": ours}


def _words(entry: Entry) -> str:
    if entry.is_foreign:
        return f"{entry.path} was not written by yourturn, and was not changed."
    if entry.is_on:
        return f"yourturn opens at login ({entry.path})."
    return f"yourturn does not open at login. To change that: {typed.command('login on')}"
