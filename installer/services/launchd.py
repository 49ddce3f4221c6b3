"""launchd: the agent's file, what launchctl prints about it, the commands. Pure, except for `ask`.

`launchctl print` is for people, as its manual says; only what has been the same for years is read from it.
"""

from __future__ import annotations

import os
import plistlib
import re
from typing import TYPE_CHECKING, Any
from xml.parsers.expat import ExpatError

from contract import paths
from installer.hooks.program import PROJECT
from installer.services import job
from installer.services.job import Said, Standing, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from installer.services.job import Job

NAME = "launchd"
LABEL = "io.github.yourturn.watcher"
TEMPLATE = f"{PROJECT}/launchd/{LABEL}.plist"
LOG = "`watcher.err` in the state folder"

# `bootout` answers before the label is free, and until then `bootstrap` fails (5: Input/output error).
SETTLING_S = 15.0

_PLACEHOLDER = re.compile(r"@([A-Z_]+)@")
_OWN_LINE = re.compile(r"^\t(\w[\w ]*) = (.*)$", re.MULTILINE)
_WELL = ("0", "(never exited)")


def path(environ: Mapping[str, str]) -> str:
    return f"{paths.user_home(environ)}/Library/LaunchAgents/{LABEL}.plist"


def write(template: bytes, wanted: Job) -> bytes:
    """The template with its placeholders filled in; a variable that is not needed is left out."""
    job.check(wanted)
    return plistlib.dumps(_filled(plistlib.loads(template), wanted.words), sort_keys=False)


def read(data: bytes, user_home: str, label: str = LABEL, word: str = "watch") -> Job | None:
    """What the agent starts; None if it was not written by yourturn."""
    try:
        agent = plistlib.loads(data)
        argv = [word for word in agent["ProgramArguments"] if isinstance(word, str)]
        variables = {name: str(value) for name, value in agent.get("EnvironmentVariables", {}).items()}
    except (ValueError, TypeError, LookupError, AttributeError, ExpatError, RecursionError):
        return None
    return job.found(argv, variables, user_home, word) if agent.get("Label") == label else None


def missing(ask: Callable[[tuple[str, ...]], Said], environ: Mapping[str, str]) -> str | None:
    """Why launchd cannot be used; None if it can."""
    ours, theirs = paths.user_home(environ), paths.user_home({})
    if ours != theirs:
        return f"launchd serves {theirs}, not {ours}"
    if ask(("launchctl", "print", _domain())).code:
        return "launchd has no session for you, because you are not logged in at the screen"
    return None


def question() -> tuple[str, ...]:
    return ("launchctl", "print", _target())


def standing(said: Said) -> Standing:
    """From what `question` prints: lines with one tab are about the agent, lines with more about its parts."""
    if said.code:
        return Standing()
    seen = dict(_OWN_LINE.findall(said.out))
    pid = seen.get("pid", "")
    ended = seen.get("last exit code", "0")
    running = int(pid) if pid.isascii() and pid.isdigit() and pid != "0" else None
    return Standing(known=True, pid=running, trouble=None if running or ended in _WELL else f"exit {ended}")


def loading(path: str) -> tuple[Step, ...]:
    return (
        Step(("launchctl", "bootout", _target()), needed=False),
        # An agent that was disabled once would not be loaded.
        Step(("launchctl", "enable", _target())),
        Step(("launchctl", "bootstrap", _domain(), path), patience_s=SETTLING_S),
    )


def unloading() -> tuple[Step, ...]:
    # It fails if the agent is not loaded, and also while the agent is still ending.
    return (Step(("launchctl", "bootout", _target()), needed=False),)


def forgetting() -> tuple[Step, ...]:
    """After the file is removed: nothing is left in launchd."""
    return ()


def leftovers(_path: str) -> tuple[list[str], list[str]]:
    return [], []


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _target() -> str:
    return f"{_domain()}/{LABEL}"


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        filled = {key: _filled(item, words) for key, item in value.items()}
        return {key: item for key, item in filled.items() if item not in (None, {})}
    if isinstance(value, list):
        return [_filled(item, words) for item in value]
    if not isinstance(value, str):
        return value
    if any(name not in words for name in _PLACEHOLDER.findall(value)):
        return None
    return _PLACEHOLDER.sub(lambda name: words[name.group(1)], value)
