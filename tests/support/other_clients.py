"""A person's home with the files of other clients, and their ways through install and uninstall."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contract.clients import NAMES, known
from installer import target
from installer.clients import CLIENTS
from installer.hooks.program import Program
from installer.plan import NOBODY
from support.installing import PYTHON, Person
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess

OURS = Program(PYTHON, f"{PROJECT}/hook.py")
OTHERS = [name for name in CLIENTS if name != "claude"]
# The file of each, below the home.
FILES = {
    name: client.settings({"HOME": "/home"}).removeprefix("/home/") for name, client in zip(NAMES, known(), strict=True)
}


@dataclass(frozen=True)
class User:
    """Somebody who uses one client."""

    person: Person
    client: str

    @property
    def path(self) -> Path:
        return self.person.root / FILES[self.client]

    @property
    def backups(self) -> list[Path]:
        return sorted(self.path.parent.glob(f"{self.path.name}.yourturn-*.bak"))

    def has(self, content: bytes) -> User:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(content)
        return self

    def installs(self, *words: str, **environ: str) -> CompletedProcess[str]:
        return self.person.runs("install", "--client", self.client, "--yes", "--no-service", *words, **environ)

    def uninstalls(self, **environ: str) -> CompletedProcess[str]:
        return self.person.runs("uninstall", "--yes", **environ)

    def has_all(self) -> bool:
        """Whether the file is exactly as this copy writes it."""
        editor = CLIENTS[self.client].editor(OURS)
        text = self.path.read_bytes().decode("utf-8-sig")
        return editor.put(text) == text and set(editor.parts(text)) == set(editor.names)

    def installs_twice(self) -> None:
        first = self.installs()
        assert (first.returncode, first.stderr) == (0, "")
        once = self.path.read_bytes()
        second = self.installs()
        assert (second.returncode, "nothing was changed" in second.stdout) == (0, True)
        assert self.path.read_bytes() == once
        assert self.has_all()

    def refuses(self, words: str, **environ: str) -> None:
        """A refusal that names the file and what to do, and leaves everything as it is."""
        before = self.everything()
        done = self.installs(**environ)
        assert (done.returncode, done.stdout) == (1, "")
        assert str(self.path) in done.stderr
        assert words in done.stderr
        assert self.everything() == before

    def everything(self) -> dict[str, bytes | str | None]:
        """Each file, link and folder of the home."""
        found = {}
        for path in self.person.root.rglob("*"):
            name = str(path.relative_to(self.person.root))
            found[name] = os.readlink(path) if path.is_symlink() else None if path.is_dir() else path.read_bytes()
        return found


def is_clean(text: str, client: str) -> bool:
    return not CLIENTS[client].editor(NOBODY).parts(text)


def paths(environ: dict[str, str]) -> dict[str, str]:
    return {one.name: one.path for one in target.targets(CLIENTS, environ)}
