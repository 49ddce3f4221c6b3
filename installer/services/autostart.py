"""The entry by which a Linux desktop opens the icon at login, after the Desktop Entry and Autostart specifications.

Pure. A value of `Exec` is escaped twice: each argument for the command line, and the whole as a text of the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from installer.hooks.program import PROJECT
from installer.refusal import Refusal
from installer.services import job

if TYPE_CHECKING:
    from collections.abc import Mapping

    from installer.services.job import Job

TEMPLATE = f"{PROJECT}/autostart/yourturn.desktop"

_PLACEHOLDER = re.compile(r"@([A-Z_]+)@")
_PLAIN = re.compile(r"[A-Za-z0-9/._:=+@,-]+")
_QUOTED_OR_PLAIN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')
_SPECIAL = re.compile(r'(["`$\\])')
_ESCAPED = re.compile(r"\\(.)")
_IN_TEXTS = {"s": " ", "n": "\n", "t": "\t", "r": "\r"}


def write(template: bytes, wanted: Job) -> bytes:
    """The template with its placeholders filled in; a variable that is not needed is left out."""
    job.check(wanted, job.ONLY_MOVE)
    if "=" in wanted.interpreter:
        trouble = f"A desktop cannot start a program whose path has an equals sign, such as {wanted.interpreter}."
        raise Refusal(trouble, job.ONLY_MOVE)
    lines = [_filled(line, wanted.words) for line in template.decode("utf-8").splitlines()]
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def read(data: bytes, user_home: str) -> Job | None:
    """What the entry opens; None if it was not written by yourturn."""
    try:
        lines = [line.partition("=") for line in data.decode("utf-8").split("\n")]
    except UnicodeDecodeError:
        return None
    env, *argv = next((unquoted(value) for key, _, value in lines if key.strip() == "Exec"), []) or [""]
    if env != "env":
        return None
    variables = {}
    while argv and "=" in argv[0]:
        name, _, value = argv.pop(0).partition("=")
        variables[name] = value
    return job.found(argv, variables, user_home, "up")


def quoted(word: str) -> str:
    """One argument: unquoted, a space would end it, $ begin a variable, and % stand for a file."""
    if not _PLAIN.fullmatch(word):
        word = '"' + _SPECIAL.sub(r"\\\1", word) + '"'
    return word.replace("%", "%%").replace("\\", "\\\\")


def unquoted(value: str) -> list[str]:
    """The arguments of a value that `quoted` wrote."""
    text = _ESCAPED.sub(lambda match: _IN_TEXTS.get(match.group(1), match.group(1)), value).replace("%%", "%")
    found = _QUOTED_OR_PLAIN.finditer(text)
    return [plain or _ESCAPED.sub(r"\1", inside) for inside, plain in (match.groups("") for match in found)]


def _filled(line: str, words: Mapping[str, str]) -> str:
    key, equals, value = line.partition("=")
    if key != "Exec":
        return line
    known = [word for word in value.split() if all(name in words for name in _PLACEHOLDER.findall(word))]
    argv = [_PLACEHOLDER.sub(lambda name: words[name.group(1)], word) for word in known]
    return key + equals + " ".join(map(quoted, argv))
