"""The IDEs of JetBrains: opening a project that is already open brings its window to the front."""

from __future__ import annotations

from statusbar.terminals.whereabouts import Cannot, Steps, Whereabouts

NAME = "JetBrains"
LIMIT = "window raised; pick the terminal yourself"
FAMILY = (
    "idea", "pycharm", "webstorm", "goland", "clion", "phpstorm", "rubymine", "rider", "rustrover", "datagrip",
    "studio",
)  # fmt: skip


def is_home(where: Whereabouts) -> bool:
    return where.get("TERMINAL_EMULATOR").startswith("JetBrains")


def steps(where: Whereabouts) -> Steps:
    if not where.cwd.startswith("/"):
        raise Cannot("its folder is unknown")
    names = [name for program in where.above for name in FAMILY if name in program.lower()]
    command = where.first_tool(*names, *FAMILY)
    if not command:
        raise Cannot("the IDE's command is not on PATH. In the IDE: Tools, Create Command-line Launcher")
    return [[command, where.cwd]]
