"""systemd's user manager: the unit file, what systemctl prints about it, the commands. Pure, except for `ask`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from contract import paths
from installer.hooks.program import PROJECT
from installer.refusal import Refusal
from installer.services import job
from installer.services.job import Said, Standing, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from installer.services.job import Job

NAME = "systemd"
UNIT = "yourturn-watcher.service"
TEMPLATE = f"{PROJECT}/systemd/{UNIT}"
LOG = f"`journalctl --user -u {UNIT}`"

_ASKED = ("LoadState", "ActiveState", "SubState", "UnitFileState", "MainPID", "Result", "ExecMainStatus")
_PLACEHOLDER = re.compile(r"@([A-Z_]+)@")
_WORD_WITH_PLACEHOLDER = re.compile(r"\S*@[A-Z_]+@\S*")
_PLAIN = re.compile(r"[A-Za-z0-9/._:=+@,-]+")
_QUOTED_OR_PLAIN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_ESCAPED = re.compile(r"%%|\\(.)")


def path(environ: Mapping[str, str]) -> str:
    config = environ.get("XDG_CONFIG_HOME", "")
    # The XDG specification: a relative path is invalid and is to be ignored.
    folder = config.rstrip("/") if config.startswith("/") else paths.user_home(environ) + "/.config"
    return f"{folder}/systemd/user/{UNIT}"


def write(template: bytes, wanted: Job) -> bytes:
    """The template with its placeholders filled in; a line for a variable that is not needed is left out."""
    job.check(wanted)
    if set(wanted.interpreter) & set("'\"\\"):
        trouble = f"systemd cannot start a program whose path has quotes or backslashes, such as {wanted.interpreter}."
        raise Refusal(trouble, job.MOVE)
    lines = [_filled(line, wanted.words) for line in template.decode("utf-8").splitlines()]
    return "".join(f"{line}\n" for line in lines if line is not None).encode("utf-8")


def read(data: bytes, user_home: str) -> Job | None:
    """What the unit starts; None if it was not written by yourturn."""
    try:
        lines = [line.partition("=") for line in data.decode("utf-8").split("\n")]
    except UnicodeDecodeError:
        return None
    argv = [word.removeprefix(":") for key, _, value in lines if key == "ExecStart" for word in unquoted(value)]
    settings = [word.partition("=") for key, _, value in lines if key == "Environment" for word in unquoted(value)]
    return job.found(argv, {name: value for name, _, value in settings}, user_home)


def quoted(word: str) -> str:
    """One item of a unit file (systemd.syntax): unquoted, % is a specifier, a space ends it, a backslash is lost."""
    if _PLAIN.fullmatch(word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def unquoted(value: str) -> list[str]:
    """The items of a line that `quoted` wrote."""
    found = (match.group(1) if match.group(2) is None else match.group(2) for match in _QUOTED_OR_PLAIN.finditer(value))
    return [_ESCAPED.sub(lambda match: match.group(1) or "%", item) for item in found]


def missing(ask: Callable[[tuple[str, ...]], Said], environ: Mapping[str, str]) -> str | None:
    """Why systemd cannot be used; None if it can."""
    said = ask(("systemctl", "--user", "show-environment"))
    if said.code:
        return "no systemd user manager is running"
    theirs = os.path.dirname(path(variables(said.out)))
    ours = os.path.dirname(path(environ))
    return None if theirs == ours else f"systemd's user manager reads {theirs}, not {ours}"


def variables(text: str) -> dict[str, str]:
    """What `systemctl show-environment` prints: values that a shell would not read as they are come as $'…'."""
    pairs = [line.partition("=") for line in text.splitlines()]
    return {name: _shell_unquoted(value) for name, _, value in pairs}


def question() -> tuple[str, ...]:
    return ("systemctl", "--user", "show", f"--property={','.join(_ASKED)}", UNIT)


def standing(said: Said) -> Standing:
    """From the properties that `question` asks for."""
    seen = dict(line.partition("=")[::2] for line in said.out.splitlines())
    known = seen.get("LoadState") == "loaded" and seen.get("UnitFileState") == "enabled"
    pid = seen.get("MainPID", "")
    ended = "failed" in seen.get("ActiveState", "") or seen.get("SubState") == "auto-restart"
    trouble = f"{seen.get('Result', 'failed')} {seen.get('ExecMainStatus', '')}" if ended else None
    return Standing(known, int(pid) if pid.isascii() and pid.isdigit() and pid != "0" else None, trouble)


def loading(_path: str) -> tuple[Step, ...]:
    return (
        _step("daemon-reload"),
        # A unit that failed too often does not start, not even by hand.
        _step("reset-failed", UNIT, needed=False),
        _step("enable", UNIT),
        _step("restart", UNIT),
    )


def unloading() -> tuple[Step, ...]:
    return (_step("disable", "--now", UNIT),)


def forgetting() -> tuple[Step, ...]:
    """After the file is removed."""
    return (_step("daemon-reload"), _step("reset-failed", UNIT, needed=False))


def leftovers(path: str) -> tuple[list[str], list[str]]:
    """The links that enabling has created, and the folders that may be empty now, innermost first."""
    folder = os.path.dirname(path)
    wants = f"{folder}/default.target.wants"
    return [f"{wants}/{UNIT}"], [wants, folder, os.path.dirname(folder)]


def _step(*words: str, needed: bool = True) -> Step:
    return Step(("systemctl", "--user", *words), needed)


def _filled(line: str, words: Mapping[str, str]) -> str | None:
    if any(name not in words for name in _PLACEHOLDER.findall(line)):
        return None
    key, equals, value = line.partition("=")

    def fill(match: re.Match[str]) -> str:
        return quoted(_PLACEHOLDER.sub(lambda name: words[name.group(1)], match.group()))

    return key + equals + _WORD_WITH_PLACEHOLDER.sub(fill, value)


def _shell_unquoted(value: str) -> str:
    if not (value.startswith("$'") and value.endswith("'")):
        return value
    return re.sub(r"\\(.)", r"\1", value[2:-1])
