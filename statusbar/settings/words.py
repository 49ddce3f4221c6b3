"""Whether what agents say is shown: one setting, read without the others, because `yourturn status` waits for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from contract import bar, store

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = b"last_words"


def are_shown(env: Mapping[str, str]) -> bool:
    """To read TOML takes a tenth of `yourturn status`: only a file that has the name is read as TOML."""
    try:
        is_named = NAME in (store.read(os.path.realpath(bar.settings(env))) or b"")
    except OSError:
        return True
    if not is_named:
        return True
    from statusbar.settings import settings  # noqa: PLC0415 - slow to import, and seldom needed

    return settings.load(env).last_words
