"""The package that speaks to brokers, which not everybody has."""

from __future__ import annotations

from importlib.util import find_spec

from contract import installation

PACKAGE = "paho-mqtt"


def lacking() -> str:
    """What to type so that it is there; '' if it is."""
    is_there = find_spec("paho") is not None and find_spec("paho.mqtt") is not None
    return "" if is_there else f"to speak to a broker, add {PACKAGE}: {installation.adding(PACKAGE)}"
