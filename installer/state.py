"""The state folder: which files yourturn has made, whether they are private, and removing them."""

from __future__ import annotations

import os
import stat
import tomllib
from contextlib import suppress
from typing import NamedTuple

from contract import bar_files, hosts, paths, status, store
from installer import record

BESIDES = ("", ".lock", ".tmp", ".1", "-journal")
OURS_IN_FOLDERS = (
    ".json", ".json.lock", ".json.tmp", ".json.bad", ".jsonl", ".held", ".pipe", ".toml", ".toml.tmp",
)  # fmt: skip


def ours_in(home: str) -> list[str]:
    """The files that yourturn itself has made there. A link in place of a folder is not followed."""
    files = [path + beside for path in _single_files(home) for beside in BESIDES]
    files.append(paths.spawned_dir(home) + ".lock")
    for folder in _folders(home):
        if not os.path.islink(folder):
            files += [os.path.join(folder, name) for name in _names(folder, "") if name.endswith(OURS_IN_FOLDERS)]
    return [path for path in files if os.path.lexists(path) and not _is_folder(path)]


def clear(home: str) -> list[str]:
    """Remove yourturn's files, then the folders if they are empty; return the names of what is left."""
    for path in ours_in(home):
        store.remove(path)
    for folder in (*_folders(home), home):
        with suppress(OSError):
            os.rmdir(folder)
    return _names(home, "")


def forget_choices(path: str) -> None:
    """Remove config.toml, unless it is a link: the person keeps the file elsewhere."""
    if os.path.isfile(path) and not os.path.islink(path):
        store.remove(path)


def prune(folder: str, person: str) -> None:
    """Remove empty folders from here up to the person's home: yourturn may have created them."""
    with suppress(OSError):
        while folder.startswith(person.rstrip("/") + "/"):
            if os.path.isdir(folder):
                os.rmdir(folder)
            folder = os.path.dirname(folder)


class Odd(NamedTuple):
    """What is wrong with the files in the state folder."""

    foreign: tuple[str, ...] = ()
    """They belong to another user, so they cannot be written."""
    links: tuple[str, ...] = ()
    """They are not followed, so nothing is written there."""
    open: tuple[str, ...] = ()
    """Other users can read or write them."""


def odd(home: str) -> Odd:
    folders = [home, *(folder for folder in _folders(home) if os.path.lexists(folder))]
    stats = [(path, seen) for path in (*folders, *ours_in(home)) if (seen := _seen(path, home))]
    links = tuple(path for path, seen in stats if stat.S_ISLNK(seen.st_mode))
    foreign = tuple(path for path, seen in stats if seen.st_uid != os.getuid())
    rest = [(path, seen) for path, seen in stats if path not in links and path not in foreign]
    return Odd(foreign, links, tuple(path for path, seen in rest if seen.st_mode & 0o077))


def set_aside(home: str) -> list[str]:
    """The fact files that could not be read, renamed for a person to look at."""
    return _names(paths.fact_dir(home), ".bad")


def crashed_at(home: str) -> float | None:
    return _modified(paths.crash(home))


def last_event_at(home: str) -> float | None:
    folder = paths.fact_dir(home)
    times = [_modified(os.path.join(folder, name)) for name in _names(folder)]
    return max((at for at in times if at is not None), default=None)


def watcher_seen_at(home: str) -> float | None:
    """When a watcher last wrote something: usually its heartbeat, unless that could not be written."""
    traces = (paths.heartbeat(home), paths.status_dir(home), paths.watcher_log(home))
    return max((at for path in traces if (at := _modified(path)) is not None), default=None)


def last_trouble(home: str) -> str | None:
    """The last line of the hook's log."""
    try:
        lines = (store.read(paths.hook_log(home)) or b"").splitlines()
    except OSError:
        return None
    return lines[-1].decode("utf-8", "replace") if lines else None


def sessions(home: str) -> dict[str, bool]:
    """The status file of each session, and whether it can be read."""
    folder = paths.status_dir(home)
    return {path: _is_status(path) for path in (os.path.join(folder, name) for name in _names(folder))}


def trouble_with_choices(path: str) -> str | None:
    """Links are followed: people keep such files elsewhere."""
    try:
        tomllib.loads((store.read(os.path.realpath(path)) or b"").decode())
    except OSError as error:
        return error.strerror or str(error)
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _is_status(path: str) -> bool:
    try:
        data = store.read(path)
    except OSError:
        return False
    return data is None or status.decode(data) is not None


def _names(folder: str, suffix: str = ".json") -> list[str]:
    """[] for a folder that cannot be read: another check reports that."""
    try:
        return store.names(folder, suffix)
    except OSError:
        return []


def _single_files(home: str) -> list[str]:
    return [
        record.path(home),
        paths.heartbeat(home),
        paths.lack(home),
        paths.hook_log(home),
        paths.crash(home),
        paths.observations(home),
        paths.audit(home),
        paths.answers(home),
        paths.usage(home),
        paths.spawned_dir(home) + ".times",
        paths.starting_lock(home),
        paths.watcher_lock(home),
        paths.watcher_log(home),
        paths.watcher_errors(home),
        paths.collector(home),
        paths.collector_lock(home),
        paths.collector_starting_lock(home),
        paths.collector_log(home),
        paths.sharing(home),
        paths.other_observations(home),
        bar_files.lock(home),
        bar_files.notify_lock(home),
    ]


def _folders(home: str) -> list[str]:
    made = (
        paths.fact_dir, paths.status_dir, paths.spawned_dir, paths.dispatch_dir, paths.open_dir, paths.brokers_dir,
        paths.policies_dir,
    )  # fmt: skip
    return [*(folder(home) for folder in made), *_folders_of_hosts(home)]


def _folders_of_hosts(home: str) -> list[str]:
    """Of other machines: the inner ones first."""
    inner = [f"{paths.hosts_dir(home)}/{name}" for name in hosts.names(home)]
    return [folder for host in inner for folder in (f"{host}/status", host)] + [paths.hosts_dir(home)]


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _seen(path: str, home: str) -> os.stat_result | None:
    """The state folder itself may be a link to another folder of the same person."""
    try:
        return os.stat(path) if path == home else os.lstat(path)
    except OSError:
        return None


def _modified(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
