"""Broken laws that the simulator does not find, and why: the one list of what it cannot see."""

from __future__ import annotations

SURVIVORS: dict[str, str] = {}
