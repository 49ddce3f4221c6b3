"""The short name of the project that an agent works in, safe to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import projects as names
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable


def projects(folders: Iterable[str]) -> dict[str, str]:
    return names.projects(folders, tidy)


def project(folder: str) -> str:
    return names.project(folder, tidy)
