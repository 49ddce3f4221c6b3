"""`yourturn install`: adds the hooks to the settings, creates the state folder, compiles the hook."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from contract import store, typed
from installer import record
from installer.doctor import state_folder
from installer.hooks import change, disabled, entries, installed_plugin, settings, settings_file
from installer.record import Installed, Record
from installer.refusal import REFUSED, Refusal

if TYPE_CHECKING:
    from installer.console import Console
    from installer.hooks.change import Change
    from installer.hooks.installed_plugin import Plugin
    from installer.hooks.program import Program
    from installer.place import Place, Wish

COMPILE_TIMEOUT_S = 60
IMPORTED_BY_THE_HOOK = ("contract", "recorder")


def install(place: Place, program: Program, console: Console, wish: Wish) -> int:
    with settings_file.refusing("Could not read the settings"):
        planned = change.putting_in(place.settings, entries.entries(entries.command_of(program)))
    state_folder.check_usable(place.home)
    plugin = installed_plugin.beside(planned.path, planned.before.text)
    if plugin and not plugin.project:
        return _leave_to(plugin, planned, console, wish)
    if wish.dry_run:
        _preview(planned, console, wish)
        return 0
    if not _is_wanted(planned, console, wish):
        console.say("Nothing was changed.")
        return 1
    with settings_file.refusing("Could not install"):
        _write(place, planned, console, wish.now)
        store.private_folder(place.home)
    _compile(program, console)
    for words in caveats(planned) or ["Active from your next prompt."]:
        console.say(words)
    console.say(f"To check that everything works: {typed.command('doctor')}")
    return 0


def _leave_to(plugin: Plugin, planned: Change, console: Console, wish: Wish) -> int:
    """The plugin has the hooks; only the service can be wanted besides."""
    if settings.ours(planned.before.text):
        trouble = f"The hooks are in {planned.path} and in the plugin {plugin.id}, so each event is recorded twice."
        raise Refusal(trouble, plugin.one_of_two, REFUSED)
    if wish.service is None:
        trouble = f"The plugin {plugin.id} has the hooks already; with both, each event would be recorded twice."
        remedy = f"Nothing was changed. To have them in the settings: first `claude plugin uninstall {plugin.id}`."
        raise Refusal(trouble, remedy, REFUSED)
    console.say(f"The plugin {plugin.id} has the hooks; {planned.path} was not changed.")
    return 0


def _preview(planned: Change, console: Console, wish: Wish) -> None:
    if wish.diff:
        console.show_diff(change.diff(planned))
    nothing = f"{planned.path} already has all yourturn hooks; nothing to change."
    console.say(nothing if planned.is_nothing else "This is a preview; nothing was changed.")
    _sum_up(planned, console)


def _sum_up(planned: Change, console: Console) -> None:
    if not planned.is_nothing:
        console.say(change.summary(planned))
    for words in caveats(planned):
        console.say(words)


def caveats(planned: Change) -> list[str]:
    """What would keep the installed hooks from working."""
    parsed = settings.parse(settings_file.Content(planned.after).text)
    reason = disabled.reason(parsed, disabled.managed(), planned.path)
    texts = [f"Warning: Claude Code runs no hooks: {reason.what}. {reason.remedy}"] if reason else []
    plugin = installed_plugin.beside(planned.path, planned.before.text)
    if plugin:
        twice = f"{plugin.id} is a plugin in {plugin.project}, so each event there would be recorded twice"
        texts.append(f"Warning: {twice}. {plugin.one_of_two}")
    return texts


def _is_wanted(planned: Change, console: Console, wish: Wish) -> bool:
    if wish.diff:
        console.show_diff(change.diff(planned))
    if planned.is_nothing or wish.yes:
        return True
    console.check_can_ask()
    _sum_up(planned, console)
    return console.agrees(f"Change {planned.path}?", "" if wish.diff else change.diff(planned))


def _write(place: Place, planned: Change, console: Console, now: float) -> None:
    if planned.after is None or planned.is_nothing:
        console.say(f"{place.settings} already has all yourturn hooks; nothing was changed.")
        return
    settings_file.check_writable(place.settings)
    store.private_folder(place.home)
    known = record.load(place.home)
    makes_folder = not os.path.isdir(os.path.dirname(place.settings))
    backup = settings_file.back_up(planned.path, planned.before, now)
    try:
        # The record is written first: without it, the settings could not be restored; a record too many does no harm.
        record.save(place.home, remembering(known, planned, backup, made_folder=makes_folder))
        settings_file.replace(planned.path, planned.after, planned.before)
    except BaseException:
        with suppress(OSError):
            record.save(place.home, known)
        store.remove(backup or "")
        raise
    console.say(f"Hooks written to {place.settings}.")
    if backup:
        console.say(f"Backup of the old file: {backup}")


def remembering(known: Record, planned: Change, backup: str | None, *, made_folder: bool) -> Record:
    """The record once the change is made."""
    was = known.files.get(planned.path) or Installed(wrote="")
    backups = (*was.backups, backup) if backup else was.backups
    again = replace(was, wrote=settings_file.digest(planned.after or b""), backups=backups)
    if planned.before.digest == was.wrote:
        return known.with_file(planned.path, again)
    if settings.ours(planned.before.text):
        # Others have changed the file between two installations, so the original must not be restored.
        return known.with_file(planned.path, replace(again, absent=False, original=None, original_digest=None))
    first = Installed(
        wrote=again.wrote,
        absent=planned.before.data is None,
        original=backup,
        original_digest=planned.before.digest,
        made_folder=made_folder,
        backups=(backup,) if backup else (),  # older backups may contain changes by others, and stay
    )
    return known.with_file(planned.path, first)


def _compile(program: Program, console: Console) -> None:
    """Compile what every hook imports, with the interpreter that will run it, so that the first hook is fast too."""
    project = os.path.dirname(program.script)
    targets = [program.script, *(os.path.join(project, name) for name in IMPORTED_BY_THE_HOOK)]
    argv = [program.interpreter, "-S", "-E", "-m", "compileall", "-q", *targets]
    try:
        done = subprocess.run(argv, capture_output=True, timeout=COMPILE_TIMEOUT_S, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        done = False
    if not done:
        console.complain("The hook could not be compiled ahead of time; it works, but starts more slowly.")
