"""Whether the state folder can be used, and if not, why."""

from __future__ import annotations

import os
import shlex
import stat
from typing import NamedTuple

from contract import paths
from installer.refusal import Refusal

OTHER = "set YOURTURN_HOME to another folder"
MOVE = f"Move away what is there, or {OTHER}."
OPEN = f"Check the permissions of the folders above it, or {OTHER}."


class Trouble(NamedTuple):
    """Why it cannot be used."""

    what: str
    remedy: str
    is_hidden: bool = True
    """Its content cannot be read."""


def trouble_with(home: str) -> Trouble | None:
    """None also for a folder that does not exist yet. For root, modes do not matter."""
    try:
        kind = os.stat(home).st_mode
    except FileNotFoundError:
        return Trouble(f"{home} is a broken link", MOVE) if os.path.islink(home) else None
    except NotADirectoryError:
        return Trouble(f"{home} cannot exist, because it would be inside a file", MOVE)
    except OSError as error:
        return Trouble(f"{home} cannot be read ({error.strerror})", OPEN)
    if not stat.S_ISDIR(kind):
        return Trouble(f"{home} is a file, not a folder", MOVE)
    inside = (home, paths.fact_dir(home), paths.status_dir(home))
    return next((trouble for path in inside if (trouble := _closed(path))), None)


def check_usable(home: str) -> None:
    """Refuse before anything is changed: the record in this folder is needed to restore the settings."""
    trouble = trouble_with(home)
    if trouble:
        raise Refusal(f"The state folder cannot be used: {trouble.what}.", trouble.remedy)


def _closed(folder: str) -> Trouble | None:
    if not os.path.isdir(folder) or os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return None
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return Trouble(f"{folder} is mounted read-only", f"Mount it writable, or {OTHER}.", is_hidden=False)
    quoted = shlex.quote(folder)
    remedy = f"Run `chmod u+rwx {quoted}`, and `chown -R $(id -u) {quoted}` if it has another owner; or {OTHER}."
    if os.access(folder, os.R_OK | os.X_OK):
        return Trouble(f"{folder} cannot be written", remedy, is_hidden=False)
    return Trouble(f"{folder} cannot be read", remedy)
