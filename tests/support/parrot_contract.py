"""What several rooms must know of a client that does not exist; `parrot.py` is the hook's side."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "PARROT_CAGE"
MARKS = ("PARROT",)
PACKAGES: tuple[str, ...] = ()
SERVICES = ("--version",)
HOSTS: tuple[str, ...] = ()


def config_dir(env: Mapping[str, str]) -> str:
    return env.get(CONFIG) or f"{env['HOME']}/.parrot"


def settings(env: Mapping[str, str]) -> str:
    return f"{config_dir(env)}/feathers"


def registered(env: Mapping[str, str]) -> list[str]:
    folder = f"{config_dir(env)}/running"
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []
