"""Options in a client's command line, `--option value` or `--option=value`. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

PROMPT = ("-p", "--prompt")  # as several clients call it: whoever is started with it works alone


def first_of(names: Container[str], arguments: Iterable[str]) -> str:
    """The first argument that is one of these options; '' if none is."""
    words = (word.partition("=")[0] for word in arguments)
    return next((word for word in words if word in names), "")
