"""One value of a TOML text changed, and everything else left as it is: comments, order, unknown keys.

The text is edited at every place that may be the right one, and parsed again: what does not come out as wanted is not
the right one.
"""

from __future__ import annotations

import copy
import json
import math
import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMENT = re.compile(r"\s+#[^\"']*$")


class Stubborn(ValueError):  # noqa: N818 - it is no fault of ours
    """The text is written in a way in which this value cannot be changed."""


def changed(text: str, name: str, value: Any) -> str:
    """The text with this value; without it if the value is None. Raises TOMLDecodeError for a broken text."""
    before = tomllib.loads(text)
    wanted = _with(before, name, value)
    if wanted == before:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    for candidate in _candidates(text.replace("\r\n", "\n"), name, value):
        if _means(candidate, wanted):
            return candidate.replace("\n", newline)
    raise Stubborn(f"{name} cannot be changed there")


def written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if value == math.inf:
        return "inf"  # JSON has no word for it
    # JSON's escapes are TOML's too, but for DEL, which JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _with(data: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    found = copy.deepcopy(data)
    table, dot, last = name.rpartition(".")
    where = found.setdefault(table, {}) if dot else found
    if not isinstance(where, dict):
        raise Stubborn(f"{table} is not a table there")
    where.pop(last, None)
    if value is not None:
        where[last] = value
    return found


def _candidates(text: str, name: str, value: Any) -> Iterator[str]:
    lines = text.split("\n")
    table, _, last = name.rpartition(".")
    for k, line in enumerate(lines):
        if last in line and "=" in line:
            for instead in _instead(line, value):
                yield "\n".join([*lines[:k], *instead, *lines[k + _height(lines[k:]) :]])
    if value is None:
        return
    entry = f"{last} = {written(value)}"
    if not table:
        yield f"{entry}\n{text}"
    for k, line in enumerate(lines):
        if table and table in line and line.lstrip().startswith("["):
            yield "\n".join([*lines[: k + 1], entry, *lines[k + 1 :]])
    yield f"{text.rstrip()}\n\n[{table}]\n{entry}\n".lstrip()


def _instead(line: str, value: Any) -> Iterator[list[str]]:
    """What may stand there for this line: with its comment if it has one."""
    if value is None:
        yield []
        return
    entry = f"{line.partition('=')[0].rstrip()} = {written(value)}"
    comment = COMMENT.search(line)
    if comment:
        yield [entry + comment[0]]
    yield [entry]


def _height(lines: list[str]) -> int:
    """How many lines the entry takes that begins with the first one."""
    for k in range(1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[:k]))
        except tomllib.TOMLDecodeError:
            continue
        return k
    return 1


def _means(text: str, wanted: dict[str, Any]) -> bool:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    # repr, because 1 == True and a value must also keep its type.
    return found == wanted and repr(_ordered(found)) == repr(_ordered(wanted))


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((key, _ordered(one)) for key, one in value.items())
    return [_ordered(one) for one in value] if isinstance(value, list) else value
