"""The settings as values, and how they are read from config.toml."""

from __future__ import annotations

import math
import os
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from contract import bar_files, store
from contract.clients import CLIENTS
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Value = bool | int | float | str | list[str]

FRONTS = ("auto", "menubar", "tray", "terminal")
LONGEST_S = 86400.0
MOST = 100_000
NEVER = "never"  # on the command line; in TOML it is inf
SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


# As in the sound naming specification of freedesktop.org; without a dash, "ture" would be one.
SOUND = re.compile(r"[a-z]{1,30}(-[a-z]{1,30}){1,5}", re.ASCII)
TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}", re.ASCII)
LONGEST_ADDRESS = 200
MAC_SOUNDS = (
    "Basso", "Blow", "Bottle", "Frog", "Funk", "Glass", "Hero", "Morse", "Ping", "Pop", "Purr", "Sosumi", "Submarine",
    "Tink",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    enabled: bool = True
    sound: bool | str = False  # or the name of a sound
    after_s: float = 60.0
    quiet_from: str = ""
    quiet_to: str = ""
    mute: tuple[str, ...] = ()
    mute_clients: tuple[str, ...] = ()
    ntfy_server: str = "https://ntfy.sh"
    ntfy_topic: str = ""
    ntfy_token_file: str = ""
    ntfy_details: bool = False
    front: str = "auto"
    last_words: bool = True
    answers_enabled: bool = True
    answers_agents: float = 0.0
    agents_at_once: int = 50
    agents_per_parent: int = 20
    agents_deep: int = 3
    agents_a_minute: int = 0
    hook_s: float = 5.0
    no_spawn_in: tuple[str, ...] = ()
    no_kill_in: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()  # what in the file is invalid


class Key(NamedTuple):
    default: Value
    wants: str  # what a value must be
    fits: Callable[[Any], bool]
    read: Callable[[str], Any]  # from an argument of the command line; what it cannot read does not fit
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
    return isinstance(value, list) and all(isinstance(folder, str) and folder for folder in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST


def _number(word: str) -> float | int:
    if word == NEVER:
        return math.inf
    try:
        number = float(word)
    except ValueError:
        return math.nan
    return int(number) if number.is_integer() else number


def _folders(word: str) -> list[str] | None:
    """None for a TOML list: it would be taken for the name of one folder."""
    if word.lstrip().startswith("["):
        return None
    return [os.path.abspath(os.path.expanduser(folder)) for folder in word.split(os.pathsep) if folder]


def _is_clients(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name in CLIENTS for name in value)


def _words(word: str) -> list[str]:
    return [name.strip() for name in word.split(",") if name.strip()]


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _switch(word: str) -> bool | None:
    return SWITCH.get(word.lower())


def _is_sound(value: Any) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and (value in MAC_SOUNDS or bool(SOUND.fullmatch(value))))


def _sound(word: str) -> bool | str:
    return SWITCH.get(word.lower(), word)


def _is_server(value: Any) -> bool:
    """Without a password: it would be shown with the settings."""
    if not isinstance(value, str) or len(value) > LONGEST_ADDRESS or not value.isprintable() or set(value) & {" ", "@"}:
        return False
    try:
        where = urlsplit(value)
        is_port = where.port is None or where.port > 0
    except ValueError:
        return False
    return (
        where.scheme in ("http", "https") and bool(where.hostname) and is_port and not (where.query or where.fragment)
    )


def _is_topic(value: Any) -> bool:
    return isinstance(value, str) and (value == "" or bool(TOPIC.fullmatch(value)))


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and (value == "" or (value.startswith("/") and value.isprintable()))


def _path(word: str) -> str:
    return os.path.abspath(os.path.expanduser(word)) if word else ""


COUNT = ("a whole number from 0 (no limit) to 100000", _is_count, _number)
FOLDERS = ("folders separated by a colon, such as ~/one:~/two", _is_folders, _folders)
NAMED = (f"names separated by a comma, of {', '.join(CLIENTS)}", _is_clients, _words)
TIME = ("a time such as 22:30, or '' for none", _is_time, str)
KEYS = {
    "notify.enabled": Key(True, "on or off", _is_switch, _switch, "show notifications"),
    "notify.sound": Key(
        False,
        "on, off or the name of a sound, such as bell-terminal (on macOS: Ping)",
        _is_sound,
        _sound,
        "play a sound with each: on, off or its name",
    ),
    "notify.after_s": Key(
        60,
        "a number of seconds from 0 to 86400, or never",
        _is_seconds,
        _number,
        "notify when an agent finishes after at least this many seconds",
    ),
    "notify.quiet_from": Key("", *TIME, "no notifications from this time of day"),
    "notify.quiet_to": Key("", *TIME, "until this time of day"),
    "notify.mute": Key([], *FOLDERS, "no notifications from these folders; separate several by a colon"),
    "notify.mute_clients": Key([], *NAMED, "no notifications about agents of these clients"),
    "notify.ntfy_topic": Key(
        "",
        "a topic of ntfy (letters, digits, - and _), or '' for none",
        _is_topic,
        str,
        "send notifications to a phone too: to this topic of ntfy; choose one that nobody guesses",
    ),
    "notify.ntfy_server": Key(
        "https://ntfy.sh", "an address that begins with https:// or http://", _is_server, str, "the server of ntfy"
    ),
    "notify.ntfy_token_file": Key(
        "", "the path of a file, or '' for none", _is_path, _path, "a file with the token for that server, mode 600"
    ),
    "notify.ntfy_details": Key(
        False, "on or off", _is_switch, _switch, "send names and details to the phone, and not only numbers"
    ),
    "front": Key("auto", f"one of {', '.join(FRONTS)}", lambda value: value in FRONTS, str, "what `up` shows"),
    "show.last_words": Key(True, "on or off", _is_switch, _switch, "show what agents said last and what they ask"),
    "answers.enabled": Key(
        True, "on or off", _is_switch, _switch, "answer from outside, where `install --answers` has added its hook"
    ),
    "answers.agents": Key(
        0,
        "a number of seconds from 0 to 86400",
        lambda value: _is_seconds(value) and value != math.inf,
        _number,
        "hold what sub-agents ask for so long; their dialog appears in the terminal only after it",
    ),
    "spawn.agents_at_once": Key(50, *COUNT, "as many agents may be spawned at once"),
    "spawn.agents_per_parent": Key(20, *COUNT, "as many may one agent spawn at once"),
    "spawn.agents_deep": Key(3, *COUNT, "a spawned agent may spawn others, down to this depth"),
    "spawn.agents_a_minute": Key(0, *COUNT, "as many may be spawned in a minute"),
    "spawn.no_spawn_in": Key([], *FOLDERS, "no agent is spawned in these folders"),
    "spawn.hook_s": Key(
        5, "a number of seconds from 0 to 86400, or never", _is_seconds, _number, "how long a hook of yours may take"
    ),
    "kill.no_kill_in": Key([], *FOLDERS, "agents in these folders are not ended by `kill`"),
}


def field(name: str) -> str:
    """Of a setting in `Settings`: the last part of its name, unless two settings share that."""
    return name.replace(".", "_") if name.startswith("answers.") else name.rpartition(".")[2]


def path(env: Mapping[str, str]) -> str:
    return bar_files.settings(env)


def text(path: str) -> str:
    """Symbolic links are followed: people keep such files elsewhere. Raises OSError and UnicodeDecodeError."""
    return (store.read(os.path.realpath(path)) or b"").decode()


def load(env: Mapping[str, str]) -> Settings:
    """Never raises: an invalid setting gets its default, and `trouble` names it."""
    try:
        raw = tomllib.loads(text(path(env)))
    except (OSError, ValueError, RecursionError) as error:
        return Settings(trouble=(f"{path(env)}: {tidy(str(error), 200)}",))
    return settings(raw)


def settings(raw: Mapping[str, Any]) -> Settings:
    values: dict[str, Any] = {}
    trouble = []
    for name, key in KEYS.items():
        value = look_up(raw, name, key.default)
        if not key.fits(value):
            trouble.append(f"{name}: {tidy(str(value), 40)!r} is not {key.wants}")
            value = key.default
        values[field(name)] = tuple(value) if isinstance(value, list) else value
    return Settings(**values, trouble=tuple(trouble))


def remarks(raw: Mapping[str, Any]) -> list[str]:
    """About what is in the file without effect, though its value is valid."""
    texts = [f"{tidy(name, 60)}: there is no such setting" for name in _unknown(raw)]
    chosen = settings(raw)
    if bool(chosen.quiet_from) != bool(chosen.quiet_to):
        names = ("notify.quiet_from", "notify.quiet_to")
        present, missing = names if chosen.quiet_from else reversed(names)
        texts.append(f"{present} has no effect until {missing} is set too")
    return [*texts, *_about_ntfy(chosen)]


def _about_ntfy(chosen: Settings) -> list[str]:
    has_more = chosen.ntfy_token_file or chosen.ntfy_details or chosen.ntfy_server != Settings.ntfy_server
    if has_more and not chosen.ntfy_topic:
        return ["nothing is sent to a phone until notify.ntfy_topic is set"]
    if chosen.ntfy_token_file and chosen.ntfy_server.startswith("http:"):
        return ["notify.ntfy_server begins with http:, so the token can be read on the way"]
    return []


def _unknown(raw: Mapping[str, Any]) -> Iterator[str]:
    tables = {name.partition(".")[0] for name in KEYS if "." in name}
    for name, value in raw.items():
        if name in tables and isinstance(value, dict):
            yield from (full for full in (f"{name}.{inner}" for inner in value) if full not in KEYS)
        elif name not in KEYS or "." in name:  # a quoted name with a dot is not a table
            yield name


def look_up(raw: Mapping[str, Any], name: str, default: Any) -> Any:
    """The default also if what should be a table is something else."""
    table, dot, last = name.rpartition(".")
    where = raw.get(table, {}) if dot else raw
    return where.get(last, default) if isinstance(where, dict) else default
