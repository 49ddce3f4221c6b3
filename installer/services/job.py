"""The watcher as a service manager runs it, and what a manager says of it. Values only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract import paths
from contract.clients import claude
from installer.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from installer.hooks.program import Program

FRONT_DOOR = "yourturn.py"
MOVE = "Move it to another folder, or add --no-service."
ONLY_MOVE = "Move it to another folder, then run this again."
PLACES = {"YOURTURN_HOME": paths.home, claude.CONFIG: claude.config_dir}


class Job(NamedTuple):
    interpreter: str
    script: str
    home: str
    """The state folder that it watches."""
    variables: Mapping[str, str]
    """What a manager has to set, because its own environment would lead elsewhere."""

    @property
    def words(self) -> dict[str, str]:
        """What the templates name between @ signs."""
        return {"PYTHON": self.interpreter, "SCRIPT": self.script, "STATE": self.home, **self.variables}


class Standing(NamedTuple):
    """What the manager says of our service."""

    known: bool = False
    """It is loaded, and will start with the next login."""
    pid: int | None = None
    trouble: str | None = None
    """How it last ended, if that was not well."""


class Said(NamedTuple):
    """What a program answered."""

    code: int
    out: str = ""
    err: str = ""


class Step(NamedTuple):
    """One command to a manager."""

    argv: tuple[str, ...]
    needed: bool = True
    """Whether the rest is in vain if this fails."""
    patience_s: float = 0.0
    """How long to try again."""


def of(program: Program, environ: Mapping[str, str]) -> Job:
    """The job of this copy of the project, for this person's folders."""
    bare = {"HOME": paths.user_home(environ)}
    variables = {name: where(environ) for name, where in PLACES.items() if where(environ) != where(bare)}
    script = os.path.join(os.path.dirname(program.script), FRONT_DOOR)
    return Job(program.interpreter, script, paths.home(environ), variables)


def found(argv: Sequence[str], variables: Mapping[str, str], user_home: str, word: str = "watch") -> Job | None:
    """The job that a service file describes; None if it is not one of ours."""
    scripts = [one for one in argv if os.path.basename(one) == FRONT_DOOR]
    if not scripts or word not in argv:
        return None
    return Job(argv[0], scripts[0], paths.home({"HOME": user_home, **variables}), variables)


def check(job: Job, remedy: str = MOVE) -> None:
    """For every writer of a file that starts something: a line break in a path would begin a directive of its own."""
    for value in job.words.values():
        if any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value):
            trouble = f"The path {value!r} has a line break or another character that no such file can hold."
            raise Refusal(trouble, remedy)
