"""One task for a worker of a coding agent, as its client's command line is built from it."""

from __future__ import annotations

from typing import NamedTuple


class Task(NamedTuple):
    session: str
    model: str = ""
    instructions: str = ""  # added to the system prompt
    mode: str = ""  # the permission mode; '' for the strictest that fits the rights
    turns: int = 0  # 0: no limit
    asks: bool = False  # a person, for what it may not do unasked
