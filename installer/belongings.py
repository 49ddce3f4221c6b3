"""What doctor says of our own files: the state folder, what lies in it, and the person's settings. Pure."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from contract import paths
from contract.clean import clean
from installer.check import FAIL, OK, SKIP, WARN, Check, to_install

if TYPE_CHECKING:
    from installer.probes import Seen

MOST_NAMED = 3


def state_folder(seen: Seen) -> Check:
    home = seen.place.home
    if seen.home_trouble:
        return Check("state folder", FAIL, seen.home_trouble.what, seen.home_trouble.remedy)
    if not seen.home_exists:
        return Check("state folder", FAIL, f"{home} is not there", to_install(seen))
    if seen.open_to_others:
        words = f"{len(seen.open_to_others)} open to others or not yours, such as {seen.open_to_others[0]}"
        quoted = shlex.quote(home)
        remedy = f"Run `chmod -R go= {quoted}`, and `chown -R $(id -u) {quoted}` if it has another owner."
        return Check("state folder", FAIL, words, remedy)
    return Check("state folder", OK, f"{home} is private")


def status_files(seen: Seen) -> Check:
    if seen.is_hidden:
        return hidden("status files")
    unreadable = [os.path.basename(path) for path, is_fine in seen.sessions.items() if not is_fine]
    if not unreadable:
        return Check("status files", OK, f"{len(seen.sessions)}, all of them readable" if seen.sessions else "none")
    named = ", ".join(unreadable[:MOST_NAMED]) + (" and others" if len(unreadable) > MOST_NAMED else "")
    words = f"{len(unreadable)} of {len(seen.sessions)} cannot be read: {named}"
    remedy = f"Remove them from {paths.status_dir(seen.place.home)}; the watcher writes them anew."
    return Check("status files", WARN, clean(words, 400), remedy)


def choices(seen: Seen) -> Check:
    path = seen.place.choices
    if seen.is_hidden and path.startswith(seen.place.home + "/"):
        return hidden("config")
    if seen.choices_trouble:
        remedy = "Mend it, or move it away; until then it is as if you had chosen nothing."
        return Check("config", WARN, f"{path}: {clean(seen.choices_trouble, 200)}", remedy)
    return Check("config", OK, path if seen.choices_exist else f"none: there is no {path}")


def hook_log(seen: Seen) -> Check:
    if seen.is_hidden:
        return hidden("hook log")
    if not seen.hook_trouble:
        return Check("hook log", OK, "no trouble")
    path = paths.hook_log(seen.place.home)
    return Check("hook log", WARN, clean(seen.hook_trouble, 200), f"Read {path}, and remove it when it is dealt with.")


def hidden(name: str) -> Check:
    return Check(name, SKIP, "not known: the state folder cannot be read")
