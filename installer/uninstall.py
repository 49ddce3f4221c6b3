"""`yourturn uninstall`: removes the hooks, the service, the login entry and our files, ends watcher and collector."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from contract import installation, paths, store, typed
from installer import login, plan, record, sharing, state, target
from installer.clients import CLIENTS, DEFAULT
from installer.doctor import state_folder
from installer.hooks import installed_plugin, program, settings_file, shape
from installer.services import offer, watcher_process
from installer.services.watcher_process import End
from installer.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from installer.console import Console
    from installer.hooks.change import Change
    from installer.login import Entry
    from installer.place import Place, Wish
    from installer.plan import Plan
    from installer.record import Installed, Record
    from installer.services.manager import Service


def uninstall(  # noqa: PLR0913, PLR0917 - each is a piece of the world
    place: Place, console: Console, wish: Wish, service: Service, entry: Entry, targets: Sequence[Target] = ()
) -> int:
    """Of everything, with the clients that are named as targets or have our hooks."""
    code = _uninstall(place, console, wish, service, entry, targets)
    plugin = installed_plugin.beside(place.settings, settings_file.read(place.settings).text)
    if plugin:
        console.say(f"The plugin is still installed, and records events: `claude plugin uninstall {plugin.id}`")
    return code


def take_out(place: Place, console: Console, wish: Wish, targets: Sequence[Target]) -> int:
    """The hooks of these clients, and nothing else."""
    state_folder.check_usable(place.home)
    known = record.load(place.home)
    plans = [plan.taking_out(target, known.files.get(target.path)) for target in targets]
    is_nothing = all(planned.is_nothing for planned in plans)
    # What the person has taken out is forgotten, too.
    if is_nothing and not any(planned.path in known.files for planned in plans):
        console.say("Nothing to uninstall.")
        return 0
    is_agreed = is_nothing and not wish.dry_run
    if not is_agreed and not _is_wanted(plans, [], console, wish, "Remove these hooks?"):
        console.say("Nothing was changed.")
        return 0 if wish.dry_run else 1
    with settings_file.refusing("Could not uninstall"):
        for planned in plans:
            known = _write(place, planned, known, console, wish.now)
    console.say(f"Everything else of yourturn stays; `{typed.command('uninstall')}` removes it all.")
    return 0


def affected(others: Sequence[Target], home: str) -> list[Target]:
    """Those of them whose files have something of ours, or should have by what we remember."""
    known = record.load(home)
    return [target for target in others if target.path in known.files or _is_in(target)]


def _is_in(target: Target) -> bool:
    """Whether the file has something of ours. One that cannot be read must not keep others from being cleaned."""
    content = settings_file.read_unlinked(os.path.realpath(target.path))
    try:
        return bool(target.client.editor(plan.NOBODY).parts(content.text))
    except (OSError, ValueError, RecursionError):
        return shape.MARK.encode() in (content.data or b"")


def _uninstall(  # noqa: PLR0913, PLR0917 - as above
    place: Place, console: Console, wish: Wish, service: Service, entry: Entry, targets: Sequence[Target]
) -> int:
    state_folder.check_usable(place.home)
    known = record.load(place.home)
    everything = [Target(DEFAULT, place.settings), *targets]
    plans = [plan.taking_out(one, known.files.get(one.path)) for one in everything]
    # Another configuration folder of a client may use the same state folder.
    left = {path: file for path, file in known.files.items() if path not in {planned.path for planned in plans}}
    shared = bool(left)
    clears = not wish.keep_state and os.path.isdir(place.home) and not shared
    served = service if offer.serves(service, place.home) else None
    opened = entry if entry.job and entry.job.home == place.home else None
    forgets = [] if wish.keep_state or shared else [path for path in place.chosen if os.path.isfile(path)]
    withdraws = place.shared if os.path.isfile(place.shared) and not shared else ""
    is_nothing = all(planned.is_nothing for planned in plans)
    if is_nothing and not clears and not forgets and (shared or not (served or opened)):
        console.say("Nothing to uninstall.")
        _tell_of(left, console)
        return 0
    also = [f"the service {served.path}"] if served and not shared else []
    also += [f"the login entry {opened.path}"] if opened and not shared else []
    if clears:
        also.append(f"yourturn's files in {place.home} ({len(state.ours_in(place.home))})")
    also += [f"your yourturn settings, {path}" for path in forgets]
    also += ["what the broker keeps of this machine"] if withdraws else []
    if not _is_wanted(plans, also, console, wish, "Uninstall yourturn?"):
        console.say("Nothing was changed.")
        return 0 if wish.dry_run else 1
    with settings_file.refusing("Could not uninstall"):
        for planned in [one for one in plans if not one.is_nothing or is_nothing or one.path in known.files]:
            known = _write(place, planned, known, console, wish.now)
        _tell_of(left, console)
        if opened and not shared:
            login.switch_off(opened)
            console.say(f"Login entry removed ({opened.path}).")
        if served and shared:
            return 0  # the other configuration folder still needs it
        if served:
            offer.take_away(served, console)
        return _leave(place, console, Left(clears, tuple(forgets), withdraws))


def _tell_of(left: dict[str, Installed], console: Console) -> None:
    """Files of other configuration folders: they are found when the variable names them."""
    for path, file in left.items():
        named = target.variable(file.client) if file.client in CLIENTS else ""
        how = f": set {named} as it was when you installed, and run this again" if named else ""
        console.say(f"{path} still has yourturn's hooks{how}.")


def _is_wanted(plans: Sequence[Plan], also: list[str], console: Console, wish: Wish, question: str) -> bool:
    diff = plan.diff(plans)
    if wish.diff:
        console.show_diff(diff)
    if wish.yes and not wish.dry_run:
        return True
    if not wish.dry_run:
        console.check_can_ask()
    for what in also:
        console.say(f"Also removes {what}")
    for planned in [one for one in plans if not one.is_nothing] or plans[:1]:
        console.say(planned.summary)
    return not wish.dry_run and console.agrees(question, "" if wish.diff else diff)


def _write(place: Place, planned: Plan, known: Record, console: Console, now: float) -> Record:
    """What is remembered afterwards."""
    if planned.is_nothing:
        console.say(f"{planned.path} has no yourturn {planned.ours}.")
    else:
        _put_back(planned.change, console, now)
    installed = known.files.get(planned.path)
    if installed is None:
        return known
    _drop_backups(planned.path, installed)
    # Anybody can edit the record: only folders on the way to the file are removed, and only if they are empty.
    settings_file.remove_folders(tuple(made for made in installed.made if planned.path.startswith(made + "/")))
    left = known.without_file(planned.path)
    record.save(place.home, left)
    return left


def _put_back(planned: Change, console: Console, now: float) -> None:
    settings_file.check_writable(planned.path)
    if not planned.restores:
        backup = settings_file.back_up(planned.path, planned.before, now)
        console.say(f"{planned.path} has other changes too, so only what is yourturn's is removed. Backup: {backup}")
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


class Left(NamedTuple):
    """What is still to go after the hooks and the service."""

    clears: bool
    """Whether the files in the state folder go."""
    forgets: tuple[str, ...]
    """The person's settings."""
    withdraws: str
    """The file that names the broker from which to take back what was shared; '' if nothing was."""


