"""Which programs are coding agents: one table, and how each is recognised in an argv."""

from __future__ import annotations

import re
from typing import NamedTuple

from contract import clients

INTERPRETERS = re.compile(r"(node|nodejs|bun|deno|python|pypy)[0-9.]*")
SCRIPT_ENDING = re.compile(r"\.(js|mjs|cjs|ts|py|exe)$")
# Vendors ship `codex-x86_64-unknown-linux-musl`, `opencode-linux-x64` and the like.
BUILD = re.compile(r"[-_.](x86_64|x64|aarch64|arm64|amd64|linux|darwin|win32|windows)\b.*$")
VERSIONED = re.compile(r"/(?P<program>[a-z-]+)/versions/[0-9][^/]*$")
WITH_VALUE = frozenset({"-r", "--require", "--import", "--loader", "-C", "-W", "-X"})
CODE = frozenset({"-c", "-e", "--eval", "-p", "--print"})  # what follows is no path


class Program(NamedTuple):
    """How one agent program is found in a path, and what of it is no agent."""

    packages: tuple[str, ...] = ()  # folders of its package, where the script is only called cli.js or index.js
    services: frozenset[str] = frozenset()  # first arguments with which it manages or serves something instead
    # With these it holds or hosts sessions. It is in no family: what runs below it is an agent of its own.
    hosts: frozenset[str] = frozenset()


# Agents that we know by their programs only: nothing tells their state.
OTHERS = {
    "aider": Program(("site-packages/aider",), frozenset({"--version"})),
    # A database migration tool has the same name; its verbs are no agent's.
    "goose": Program((), frozenset({"mcp", "configure", "info", "up", "down", "status", "create", "--version"})),
    "cursor-agent": Program((), frozenset({"login", "logout", "mcp", "update", "--version"})),
    "amp": Program(("@sourcegraph/amp",), frozenset({"mcp", "login", "--version"})),
    "auggie": Program(("@augmentcode/auggie",), frozenset({"mcp", "login", "--version"})),
    "crush": Program(("@charmland/crush",), frozenset({"login", "--version"})),
    "droid": Program((), frozenset({"mcp", "--version"})),
    "openhands": Program(("site-packages/openhands",), frozenset({"mcp", "--version"})),
}


def _program(client: clients.Client) -> Program:
    return Program(client.PACKAGES, frozenset(client.SERVICES), frozenset(client.HOSTS))


PROGRAMS = {**dict(zip(clients.CLIENTS, map(_program, clients.known()), strict=True)), **OTHERS}


class Invocation(NamedTuple):
    """An agent program and what it was called with."""

    program: str
    arguments: tuple[str, ...]
    scripted: bool  # run by an interpreter: perhaps only the launcher of the real one

    @property
    def hosts(self) -> bool:
        return bool(self.arguments) and self.arguments[0] in PROGRAMS[self.program].hosts

    @property
    def serves(self) -> bool:
        return bool(self.arguments) and self.arguments[0] in PROGRAMS[self.program].services

    def is_launched_by(self, parent: Invocation | None) -> bool:
        """A launcher script starts the real program with its own arguments: that is one agent, not two."""
        return parent is not None and parent.scripted and self[:2] == parent[:2]


def invocation(argv: tuple[str, ...], name: str = "") -> Invocation | None:
    """The agent program that runs, whatever it is called with; None for any other program.

    argv[0] counts before the name of the process: the client runs its own binary as `rg`. The name decides
    only where no argv can be read.
    """
    if not argv:
        return Invocation(name, (), scripted=False) if name in PROGRAMS else None
    if INTERPRETERS.fullmatch(_base(argv[0])):
        return _script(argv[1:])
    # A title such as `claude bg-spare` comes as one word.
    title = _base(argv[0]).split()
    program = _named(argv[0][: len(argv[0]) - len(_base(argv[0]))] + title[0]) if title else None
    return Invocation(program, (*title[1:], *argv[1:]), scripted=False) if program else None


def _script(words: tuple[str, ...]) -> Invocation | None:
    """Behind an interpreter and its options: a script, or a module after `-m`."""
    while words and words[0].startswith("-") and words[0] not in CODE | {"-m"}:
        words = words[2 if words[0] in WITH_VALUE else 1 :]
    words = words[1:] if words[:1] == ("-m",) else words
    program = (_named(words[0]) or _packaged(words[0])) if words else None
    return Invocation(program, words[1:], scripted=True) if program else None


def _named(path: str) -> str | None:
    if found := VERSIONED.search(path):
        return found["program"] if found["program"] in PROGRAMS else None
    base = BUILD.sub("", SCRIPT_ENDING.sub("", _base(path)))
    return base if base in PROGRAMS else None


def _packaged(path: str) -> str | None:
    for program, known in PROGRAMS.items():
        if any(f"/{package}/" in path for package in known.packages):
            return program
    return None


def _base(path: str) -> str:
    return path.rpartition("/")[2]
