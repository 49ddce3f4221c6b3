"""One task of a batch, as its line says it."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import NamedTuple


class Job(NamedTuple):
    """It has a command line, or a prompt and the agent who gets it."""

    id: str
    line: int
    command: tuple[str, ...] = ()
    prompt: str = ""
    agent: str = ""
    after: tuple[str, ...] = ()
    cwd: str = ""
    timeout_s: float = 0.0  # 0: none of its own
    untrusted: bool = False

    @property
    def digest(self) -> str:
        """Another one if what would run is another. How long it may take does not count, nor where its line is."""
        what = self._replace(line=0, timeout_s=0.0)
        return blake2b(json.dumps(what).encode(), digest_size=16).hexdigest()
