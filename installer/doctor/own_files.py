"""The checks of yourturn's own files: the state folder, what is in it, and config.toml. Pure."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from contract import paths
from contract.clean import clean
from installer.doctor import by_plugin
from installer.doctor.check import FAIL, OK, SKIP, WARN, Check, age, to_install

if TYPE_CHECKING:
    from collections.abc import Sized

    from installer.doctor.probes import Seen

MOST_NAMED = 3


def state_folder(seen: Seen) -> Check:
    home = seen.place.home
    if seen.home_trouble:
        return Check("state folder", FAIL, seen.home_trouble.what, seen.home_trouble.remedy)
    if not seen.home_exists and seen.plugin:
        return Check("state folder", WARN, f"{home} does not exist yet", by_plugin.FIRST_EVENT)
    if not seen.home_exists:
        return Check("state folder", FAIL, f"{home} does not exist", to_install(seen))
    return _odd(seen) or Check("state folder", OK, f"{home} is readable only by you")


def _odd(seen: Seen) -> Check | None:
    home, (foreign, links, opened) = seen.place.home, seen.odd
    quoted = shlex.quote(home)
    if home in foreign:
        remedy = "Run yourturn as that user, without `sudo`; or set YOURTURN_HOME to a folder of your own."
        return Check("state folder", FAIL, f"{home} belongs to another user, so nothing is written there", remedy)
    if foreign:
        words = f"it contains {_count(foreign, 'file')} of another user, such as {foreign[0]}"
        return Check("state folder", FAIL, words, f"Run `sudo chown -R $(id -u) {quoted}`.")
    if links:
        words = f"it contains {_count(links, 'link')}, such as {links[0]}; yourturn writes nothing through links"
        return Check("state folder", FAIL, words, "Remove them; the next event creates the files again.")
    if opened:
        words = f"other users can read or write {_count(opened, 'file')}, such as {opened[0]}"
        return Check("state folder", FAIL, words, f"Run `chmod -R go= {quoted}`.")
    return None


def _count(many: Sized, what: str) -> str:
    return f"{len(many)} {what}{'s' if len(many) > 1 else ''}"


def facts(seen: Seen) -> Check:
    if seen.is_hidden:
        return hidden("facts")
    if not seen.set_aside:
        return Check("facts", OK, "all readable")
    words = f"{_count(seen.set_aside, 'file')} could not be read, so renamed, such as {seen.set_aside[0]}"
    remedy = (
        f"Nothing to fix: later events were recorded in new files. A full disk or a power cut may be the cause. "
        f"Remove the files that end in .bad from {paths.fact_dir(seen.place.home)}."
    )
    return Check("facts", WARN, clean(words, 300), remedy)


def crash(seen: Seen, now: float) -> Check:
    if seen.is_hidden:
        return hidden("crash report")
    if seen.crashed is None:
        return Check("crash report", OK, "none")
    path = paths.crash(seen.place.home)
    remedy = f"Please report it with the content of {path}, which has nothing personal in it; then remove the file."
    return Check("crash report", WARN, f"a watcher crashed {age(now - seen.crashed)} ago", remedy)


def status_files(seen: Seen) -> Check:
    if seen.is_hidden:
        return hidden("status files")
    unreadable = [os.path.basename(path) for path, is_fine in seen.sessions.items() if not is_fine]
    if not unreadable:
        return Check("status files", OK, f"{len(seen.sessions)}, all readable" if seen.sessions else "none")
    named = ", ".join(unreadable[:MOST_NAMED]) + (" and others" if len(unreadable) > MOST_NAMED else "")
    words = f"{len(unreadable)} of {len(seen.sessions)} cannot be read: {named}"
    remedy = f"Remove them from {paths.status_dir(seen.place.home)}; the watcher writes them again."
    return Check("status files", WARN, clean(words, 400), remedy)


def choices(seen: Seen) -> Check:
    path = seen.place.choices
    if seen.is_hidden and path.startswith(seen.place.home + "/"):
        return hidden("config")
    if seen.choices_trouble:
        remedy = "Fix it, or move it away; until then the defaults apply."
        return Check("config", WARN, f"{path}: {clean(seen.choices_trouble, 200)}", remedy)
    return Check("config", OK, path if seen.choices_exist else f"none ({path} does not exist)")


def hook_log(seen: Seen) -> Check:
    if seen.is_hidden:
        return hidden("hook log")
    if not seen.hook_trouble:
        return Check("hook log", OK, "no errors")
    path = paths.hook_log(seen.place.home)
    return Check("hook log", WARN, clean(seen.hook_trouble, 200), f"Read {path}, and remove it once that is fixed.")


def hidden(name: str) -> Check:
    return Check(name, SKIP, "unknown: the state folder cannot be read")
