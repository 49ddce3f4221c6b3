"""The home of a Claude Code: what it is told, and what it tells there."""

from __future__ import annotations

import glob
import json
import os
from typing import TYPE_CHECKING, Any, Self

from e2e.harness.place import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

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


class Home(Place):
    """The folder that Claude Code takes for the home of its user."""

    @classmethod
    def make(cls, path: str, settings: Settings) -> Self:
        """Furnish an empty folder: a trusted project, no questions at the first start, these settings."""
        home = cls(path)
        home.prepare()
        home.write(".claude.json", _onboarded(home))
        home.write(".claude/settings.json", {**QUIET, **settings})
        return home

    @property
    def config(self) -> str:
        return f"{self.path}/.claude"

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
            **self.plain(),
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


def _onboarded(home: Home) -> dict[str, Any]:
    return {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": "9.9.9",
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {home.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }


def _read(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        value: dict[str, Any] = json.load(file)
        return value
