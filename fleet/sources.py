"""Which other machines to look at: `hosts.toml` beside config.toml, written by `yourturn hosts` or by hand."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import store
from fleet import broker_address

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
FIELDS = {
    "command": str, "program": str, "broker": str, "owner": str, "credentials": str, "ca": str, "total": bool,
    "insecure": bool,
}  # fmt: skip
ANY = "*"
HEAD = re.compile(r"\s*\[\s*[\"']?([^\"'\[\]]*?)[\"']?\s*\]")  # of a table
NAMING = "a name has letters, digits, dots, dashes and underscores, 40 at most"


class Wrong(Exception):  # noqa: N818 - an expected outcome
    """What is wrong with hosts.toml, with the name of the file."""


class Source(NamedTuple):
    """One machine that a command reaches, or a broker that tells of many."""

    name: str
    command: str = ""
    program: str = ""  # how yourturn is called there; '' to look for it
    broker: str = ""
    owner: str = ""  # whose machines, on a broker; * for everybody's
    credentials: str = ""  # the file with the broker's user and password
    ca: str = ""  # the file with the certificate of whoever signed the broker's
    total: bool = False  # whether we tell the broker how many of the owner's agents are in which state
    insecure: bool = False  # whether a connection that others can listen to is wanted

    @property
    def way(self) -> str:
        """How its machines are reached, as a person may read it: what a folder says of a machine."""
        return f"{self.broker} ({self.name})" if self.broker else self.command

    @property
    def words(self) -> list[str]:
        return shlex.split(self.command)


def load(path: str) -> dict[str, Source]:
    """By name; none if there is no file. Raises Wrong."""
    try:
        data = store.read(os.path.realpath(path))
        return {} if data is None else _sources(tomllib.loads(data.decode()), path)
    except (OSError, ValueError) as error:
        raise Wrong(f"{path}: {error}") from None


def check(source: Source) -> str:
    """What is wrong with it; '' if nothing is."""
    if not NAME.fullmatch(source.name):
        return f"'{source.name[:40]}' is no name: {NAMING}"
    if bool(source.command) == bool(source.broker):
        return f"{source.name}: name either a command or a broker"
    if source.broker:
        return _wrong_with_broker(source)
    try:
        return "" if source.words else f"{source.name}: the command is empty"
    except ValueError as error:  # a quote that is not closed
        return f"{source.name}: {error} in: {source.command}"


def _wrong_with_broker(source: Source) -> str:
    if wrong := broker_address.wrong(source.broker, insecure=source.insecure):
        return f"{source.name}: {wrong}"
    if source.owner != ANY and not NAME.fullmatch(source.owner):
        return f"{source.name}: '{source.owner[:40]}' is no owner: {NAMING}; or '{ANY}' for everybody's machines"
    if source.total and source.owner == ANY:
        return f"{source.name}: a total is of one owner: name whose machines are counted"
    return ""


def add(path: str, source: Source) -> None:
    """The rest of the file stays as a person wrote it. Raises Wrong."""
    import tomlkit  # noqa: PLC0415 - slow to import, and only needed for a change

    document = _document(path)
    table = tomlkit.table()
    for name, value in source._asdict().items():
        if name in FIELDS and value:
            table[name] = value
    document[source.name] = table
    _write(path, tomlkit.dumps(document))


def remove(path: str, name: str) -> None:
    """With the last one the file goes. Raises Wrong."""
    import tomlkit  # noqa: PLC0415 - as above

    document = _document(path)
    before = document.as_string()
    document.remove(name)
    after = _without(before, name)
    # By lines, since a comment above the next machine is of that one; tomlkit counts it to the one before.
    after = after if tomllib.loads(after) == document.unwrap() else tomlkit.dumps(document)
    if after.strip():
        _write(path, after)
    else:
        store.remove(os.path.realpath(path))


def text(path: str) -> bytes:
    """As it is now, for `restore`; b'' if there is no file."""
    return store.read(os.path.realpath(path)) or b""


def restore(path: str, before: bytes) -> None:
    _write(path, before.decode())


def _sources(raw: Mapping[str, Any], path: str) -> dict[str, Source]:
    found = {}
    for name, table in raw.items():
        if not isinstance(table, dict):
            raise Wrong(f"{path}: {name} must be a table, such as [{name}]")
        unknown = [key for key, value in table.items() if not isinstance(value, FIELDS.get(key, ()))]
        if unknown:
            raise Wrong(f"{path}: [{name}]: {unknown[0]} is not one of {', '.join(FIELDS)}, or is of the wrong kind")
        source = Source(name, **table)
        if wrong := check(source):
            raise Wrong(f"{path}: {wrong}")
        found[name] = source
    return found


def _without(text: str, name: str) -> str:
    """Without the lines of this table, but with the comments before the next one."""
    lines = text.splitlines(keepends=True)
    heads = {at: head[1] for at, line in enumerate(lines) if (head := HEAD.match(line))}
    first = next((at for at, table in heads.items() if table == name), None)
    if first is None:
        return text
    end = next((at for at in heads if at > first), len(lines))
    while end > first + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return "".join(lines[:first] + lines[end:])


def _document(path: str) -> Any:
    import tomlkit  # noqa: PLC0415 - as above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    load(path)
    try:
        return tomlkit.parse((store.read(os.path.realpath(path)) or b"").decode())
    except (OSError, ValueError, TOMLKitError) as error:
        raise Wrong(f"{path}: {error}") from None


def _write(path: str, text: str) -> None:
    path = os.path.realpath(path)
    store.private_folder(path.rpartition("/")[0])
    store.replace(path, text.encode(), durable=True)
