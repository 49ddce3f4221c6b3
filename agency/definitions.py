"""The agents that people have described: `agents/<name>.toml` in the folder of config.toml."""

from __future__ import annotations

import os
import shutil
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from agency.outcome import wrong_usage
from agency.rights import Rights
from contract import bar_files, store, typed
from processes.programs import invocation
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EXAMPLE = """program = "claude"
model = "sonnet"
allow = ["Read", "Grep", "Bash(git log:*)"]
deny = ["WebFetch"]
prompt = "You review changes. Say what is wrong, and nothing else."
cwd = "~/shop"
timeout_s = 600
turns = 30
"""


class Definition(NamedTuple):
    """One agent. Its prompt stands before what it is asked."""

    name: str
    path: str
    program: str
    arguments: tuple[str, ...] = ()
    model: str = ""
    mode: str = ""
    prompt: str = ""
    cwd: str = ""
    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()
    timeout_s: float = 0.0
    turns: int = 0
    asks: bool = False

    @property
    def client(self) -> str:
        called = invocation((self.program, *self.arguments))
        return called.program if called else ""

    @property
    def rights(self) -> Rights:
        return Rights(self.allow, self.deny)


def folder(env: Mapping[str, str]) -> str:
    return os.path.join(os.path.dirname(bar_files.settings(env)), "agents")


def names(env: Mapping[str, str]) -> list[str]:
    return [name.removesuffix(".toml") for name in store.names(folder(env), ".toml")]


def load(env: Mapping[str, str], name: str) -> Definition:
    """NotDone names the file, and the line where TOML can."""
    known = names(env)
    if name not in known:
        there = f"There are: {', '.join(tidy(one, 40) for one in known)}" if known else f"{folder(env)} has none"
        raise wrong_usage(f"no agent {tidy(name, 40)!r}. {there}. To list and check them: {typed.command('agents')}")
    path = os.path.join(folder(env), name + ".toml")
    try:
        text = (store.read(os.path.realpath(path)) or b"").decode()
    except (OSError, ValueError) as error:
        raise wrong_usage(f"{path}: {tidy(str(error), 200)}") from None
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"at line {text.count(chr(10)) + 1}"
        raise wrong_usage(f"{path}: {tidy(str(error).replace('at end of document', where), 200)}") from None
    return _definition(name, path, raw)


def missing(definition: Definition, env: Mapping[str, str]) -> str:
    """What it needs and this machine does not have; '' if nothing."""
    if shutil.which(definition.program, path=env.get("PATH")) is None:
        return f"{definition.path}: no program {definition.program!r} on PATH"
    cwd = os.path.expanduser(definition.cwd)
    return f"{definition.path}: no folder {definition.cwd}" if cwd and not os.path.isdir(cwd) else ""


def _definition(name: str, path: str, raw: Mapping[str, Any]) -> Definition:
    if unknown := sorted(raw.keys() - KEYS.keys()):
        raise wrong_usage(f"{path}: unknown key {tidy(unknown[0], 40)!r}. Known: {', '.join(KEYS)}")
    if "program" not in raw:
        raise wrong_usage(f"{path}: 'program' is missing, such as: program = \"claude\"")
    for key, value in raw.items():
        wants, fits = KEYS[key]
        if not fits(value):
            raise wrong_usage(f"{path}: {key} must be {wants}")
    tuples = {key: tuple(raw[key]) for key in ("arguments", "allow", "deny") if key in raw}
    return Definition(name, path, **{**raw, **tuples})


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_positive(value: Any) -> bool:
    return type(value) in (int, float) and value > 0


TEXT = ("a text", _is_text)
TEXTS = ("a list of texts", _is_texts)
KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "program": TEXT,
    "arguments": TEXTS,
    "model": TEXT,
    "mode": TEXT,
    "prompt": TEXT,
    "cwd": TEXT,
    "allow": TEXTS,
    "deny": TEXTS,
    "timeout_s": ("a number of seconds above 0", _is_positive),
    "turns": ("a whole number above 0", lambda value: type(value) is int and value > 0),
    "asks": ("true or false", lambda value: type(value) is bool),
}
