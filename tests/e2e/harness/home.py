"""A home of its own for a client: nothing of this machine reaches it, and it reaches nothing but loopback."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

from e2e.harness.patience import PATIENCE_S, until

KEY = "dummy-key-for-loopback"
RECORD = 'cd && mkdir -p heard && file=$(mktemp heard.XXXXXXXX) && cat > "$file" && mv "$file" heard/'

Settings = dict[str, Any]

# As the client has it itself: it changes other settings at its start, and an old one then takes a change that comes
# within five seconds for its own.
QUIET: Settings = {"skipDangerousModePermissionPrompt": True}


def recorder(*events: str) -> Settings:
    """Settings with a hook that keeps the payload of each of these events in the home, one file each.

    One file each, as two hooks that append to one file at the same time would mix their lines.
    """
    entry = [{"hooks": [{"type": "command", "command": RECORD}]}]
    return {"hooks": dict.fromkeys(events, entry)}


class Home(NamedTuple):
    """The folder that a client takes for the home of its user."""

    path: str

    @classmethod
    def make(cls, path: str, settings: Settings) -> Self:
        """Furnish an empty folder: a trusted project, no questions at the first start, these settings."""
        home = cls(path)
        for folder in (home.config, home.temporary):
            os.makedirs(folder, 0o700)
        subprocess.run(["git", "init", "--quiet", home.project], check=True, env=_plain(home))
        _write(f"{path}/.claude.json", _onboarded(home))
        _write(f"{home.config}/settings.json", {**QUIET, **settings})
        return home

    @property
    def project(self) -> str:
        return f"{self.path}/proj"

    @property
    def config(self) -> str:
        return f"{self.path}/.claude"

    @property
    def temporary(self) -> str:
        return f"{self.path}/tmp"

    def door(self, name: str) -> str:
        """A door at which a command waits: inside ``entered(door)`` it runs, afterwards it ends."""
        path = f"{self.path}/{name}"
        os.mkfifo(path)
        return path

    def heard(self) -> list[dict[str, Any]]:
        """The payloads that the recorder kept, in the order in which they came."""
        folder = f"{self.path}/heard"
        files = list(os.scandir(folder)) if os.path.isdir(folder) else []
        return [_read(file.path) for file in sorted(files, key=lambda file: file.stat().st_mtime_ns)]

    def registry(self, pid: int) -> dict[str, Any]:
        """What the client says of itself; empty when it says nothing, or is just rewriting it."""
        try:
            return _read(f"{self.config}/sessions/{pid}.json")
        except (FileNotFoundError, ValueError):
            return {}

    def transcript(self, session: str) -> list[dict[str, Any]]:
        """The lines that the client has written to the end so far."""
        found = glob.glob(f"{self.config}/projects/*/{session}.jsonl")
        if not found:
            return []
        with open(found[0], encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def environment(self, api_url: str, more: Mapping[str, str]) -> dict[str, str]:
        return {
            **_plain(self),
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "TMUX_TMPDIR": self.temporary,
            "CLAUDE_CODE_TMPDIR": self.temporary,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": api_url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            # Every tool is at hand; otherwise a script would have to look for half of them first.
            "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",
            **more,
        }


@contextmanager
def entered(door: str, seconds: float = PATIENCE_S) -> Iterator[None]:
    """Wait until the command runs, and let it end at the end."""
    ends: list[int] = []

    def open_for_writing() -> bool:
        # Without a reader this fails at once, where a plain open would wait for ever.
        with contextlib.suppress(OSError):
            ends.append(os.open(door, os.O_WRONLY | os.O_NONBLOCK))
        return bool(ends)

    until(open_for_writing, seconds, lambda: f"nothing waits at {door}")
    try:
        yield
    finally:
        os.close(ends[0])


def _plain(home: Home) -> dict[str, str]:
    return {"HOME": home.path, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TMPDIR": home.temporary}


def _onboarded(home: Home) -> dict[str, Any]:
    return {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": "9.9.9",
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {home.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }


def _write(path: str, value: object) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def _read(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        value: dict[str, Any] = json.load(file)
        return value
