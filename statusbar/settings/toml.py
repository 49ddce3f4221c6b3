"""One value of a TOML text changed, and everything else left as it is: comments, order, unknown keys."""

from __future__ import annotations

import copy
import json
import math
import tomllib
from typing import Any


class Stubborn(ValueError):  # noqa: N818 - it is no fault of ours
    """The text is written in a way in which this value cannot be changed."""


def changed(text: str, name: str, value: Any) -> str:
    """The text with this value; without it if the value is None. Raises TOMLDecodeError for a broken text."""
    before = tomllib.loads(text)
    wanted = _with(before, name, value)
    if wanted == before:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    found = _edited(text.replace("\r\n", "\n"), name, value)
    if found is None or not _means(found, wanted):
        raise Stubborn(f"{name} cannot be changed there")
    return found.replace("\n", newline)


def written(value: Any) -> str:
    """By hand, because only who changes a setting should wait for tomlkit."""
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if value == math.inf:
        return "inf"  # JSON has no word for it
    # JSON's escapes are TOML's too, but for DEL, which JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _with(data: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    found = copy.deepcopy(data)
    table, dot, last = name.rpartition(".")
    where = found.get(table, {}) if dot else found
    if not isinstance(where, dict):
        raise Stubborn(f"{table} is not a table there")
    if value is None:
        where.pop(last, None)
        return found
    where[last] = value
    return {**found, table: where} if dot else found


def _edited(text: str, name: str, value: Any) -> str | None:
    """None where tomlkit cannot: it is nested so deeply that only tomllib could read it."""
    import tomlkit  # noqa: PLC0415 - only a change needs it

    table, _, last = name.rpartition(".")
    try:
        document = tomlkit.parse(text)
        where: Any = document.setdefault(table, tomlkit.table()) if table else document
        if value is None:
            where.pop(last, None)
        else:
            where[last] = value
        return tomlkit.dumps(document)
    except (tomlkit.exceptions.TOMLKitError, RecursionError):
        return None


def _means(text: str, wanted: dict[str, Any]) -> bool:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    # repr, because 1 == True and a value must also keep its type; and nan is not even itself.
    return repr(_ordered(found)) == repr(_ordered(wanted))


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((key, _ordered(one)) for key, one in value.items())
    return [_ordered(one) for one in value] if isinstance(value, list) else value
