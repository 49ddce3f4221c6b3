"""What people may choose, as values; and how it stands in config.toml."""

from __future__ import annotations

import math
import os
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import bar, store
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Value = bool | int | float | str | list[str]

FRONTS = ("auto", "menubar", "tray", "terminal")
LONGEST_S = 86400.0
NEVER = "never"  # on the command line; in TOML it is inf
SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True)
class Settings:
    enabled: bool = True
    sound: bool = False
    after_s: float = 60.0
    quiet_from: str = ""
    quiet_to: str = ""
    mute: tuple[str, ...] = ()
    front: str = "auto"
    trouble: tuple[str, ...] = ()  # what could not be taken from the file


class Key(NamedTuple):
    default: Value
    wants: str  # what a value must be, in words
    fits: Callable[[Any], bool]
    read: Callable[[str], Any]  # from a word of the command line; what it cannot read does not fit
    help: str


def _is_time(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > 5:  # noqa: PLR2004 - as long as 23:59
        return False
    hour, colon, minute = value.partition(":")
    digits = (hour + minute).isascii() and hour.isdigit() and minute.isdigit() and len(minute) == 2  # noqa: PLR2004
    return value == "" or bool(colon and digits and int(hour) < 24 and int(minute) < 60)  # noqa: PLR2004 - a clock


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and (0 <= value <= LONGEST_S or value == math.inf)


def _is_folders(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def _number(word: str) -> float | int:
    if word == NEVER:
        return math.inf
    try:
        found = float(word)
    except ValueError:
        return math.nan
    return int(found) if found.is_integer() else found


def _folders(word: str) -> list[str] | None:
    """A list as TOML writes it would be one folder of a strange name."""
    if word.lstrip().startswith("["):
        return None
    return [os.path.abspath(os.path.expanduser(one)) for one in word.split(os.pathsep) if one]


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _switch(word: str) -> bool | None:
    return SWITCH.get(word.lower())


TIME = ("a time such as 22:30, or '' for none", _is_time, str)
KEYS = {
    "notify.enabled": Key(True, "on or off", _is_switch, _switch, "notifications at all"),
    "notify.sound": Key(False, "on or off", _is_switch, _switch, "with a sound"),
    "notify.after_s": Key(
        60,
        "seconds, 0 to 86400, or never",
        _is_seconds,
        _number,
        "tell of an agent that waits after a turn of this length",
    ),
    "notify.quiet_from": Key("", *TIME, "no notifications from this time of the day"),
    "notify.quiet_to": Key("", *TIME, "until this one"),
    "notify.mute": Key(
        [],
        "folders, with : between them, such as ~/one:~/two",
        _is_folders,
        _folders,
        "no notifications from these folders; to set several: with : between them",
    ),
    "front": Key("auto", ", ".join(FRONTS), lambda value: value in FRONTS, str, "what `yourturn up` shows"),
}


def path(env: Mapping[str, str]) -> str:
    return bar.settings(env)


def text(path: str) -> str:
    """Behind a link too: people keep such files elsewhere. Raises OSError and UnicodeDecodeError."""
    return (store.read(os.path.realpath(path)) or b"").decode()


def load(env: Mapping[str, str]) -> Settings:
    """Never a reason to fall over: what cannot be used is as if it were not there, and named."""
    try:
        raw = tomllib.loads(text(path(env)))
    except (OSError, ValueError, RecursionError) as error:
        return Settings(trouble=(f"{path(env)}: {tidy(str(error), 200)}",))
    return settings(raw)


def settings(raw: Mapping[str, Any]) -> Settings:
    found: dict[str, Any] = {}
    trouble = []
    for name, key in KEYS.items():
        value = look_up(raw, name, key.default)
        if not key.fits(value):
            trouble.append(f"{name}: {tidy(str(value), 40)!r} is not {key.wants}")
            value = key.default
        found[name.rpartition(".")[2]] = tuple(value) if isinstance(value, list) else value
    return Settings(**found, trouble=tuple(trouble))


def remarks(raw: Mapping[str, Any]) -> list[str]:
    """On what is in the file without effect, though nothing is wrong with its value."""
    found = [f"{tidy(name, 60)}: there is no such setting" for name in _unknown(raw)]
    chosen = settings(raw)
    if bool(chosen.quiet_from) != bool(chosen.quiet_to):
        names = ("notify.quiet_from", "notify.quiet_to")
        there, missing = names if chosen.quiet_from else reversed(names)
        found.append(f"{there} counts only together with {missing}, which is not set")
    return found


def _unknown(raw: Mapping[str, Any]) -> Iterator[str]:
    tables = {name.partition(".")[0] for name in KEYS if "." in name}
    for name, value in raw.items():
        if name in tables and isinstance(value, dict):
            yield from (full for full in (f"{name}.{inner}" for inner in value) if full not in KEYS)
        elif name not in KEYS or "." in name:  # a name in quotes is no table
            yield name


def look_up(raw: Mapping[str, Any], name: str, default: Any) -> Any:
    """A table that is not one holds nothing."""
    table, dot, last = name.rpartition(".")
    where = raw.get(table, {}) if dot else raw
    return where.get(last, default) if isinstance(where, dict) else default
