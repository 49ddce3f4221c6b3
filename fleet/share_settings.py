"""With which broker this machine shares its statuses: `share.toml` beside config.toml, written by `yourturn share`."""

from __future__ import annotations

import getpass
import os
import platform
import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import store
from fleet import broker_address
from fleet.outgoing import LEVELS, STATES
from fleet.sources import NAME, NAMING, Wrong
from fleet.topics import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class Sharing(NamedTuple):
    broker: str
    owner: str
    host: str
    details: str = STATES
    credentials: str = ""  # files
    ca: str = ""
    insecure: bool = False

    @property
    def place(self) -> Place:
        return Place(self.owner, self.host)


def check(sharing: Sharing) -> str:
    """What is wrong with it; '' if nothing is."""
    if wrong := broker_address.wrong(sharing.broker, insecure=sharing.insecure):
        return wrong
    for word in (sharing.owner, sharing.host):
        if not NAME.fullmatch(word):
            return f"'{word[:40]}' is no name: {NAMING}"
    if not sharing.place.is_fit:
        return f"no machine may be called {sharing.host}: choose another name, with --host"
    return "" if sharing.details in LEVELS else f"details is one of {', '.join(LEVELS)}"


def load(path: str) -> Sharing | None:
    """None if nothing is shared. Raises Wrong."""
    try:
        data = store.read(os.path.realpath(path))
        return None if data is None else _sharing(tomllib.loads(data.decode()), path)
    except (OSError, ValueError) as error:
        raise Wrong(f"{path}: {error}") from None


def save(path: str, sharing: Sharing) -> None:
    import tomlkit  # noqa: PLC0415 - slow to import, and only needed for a change

    document = tomlkit.document()
    document.update({name: value for name, value in sharing._asdict().items() if value})
    path = os.path.realpath(path)
    store.private_folder(path.rpartition("/")[0])
    store.replace(path, tomlkit.dumps(document).encode(), durable=True)


def remove(path: str) -> None:
    store.remove(os.path.realpath(path))


def this_owner() -> str:
    """The user, as far as the name is fit for a topic."""
    try:
        return fit(getpass.getuser()).replace(".", "-") or "me"
    except (OSError, KeyError):  # a user without a name
        return "me"


def this_host() -> str:
    return fit(platform.node().partition(".")[0]) or "host"


def fit(name: str) -> str:
    """A name for a topic, as near to this one as may be."""
    return UNFIT.sub("-", name).strip("._-")[:40]


def _sharing(raw: Mapping[str, Any], path: str) -> Sharing:
    kinds = {name: bool if name == "insecure" else str for name in Sharing._fields}
    unknown = [name for name, value in raw.items() if not isinstance(value, kinds.get(name, ()))]
    if unknown:
        raise Wrong(f"{path}: {unknown[0]} is not one of {', '.join(kinds)}, or is of the wrong kind")
    missing = [name for name in ("broker", "owner", "host") if name not in raw]
    if missing:
        raise Wrong(f"{path}: {missing[0]} is missing")
    found = Sharing(**raw)
    if wrong := check(found):
        raise Wrong(f"{path}: {wrong}")
    return found