def _leave(place: Place, console: Console, left: Left) -> int:
    # A front end that is still open would start another watcher, which would create the folder again.
    with _none_starts(place.home, paths.starting_lock), _none_starts(place.home, paths.collector_starting_lock):
        return _end(place, console, left)


@contextmanager
def _none_starts(home: str, starting: Callable[[str], str]) -> Iterator[None]:
    """No watcher, or no collector, as this lock says."""
    lock = store.take(starting(home)) if os.path.isdir(home) else None
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _end(place: Place, console: Console, left: Left) -> int:
    ends = {"collector": watcher_process.end_collector(place.home), "watcher": watcher_process.end(place.home)}
    for what, ended in ends.items():
        if ended in (End.UNKNOWN, End.STAYED):
            words = ended.value.format(what)
            console.complain(f"{place.home} was not removed: {words}. End it, then run uninstall again.")
            return 1
    program.drop_bundles(place.project)
    # After the collector, which would say it anew; before the settings, which name the broker.
    if left.withdraws:
        sharing.take_back(left.withdraws, console)
    for path in left.forgets:
        state.forget_choices(path)
        state.prune(os.path.dirname(path), place.person)
    if left.clears:
        others = state.clear(place.home)
        state.prune(place.home, place.person)
        other = f"{place.home} was not removed, because it has other files: {', '.join(others)}"
        console.say(other if others else f"{place.home} removed.")
    program_too = installation.removing()
    if program_too:
        console.say(f"To remove the program too: {program_too}")
    return 0
