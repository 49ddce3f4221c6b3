"""The file of one client that hooks are installed into, and which clients are on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, NamedTuple

from contract import clients as contract
from installer.clients import CLIENTS, DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from installer.clients import Client


class Target(NamedTuple):
    name: str
    """As `--client` takes it."""
    path: str
    """The file that our hooks are in."""

    @property
    def client(self) -> Client:
        return CLIENTS[self.name]

    @property
    def title(self) -> str:
        return self.client.TITLE

    @property
    def is_default(self) -> bool:
        return self.name == DEFAULT


def targets(names: Iterable[str], environ: Mapping[str, str]) -> list[Target]:
    """In the order of the table."""
    wanted = set(names)
    return [Target(name, _contract(name).settings(environ)) for name in CLIENTS if name in wanted]


def found(environ: Mapping[str, str]) -> list[Target]:
    """The clients whose program is on PATH, or whose folder is there."""
    return targets((name for name in CLIENTS if program(name, environ) or has_folder(name, environ)), environ)


def program(name: str, environ: Mapping[str, str]) -> str | None:
    """The path of the client's program; None if it is not on PATH."""
    paths = (shutil.which(program, path=environ.get("PATH", os.defpath)) for program in CLIENTS[name].PROGRAMS)
    return next((path for path in paths if path), None)


def has_folder(name: str, environ: Mapping[str, str]) -> bool:
    return os.path.isdir(_contract(name).config_dir(environ))


def variable(name: str) -> str:
    """The variable that moves the client's folder; '' if there is none."""
    return _contract(name).CONFIG


def _contract(name: str) -> contract.Client:
    __import__(contract.CLIENTS[name])
    return sys.modules[contract.CLIENTS[name]]
