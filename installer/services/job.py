"""What a service manager starts, and what it reports about it. Values only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract import clients, paths
from installer.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from installer.hooks.program import Program

ENTRY_SCRIPT = "yourturn.py"
MOVE = "Move it to another folder, or add --no-service."
ONLY_MOVE = "Move it to another folder, then run this again."
CONFIGS = {client.CONFIG: client.config_dir for client in clients.known() if client.CONFIG}
PLACES = {"YOURTURN_HOME": paths.home, **CONFIGS}


class Job(NamedTuple):
    interpreter: str
    script: str
    home: str
    """The state folder that it watches."""
    variables: Mapping[str, str]
    """What the manager has to set, because its own environment would lead to other folders."""

    @property
    def words(self) -> dict[str, str]:
        """The placeholders that the templates have between @ signs."""
        return {"PYTHON": self.interpreter, "SCRIPT": self.script, "STATE": self.home, **self.variables}


class Standing(NamedTuple):
    """What the manager reports about the service."""

    known: bool = False
    """It is loaded, and will start at the next login."""
    pid: int | None = None
    trouble: str | None = None
    """How it last ended, if that was an error."""


class Said(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str = ""
    err: str = ""


class Step(NamedTuple):
    """One command to a manager."""

    argv: tuple[str, ...]
    needed: bool = True
    """Whether to give up if this fails."""
    patience_s: float = 0.0
    """How long to try again."""


def of(program: Program, environ: Mapping[str, str]) -> Job:
    """The job of this copy of the project, for this person's folders."""
    bare = {"HOME": paths.user_home(environ)}
    variables = {name: where(environ) for name, where in PLACES.items() if where(environ) != where(bare)}
    script = os.path.join(os.path.dirname(program.script), ENTRY_SCRIPT)
    return Job(program.interpreter, script, paths.home(environ), variables)


def found(argv: Sequence[str], variables: Mapping[str, str], user_home: str, word: str = "watch") -> Job | None:
    """The job that a service file describes; None if it was not written by yourturn."""
    scripts = [argument for argument in argv if os.path.basename(argument) == ENTRY_SCRIPT]
    if not scripts or word not in argv:
        return None
    return Job(argv[0], scripts[0], paths.home({"HOME": user_home, **variables}), variables)


def check(job: Job, remedy: str = MOVE) -> None:
    """To be called before a service file is written: a line break in a path would begin a new directive."""
    for value in job.words.values():
        if any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value):
            trouble = f"The path {value!r} contains a line break or another character that such a file cannot contain."
            raise Refusal(trouble, remedy)
