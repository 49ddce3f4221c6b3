"""yourturn as a plugin: a copy of its files as the client makes one, and its hooks run as the client runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract import lack, paths, store
from installer.hooks import plugin
from support.patience import PATIENCE_S, until
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.lack import Lack

ROOMS = ("contract", "recorder", "processes", "watcher")
SCRIPTS = ("hook.py", "yourturn.py")
RUN = '#!/bin/sh\nexec {} "$@"\n'


class Plugin:
    """Its folder, a state folder and a PATH, all under one root. The PATH has nothing but a `python3`."""

    def __init__(self, root: Path, python: str = sys.executable) -> None:
        self.root, self.folder, self.state = root, root / "plugin folder", root / "state"
        self.bin = root / "bin"
        self.bin.mkdir()
        # A link, so that it does not find the packages of the environment that it is the Python of.
        (self.bin / "python3").symlink_to(Path(python).resolve())
        for room in ROOMS:
            shutil.copytree(PROJECT / room, self.folder / room, ignore=shutil.ignore_patterns("__pycache__"))
        for script in SCRIPTS:
            shutil.copy(PROJECT / script, self.folder)

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": str(self.bin),
            "HOME": str(self.root),
            "YOURTURN_HOME": str(self.state),
            "CLAUDE_PLUGIN_ROOT": str(self.folder),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
        }

    def has_command(self, name: str, line: str) -> Path:
        """Put a command on the PATH: a shell script that becomes this."""
        path = self.bin / name
        path.write_text(RUN.format(line))
        path.chmod(0o755)
        return path

    def hears(self, payload: Mapping[str, Any], **env: str) -> str:
        """What a hook of the plugin prints when this happens."""
        line = plugin.command(payload["hook_event_name"])
        return self.run(line, json.dumps(payload), **env)

    def run(self, line: str, given: str = "", **env: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", line], input=given, env=self.environ | env, capture_output=True, text=True,
            timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def lack(self) -> Lack:
        """What its hooks lack to start a watcher, once they know."""
        home = str(self.state)
        found: Lack = until(lambda: lack.read(home), "a search that found nothing")
        until(lambda: not store.is_locked(paths.starting_lock(home)), "the end of the search")
        return found
