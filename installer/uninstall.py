"""`yourturn uninstall`: removes the hooks, the service, the login entry and yourturn's files, and ends the watcher."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from contract import installation, paths, store
from installer import login, record, state
from installer.doctor import state_folder
from installer.hooks import change, installed_plugin, program, settings_file
from installer.services import offer, watcher_process
from installer.services.watcher_process import End

if TYPE_CHECKING:
    from collections.abc import Iterator

    from installer.console import Console
    from installer.hooks.change import Change
    from installer.login import Entry
    from installer.place import Place, Wish
    from installer.record import Installed, Record
    from installer.services.manager import Service


def uninstall(place: Place, console: Console, wish: Wish, service: Service, entry: Entry) -> int:
    code = _uninstall(place, console, wish, service, entry)
    plugin = installed_plugin.beside(place.settings, settings_file.read(place.settings).text)
    if plugin:
        console.say(f"The plugin is still installed, and records events: `claude plugin uninstall {plugin.id}`")
    return code


def _uninstall(place: Place, console: Console, wish: Wish, service: Service, entry: Entry) -> int:
    state_folder.check_usable(place.home)
    known = record.load(place.home)
    with settings_file.refusing("Could not read the settings"):
        planned = change.taking_out(place.settings, known.files.get(place.settings))
    # Another configuration folder of Claude Code may use the same state folder.
    shared = bool(known.without_file(place.settings).files)
    clears = not wish.keep_state and os.path.isdir(place.home) and not shared
    served = service if offer.serves(service, place.home) else None
    opened = entry if entry.job and entry.job.home == place.home else None
    forgets = not wish.keep_state and os.path.isfile(place.choices) and not shared
    if planned.is_nothing and not clears and not forgets and (shared or not (served or opened)):
        console.say("Nothing to uninstall.")
        return 0
    also = [f"the service {served.path}"] if served and not shared else []
    also += [f"the login entry {opened.path}"] if opened and not shared else []
    if clears:
        also.append(f"yourturn's files in {place.home} ({len(state.ours_in(place.home))})")
    also += [f"your yourturn settings, {place.choices}"] if forgets else []
    if not _is_wanted(planned, also, console, wish):
        console.say("Nothing was changed.")
        return 0 if wish.dry_run else 1
    with settings_file.refusing("Could not uninstall"):
        _write(place, planned, known, console, wish.now)
        if opened and not shared:
            login.switch_off(opened)
            console.say(f"Login entry removed ({opened.path}).")
        if served and shared:
            return 0  # the other configuration folder still needs it
        if served:
            offer.take_away(served, console)
        if forgets:
            state.forget_choices(place.choices)
            state.prune(os.path.dirname(place.choices), place.person)
        return _leave(place, console, clears=clears)


def _is_wanted(planned: Change, also: list[str], console: Console, wish: Wish) -> bool:
    if wish.diff:
        console.show_diff(change.diff(planned))
    if wish.yes and not wish.dry_run:
        return True
    if not wish.dry_run:
        console.check_can_ask()
    for what in also:
        console.say(f"Also removes {what}")
    console.say(change.summary(planned))
    return not wish.dry_run and console.agrees("Uninstall yourturn?", "" if wish.diff else change.diff(planned))


def _write(place: Place, planned: Change, known: Record, console: Console, now: float) -> None:
    if planned.is_nothing:
        console.say(f"{place.settings} has no yourturn hooks.")
    else:
        _put_back(planned, console, now)
    installed = known.files.get(place.settings)
    if installed is None:
        return
    _drop_backups(place.settings, installed)
    if installed.made_folder:
        with suppress(OSError):
            os.rmdir(os.path.dirname(place.settings))
    record.save(place.home, known.without_file(place.settings))


def _put_back(planned: Change, console: Console, now: float) -> None:
    settings_file.check_writable(planned.path)
    if not planned.restores:
        backup = settings_file.back_up(planned.path, planned.before, now)
        console.say(f"{planned.path} has other changes too, so only yourturn's hooks are removed. Backup: {backup}")
    if planned.after is None:
        settings_file.remove(planned.path, planned.before)
        console.say(f"{planned.path} removed (it did not exist before).")
    else:
        settings_file.replace(planned.path, planned.after, planned.before)
        restored = f"{planned.path} restored, byte for byte."
        console.say(restored if planned.restores else f"Hooks removed from {planned.path}.")


def _drop_backups(settings: str, installed: Installed) -> None:
    """Also if others have changed the settings since: their file has everything that the backups have."""
    for path in installed.backups:
        # Anybody can edit the record: only names that a backup of these settings can have are removed.
        is_named_so = path.startswith(settings + ".yourturn-") and path.endswith(".bak")
        if is_named_so and "/" not in path[len(settings) :] and not _is_rewritten(path, installed):
            store.remove(path)


def _is_rewritten(backup: str, installed: Installed) -> bool:
    """Whether the backup was changed since install wrote it, as far as that is known."""
    return backup == installed.original and settings_file.read_unlinked(backup).digest != installed.original_digest


def _leave(place: Place, console: Console, *, clears: bool) -> int:
    # A front end that is still open would start another watcher, which would create the folder again.
    with _no_watcher_starts(place.home):
        return _end(place, console, clears=clears)


@contextmanager
def _no_watcher_starts(home: str) -> Iterator[None]:
    lock = store.take(paths.starting_lock(home)) if os.path.isdir(home) else None
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _end(place: Place, console: Console, *, clears: bool) -> int:
    ended = watcher_process.end(place.home)
    if ended in (End.UNKNOWN, End.STAYED):
        console.complain(f"{place.home} was not removed: {ended.value}. End it, then run uninstall again.")
        return 1
    program.drop_bundles(place.project)
    if clears:
        left = state.clear(place.home)
        state.prune(place.home, place.person)
        other = f"{place.home} was not removed, because it has other files: {', '.join(left)}"
        console.say(other if left else f"{place.home} removed.")
    program_too = installation.removing()
    if program_too:
        console.say(f"To remove the program too: {program_too}")
    return 0
