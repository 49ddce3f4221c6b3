"""What is needed only where we are installed: two files, because there the folder is a package, and the manual page."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cached_property
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Wheel(BuildHookInterface[BuilderConfig]):
    @cached_property
    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Not for `pip install --editable`: they would hide the checkout."""
        if version != "standard":
            return
        for name in ("__init__.py", "__main__.py"):
            build_data["force_include"][os.path.join(self.root, "tools/wheel", name)] = f"yourturn/{name}"
        build_data["shared_data"][self._manual()] = "share/man/man1/yourturn.1"

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        self._folder.cleanup()

    def _manual(self) -> str:
        """In a process of its own: our rooms are not to be found by whoever builds."""
        argv = [sys.executable, "-m", "tools.manpage"]
        path = os.path.join(self._folder.name, "yourturn.1")
        with open(path, "wb") as file:
            subprocess.run(argv, cwd=self.root, stdout=file, check=True)
        return path
