"""`yourturn config`: the settings, shown and changed."""

from __future__ import annotations

import os
import sys
import tomllib
from typing import TYPE_CHECKING, Any

from contract import store
from statusbar.settings import settings, toml
from statusbar.settings.settings import KEYS, Key
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

DEFAULT = "default"


class Refused(Exception):  # noqa: N818 - an expected outcome
    """Why a setting cannot be shown or changed."""


class Wrong(Refused):
    """What was typed is no setting, or no value for it."""


def run(args: argparse.Namespace) -> int:
    path = settings.path(os.environ)
    try:
        key = _key(args.key) if args.key is not None else None
        if key and args.value is not None:
            change(path, args.key, _value(args.key, key, args.value))
        raw = _parsed(path)
    except (Refused, OSError) as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return 2 if isinstance(error, Wrong) else 1
    if key:
        print(shown(raw, args.key))
    else:
        print("\n".join(page(raw, path)))
    return _complain(raw)


def page(raw: dict[str, Any], path: str) -> list[str]:
    """Each setting and what it means; a setting that is not in the file is a comment."""
    lines = [f"# {path}"]
    for name, key in KEYS.items():
        chosen = settings.look_up(raw, name, None) is not None
        lines.append(f"{'' if chosen else '# '}{name} = {shown(raw, name)}".ljust(40) + f"  # {key.help}")
    return lines


def shown(raw: dict[str, Any], name: str) -> str:
    """The value in effect: the default if the value in the file is invalid."""
    return toml.written(_in_effect(raw, name))


def change(path: str, name: str, value: Any) -> None:
    """None resets the setting. Raises Refused and OSError."""
    edit(path, name, lambda _: value)


def edit(path: str, name: str, turn: Callable[[Any], Any]) -> None:
    """Replace the value by `turn(value)`.

    Under a lock, so that of two changes at the same moment none is lost.
    """
    _parsed(path)
    path = os.path.realpath(path)
    store.private_folder(os.path.dirname(path))
    with store.Locked(path):
        try:
            value = turn(_in_effect(_parsed(path), name))
            store.replace(path, _changed(path, name, value), durable=True)
        finally:
            store.remove(path + ".lock")


def _key(name: str) -> Key:
    if name not in KEYS:
        raise Wrong(f"no setting '{tidy(name, 40)}'. The settings are: {', '.join(KEYS)}")
    return KEYS[name]


def _value(name: str, key: Key, word: str) -> Any:
    """None resets the setting."""
    if word == DEFAULT:
        return None
    value = key.read(word)
    if not key.fits(value):
        raise Wrong(f"{name} cannot be '{tidy(word, 40)}'; it must be {key.wants}")
    return value


def _parsed(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(settings.text(path))
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path} is not valid TOML and was not changed: {tidy(str(error), 200)}") from None


def _in_effect(raw: dict[str, Any], name: str) -> Any:
    value = settings.look_up(raw, name, KEYS[name].default)
    return value if KEYS[name].fits(value) else KEYS[name].default


def _changed(path: str, name: str, value: Any) -> bytes:
    try:
        return toml.changed(settings.text(path), name, value).encode()
    except toml.Stubborn:
        raise Refused(f"{name} cannot be changed automatically in {path}; edit the file by hand") from None
    except UnicodeEncodeError:
        raise Refused(f"{name}: the value is not valid text") from None


def _complain(raw: dict[str, Any]) -> int:
    for words in settings.settings(raw).trouble:
        print(f"yourturn: {words}; the default is used", file=sys.stderr)
    for words in settings.remarks(raw):
        print(f"yourturn: {words}", file=sys.stderr)
    return 0
