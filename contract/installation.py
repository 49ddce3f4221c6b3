"""Which tool has installed us, and the lines by which it adds a package that is missing and removes us."""

from __future__ import annotations

import os
import shlex
import sys
from enum import Enum
from typing import TYPE_CHECKING

from contract import launch, paths, typed

if TYPE_CHECKING:
    from collections.abc import Callable


class Tool(Enum):
    CHECKOUT = "a checkout"
    UV = "uv"
    PIPX = "pipx"
    HOMEBREW = "Homebrew"
    PIP = "pip"
    CARRIED = "`hosts add --install` on another machine"


# The note that each tool leaves in the environment that it makes.
NOTES = {Tool.UV: "uv-receipt.toml", Tool.PIPX: "pipx_metadata.json"}
KEG = "/Cellar/yourturn/"


def adding(package: str) -> str:
    """What to type so that we have this package too."""
    return line(_here(), package, sys.executable, launch.PROJECT)


def removing() -> str:
    """What to type so that the program goes too; '' for a checkout, which is the person's own."""
    return removal(_here(), sys.executable, launch.PROJECT, paths.user_home(os.environ))


def _here() -> Tool:
    return tool(launch.PROJECT, sys.prefix, os.path.isfile)


def tool(project: str, prefix: str, is_file: Callable[[str], bool]) -> Tool:
    if is_file(f"{project}/tools/setup.sh"):
        return Tool.CHECKOUT
    if project.endswith(typed.CARRIED):
        return Tool.CARRIED
    noted = next((one for one, note in NOTES.items() if is_file(f"{prefix}/{note}")), None)
    return noted or (Tool.HOMEBREW if KEG in f"{prefix}/" else Tool.PIP)


def line(tool: Tool, package: str, interpreter: str, project: str) -> str:
    return {
        Tool.CHECKOUT: f"make -C {shlex.quote(project)} setup",
        Tool.UV: f"uv tool install --with {package} yourturn",
        Tool.PIPX: f"pipx inject yourturn {package}",
        Tool.HOMEBREW: "brew reinstall yourturn",
        Tool.PIP: f"{shlex.quote(interpreter)} -m pip install {package}",
        Tool.CARRIED: f"{shlex.quote(interpreter)} -m pip install --target {shlex.quote(project)} {package}",
    }[tool]


def removal(tool: Tool, interpreter: str, project: str, home: str) -> str:
    return {
        Tool.CHECKOUT: "",
        Tool.UV: "uv tool uninstall yourturn",
        Tool.PIPX: "pipx uninstall yourturn",
        Tool.HOMEBREW: "brew uninstall yourturn",
        Tool.PIP: f"{shlex.quote(interpreter)} -m pip uninstall yourturn",
        Tool.CARRIED: shlex.join(["rm", "-r", project, typed.launcher(home)]),
    }[tool]
