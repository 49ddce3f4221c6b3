"""The checks of hooks that Claude Code runs as a plugin. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import typed
from contract.clean import clean
from contract.version import VERSION
from installer.doctor.check import FAIL, OK, WARN, Check
from installer.hooks import entries

if TYPE_CHECKING:
    from contract.lack import Lack
    from installer.doctor.probes import Seen
    from installer.hooks.installed_plugin import Plugin

LONGEST = 200
FIRST_EVENT = "Send a prompt in Claude Code, then run doctor again."


def this_copy() -> str:
    return f"Run `{typed.command('up')}`: from then on the plugin's hooks start the watcher of this copy."


def hooks(seen: Seen, plugin: Plugin) -> Check:
    if entries.found_in(seen.settings or {}):
        words = "in the settings and in the plugin: each event is recorded twice"
        return Check("hooks", WARN, words, plugin.one_of_two)
    if plugin.project:
        words = f"by the plugin {plugin.id}, but only in {clean(plugin.project, LONGEST)}"
        return Check("hooks", WARN, words, f"To have it everywhere: `claude plugin install {plugin.id}`.")
    if plugin.version not in ("", VERSION):
        words = f"by the plugin {plugin.id}, version {clean(plugin.version, 20)}; this is {VERSION}"
        return Check("hooks", WARN, words, f"Run `claude plugin update {plugin.id}`, or update this copy.")
    return Check("hooks", OK, f"by the plugin {plugin.id}")


def interpreter(seen: Seen) -> Check:
    """Of the plugin alone; that of the settings is no business of it."""
    used, trouble = next(iter((seen.programs or {}).items()))
    if trouble:
        instead = typed.command("install")
        remedy = f"Let `python3` on PATH be Python 3.9 or newer; `{instead}` would do without it."
        return Check("interpreter", FAIL, trouble, remedy)
    return Check("interpreter", OK, f"{used.interpreter}, as `python3` on PATH")


def watcher(lack: Lack) -> Check:
    """Why the hooks cannot start one; whoever runs doctor has a copy that can."""
    return Check("watcher", FAIL, clean(lack.words, LONGEST), this_copy())
