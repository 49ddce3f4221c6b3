"""A person's folders for tests of the installer, and the commands run on them as that person would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contract.version import VERSION
from support import warm
from support.patience import PATIENCE_S
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = sys.executable
COMMAND = """
import argparse, os, sys
sys.path.insert(0, sys.argv.pop(1))
from installer import commands
parser = argparse.ArgumentParser(prog="yourturn")
commands.register(parser.add_subparsers(required=True))
args = parser.parse_args()
if os.environ.get("AS_UID"):
    os.setgroups([])
    os.setgid(int(os.environ["AS_UID"]))
    os.setuid(int(os.environ["AS_UID"]))
sys.exit(args.func(args))
"""


@dataclass(frozen=True)
class Person:
    """Somebody with a configuration folder of the client and a state folder of ours, both under one root."""

    root: Path

    @property
    def config(self) -> Path:
        return self.root / "config"

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
            "HOME": str(self.root),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "YOURTURN_HOME": str(self.state),
            "LANG": "C.UTF-8",
        }

    @property
    def backups(self) -> list[Path]:
        return sorted(self.config.glob("settings.json.yourturn-*.bak"))

    def has(self, content: bytes | str) -> Person:
        """Give the person a settings file."""
        self.config.mkdir(exist_ok=True)
        self.settings.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def has_plugin(self, **row: str) -> Person:
        """What `claude plugin install` of 2.1.325 leaves behind."""
        row = {"scope": "user", "installPath": str(PROJECT), "version": VERSION, **row}
        self.has(json.dumps({"enabledPlugins": {"yourturn@here": True}}))
        (self.config / "plugins").mkdir()
        listed = {"version": 2, "plugins": {"yourturn@here": [row]}}
        (self.config / "plugins/installed_plugins.json").write_text(json.dumps(listed))
        return self

    def argv(self, *words: str, python: str = PYTHON, project: Path = PROJECT) -> list[str]:
        return [python, "-c", COMMAND, str(project), *words]

    def runs(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """What a command without a terminal does."""
        return warm.run(self.argv(*words), self.environ | environ, os.getcwd())

    def calls(self, argv: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
        given = {"env": self.environ, "stdin": subprocess.DEVNULL, **how}
        return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=PATIENCE_S, **given)
