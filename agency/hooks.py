"""Programs of the user's own that are asked before an agent is spawned, and told after it was and after it ended.

They lie in the folder `hooks` beside config.toml, are called `before-spawn`, `after-spawn` and `after-exit`, and get
one JSON object on their standard input. `before-spawn` refuses with an exit code other than 0; its first line says why.
With exit code 0 it may print a JSON object that restricts the agent: {"deny": ["Bash"], "timeout_s": 60}. What it
neither allows nor refuses in time is refused. Nobody waits for the other two longer than the limit.
"""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from agency.outcome import refused
from contract import bar_files
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

BEFORE_SPAWN, AFTER_SPAWN, AFTER_EXIT = "before-spawn", "after-spawn", "after-exit"
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
LARGEST = 64 << 10


class Restriction(NamedTuple):
    deny: tuple[str, ...] = ()
    timeout_s: float = 0.0


def path(env: Mapping[str, str], name: str) -> str:
    return os.path.join(os.path.dirname(bar_files.settings(env)), "hooks", name)


def ask(env: Mapping[str, str], told: Mapping[str, Any], limit_s: float) -> Restriction:
    """What before-spawn says: NotDone, or how it restricts the agent."""
    program = path(env, BEFORE_SPAWN)
    if not os.path.lexists(program):
        return Restriction()
    if trouble := unusable(program):
        raise refused(f"{program}: {trouble}")
    code, said = _run(program, told, limit_s)
    if code is None:
        raise refused(f"{program}: no answer within {limit_s:g} s, so the spawn is refused")
    if code != 0:
        first = clean(said.partition("\n")[0], 200)
        raise refused(f"{program}: {first or f'it ended with exit code {code}'}")
    return _restriction(program, said)


def tell(env: Mapping[str, str], name: str, told: Mapping[str, Any], limit_s: float) -> str:
    """What went wrong with it; '' if nothing did, or there is no such hook."""
    program = path(env, name)
    if not os.path.lexists(program):
        return ""
    if trouble := unusable(program):
        return f"{program}: {trouble}"
    code, _ = _run(program, told, limit_s)
    if code is None:
        return f"{program}: it took longer than {limit_s:g} s and was ended"
    return f"{program}: it ended with exit code {code}" if code else ""


def unusable(program: str) -> str:
    """Why a hook is not run; '' if it can be."""
    try:
        seen = os.stat(program)
    except OSError as error:
        return str(error.strerror)
    if not stat.S_ISREG(seen.st_mode) or not os.access(program, os.X_OK):
        return "it is no executable file: chmod +x, or remove it"
    if seen.st_uid not in (os.geteuid(), 0) or seen.st_mode & OTHERS_MAY_WRITE:
        return "others may change it: chmod go-w, or remove it"
    return ""


def _run(program: str, told: Mapping[str, Any], limit_s: float) -> tuple[int | None, str]:
    """Exit code and output; no exit code if it had to be ended. In a session of its own, so that all of it ends."""
    try:
        process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        return 126, str(error.strerror)
    with process:
        try:
            said, _ = process.communicate(json.dumps(told).encode() + b"\n", timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # our own child, not yet waited for: the number is still its own
            return None, ""
    return process.returncode, said[:LARGEST].decode("utf-8", "replace")


def _restriction(program: str, said: str) -> Restriction:
    if not said.strip():
        return Restriction()
    try:
        raw = json.loads(said)
        deny, timeout_s = raw.get("deny", []), raw.get("timeout_s", 0)
        if raw.keys() - {"deny", "timeout_s"} or not all(isinstance(tool, str) for tool in deny) or timeout_s < 0:
            raise ValueError  # noqa: TRY301 - one sentence for all of it
        return Restriction(tuple(deny), float(timeout_s))
    except (ValueError, TypeError, AttributeError, RecursionError):
        hint = '{"deny": ["Bash"], "timeout_s": 60}'
        raise refused(f"{program}: what it printed is not understood. It may print {hint}, or nothing") from None
