"""`yourturn install`: adds the hooks to the clients' files, creates the state folder, compiles the hook."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from contract import paths, store, typed
from installer import plan, record
from installer.clients import DEFAULT
from installer.doctor import state_folder
from installer.hooks import installed_plugin, settings, settings_file
from installer.record import Installed, Record
from installer.refusal import REFUSED, Refusal
from installer.target import Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.console import Console
    from installer.hooks.change import Change
    from installer.hooks.installed_plugin import Plugin
    from installer.hooks.program import Program
    from installer.place import Place, Wish
    from installer.plan import Plan

COMPILE_TIMEOUT_S = 60
IMPORTED_BY_THE_HOOK = ("contract", "recorder", "answers")
NO_ANSWERS = "Name claude too, or leave --answers out."
ANSWERS = "What Claude Code asks for can be answered from outside now: {requests} shows it, so do the menus and top."


def install(place: Place, program: Program, console: Console, wish: Wish, targets: Sequence[Target] = ()) -> int:
    """All files are looked at before the first is changed."""
    meant = targets or [Target(DEFAULT, place.settings)]
    if wish.answers and not any(target.is_default for target in meant):
        raise Refusal("Only what Claude Code asks for can be answered from outside.", NO_ANSWERS)
    plans = [plan.putting_in(target, program, answers_too=wish.answers) for target in meant]
    state_folder.check_usable(place.home)
    plugin = _plugin(plans)
    if plugin and len(plans) == 1:
        return _leave_to(plugin, plans[0].change, console, wish)
    if plugin:
        console.say(f"The plugin {plugin.id} has the hooks of Claude Code already; its settings are left alone.")
        plans = [planned for planned in plans if not planned.target.is_default]
    if wish.dry_run:
        _preview(plans, console, wish)
        return 0
    if not _is_wanted(plans, console, wish):
        console.say("Nothing was changed.")
        return 1
    carry_out(place, plans, console, wish.now)
    _compile(program, console)
    for planned in plans:
        for words in [caveat.words for caveat in planned.caveats] or [planned.target.client.AFTER]:
            console.say(words)
    if wish.answers:
        store.private_folder(paths.open_dir(place.home))  # for front ends to watch, before the first request
        console.say(ANSWERS.format(requests=typed.command("requests")))
    console.say(f"To check that everything works: {typed.command('doctor')}")
    return 0


def carry_out(place: Place, plans: Sequence[Plan], console: Console, now: float) -> None:
    with settings_file.refusing("Could not install"):
        for planned in plans:
            if not planned.is_nothing:
                settings_file.check_writable(planned.path)
        for planned in plans:
            _write(place, planned, console, now)
        store.private_folder(place.home)


def _plugin(plans: Sequence[Plan]) -> Plugin | None:
    """The plugin of Claude Code that has the hooks everywhere."""
    changes = [planned.change for planned in plans if planned.target.is_default]
    found = [installed_plugin.beside(planned.path, planned.before.text) for planned in changes]
    return next((plugin for plugin in found if plugin and not plugin.project), None)


def _leave_to(plugin: Plugin, planned: Change, console: Console, wish: Wish) -> int:
    """The plugin has the hooks; only the service can be wanted besides."""
    if settings.ours(planned.before.text):
        trouble = f"The hooks are in {planned.path} and in the plugin {plugin.id}, so each event is recorded twice."
        raise Refusal(trouble, plugin.one_of_two, REFUSED)
    if wish.answers:
        trouble = f"The plugin {plugin.id} has the hooks; answers need them in {planned.path}."
        raise Refusal(trouble, f"First `claude plugin uninstall {plugin.id}`, then run this again.", REFUSED)
    if wish.service is None:
        trouble = f"The plugin {plugin.id} has the hooks already; with both, each event would be recorded twice."
        remedy = f"Nothing was changed. To have them in the settings: first `claude plugin uninstall {plugin.id}`."
        raise Refusal(trouble, remedy, REFUSED)
    console.say(f"The plugin {plugin.id} has the hooks; {planned.path} was not changed.")
    return 0


def _preview(plans: Sequence[Plan], console: Console, wish: Wish) -> None:
    if wish.diff:
        console.show_diff(plan.diff(plans))
    for planned in plans:
        if planned.is_nothing:
            console.say(f"{planned.path} already has {planned.all_of_ours}; nothing to change.")
    if not all(planned.is_nothing for planned in plans):
        console.say("This is a preview; nothing was changed.")
    sum_up(plans, console)


def sum_up(plans: Sequence[Plan], console: Console) -> None:
    for planned in plans:
        if not planned.is_nothing:
            console.say(planned.summary)
        for caveat in planned.caveats:
            console.say(caveat.words)


def _is_wanted(plans: Sequence[Plan], console: Console, wish: Wish) -> bool:
    if wish.diff:
        console.show_diff(plan.diff(plans))
    changed = [planned.path for planned in plans if not planned.is_nothing]
    if not changed or wish.yes:
        return True
    console.check_can_ask()
    sum_up(plans, console)
    what = changed[0] if len(changed) == 1 else f"these {len(changed)} files"
    return console.agrees(f"Change {what}?", "" if wish.diff else plan.diff(plans))


def _write(place: Place, planned: Plan, console: Console, now: float) -> None:
    path, before, after = planned.change[:3]
    if after is None or planned.is_nothing:
        console.say(f"{path} already has {planned.all_of_ours}; nothing was changed.")
        return
    store.private_folder(place.home)
    known = record.load(place.home)
    made = settings_file.missing_folders(path)
    backup = settings_file.back_up(path, before, now)
    try:
        # The record is written first: without it, the settings could not be restored; a record too many does no harm.
        record.save(place.home, remembering(known, planned, backup, made=made))
        settings_file.replace(path, after, before)
    except BaseException:
        with suppress(OSError):
            record.save(place.home, known)
        store.remove(backup or "")
        settings_file.remove_folders(made)
        raise
    console.say(f"{planned.ours.capitalize()} written to {path}.")
    if backup:
        console.say(f"Backup of the old file: {backup}")


def remembering(known: Record, planned: Plan, backup: str | None, *, made: tuple[str, ...]) -> Record:
    """The record once the change is made."""
    path, before, after = planned.change[:3]
    was = known.files.get(path) or Installed(wrote="", client=planned.target.name)
    backups = (*was.backups, backup) if backup else was.backups
    again = replace(was, wrote=settings_file.digest(after or b""), backups=backups)
    if before.digest == was.wrote:
        return known.with_file(path, again)
    if planned.editor.parts(before.text):
        # Others have changed the file between two installations, so the original must not be restored.
        return known.with_file(path, replace(again, absent=False, original=None, original_digest=None))
    first = Installed(
        wrote=again.wrote,
        client=planned.target.name,
        absent=before.data is None,
        original=backup,
        original_digest=before.digest,
        made=made,
        backups=(backup,) if backup else (),  # older backups may contain changes by others, and stay
    )
    return known.with_file(path, first)


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
