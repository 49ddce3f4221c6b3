"""The two files that are needed only where we are installed, because there the folder is a package."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Wheel(BuildHookInterface[BuilderConfig]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Not for `pip install --editable`: they would hide the checkout."""
        if version == "standard":
            for name in ("__init__.py", "__main__.py"):
                build_data["force_include"][os.path.join(self.root, "tools/wheel", name)] = name
