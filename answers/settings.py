"""What the person has chosen for answers, as the waiting hook reads it: it runs without the packages of the rest."""

from __future__ import annotations

from contract import bar_files, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TABLE = "answers"
LONGEST_S = 86400.0


def chosen(env: Mapping[str, str]) -> tuple[bool, float]:
    """Whether answers are on, and for how many seconds a sub-agent's request is held. What cannot be read is off."""
    try:
        data = store.read(_real(bar_files.settings(env))) or b""
    except (KeyError, OSError):
        return False, 0.0
    if TABLE.encode() not in data:
        return True, 0.0  # as the reader of TOML would find, which costs more than the hook itself
    try:
        from tomllib import loads  # noqa: PLC0415 - as above
    except ImportError:  # pragma: no cover - Python 3.10 and older, which yourturn itself does not run on
        return False, 0.0
    try:
        raw = loads(data.decode()).get(TABLE)
    except (ValueError, RecursionError):
        return False, 0.0
    return _read(raw) if isinstance(raw, dict) else (True, 0.0)


def _read(raw: dict[str, Any]) -> tuple[bool, float]:
    enabled, agents = raw.get("enabled", True), raw.get("agents", 0)
    seconds = float(agents) if type(agents) in (int, float) and 0 <= agents <= LONGEST_S else 0.0
    return enabled is True, seconds


def _real(path: str) -> str:
    """People keep such files elsewhere, and link to them."""
    from posixpath import realpath  # noqa: PLC0415 - with what else of `os` it needs

    return realpath(path)
