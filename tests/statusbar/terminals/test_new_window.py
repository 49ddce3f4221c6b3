"""Which program opens a window, and how it is told the command: as arguments, never as text in a script."""

import shlex
from collections.abc import Callable

import pytest

from statusbar.terminals import new_window
from statusbar.terminals.new_window import STAY, window
from statusbar.terminals.whereabouts import Cannot

COMMAND = ["ssh", "-t", "box", "tmux attach; $(x)"]
STAYING = ["sh", "-c", STAY, "sh", *COMMAND]
DESKTOP = {"DISPLAY": ":0"}


def has(*programs: str) -> Callable[[str], str | None]:
    return lambda name: f"/usr/bin/{name}" if name in programs else None


def opened(*programs: str, env: dict[str, str] = DESKTOP, platform: str = "linux") -> list[str]:
    return window(COMMAND, "box", env, platform, has(*programs)).argv


@pytest.mark.parametrize(
    ("program", "before"),
    [
        ("x-terminal-emulator", ["-e"]), ("xterm", ["-e"]), ("konsole", ["-e"]), ("alacritty", ["-e"]),
        ("ghostty", ["-e"]), ("gnome-terminal", ["--"]), ("ptyxis", ["--"]), ("xfce4-terminal", ["-x"]), ("kitty", []),
        ("foot", []), ("wezterm", ["start", "--"]),
    ],
)  # fmt: skip
def test_each_terminal_gets_the_command_as_arguments(program: str, before: list[str]) -> None:
    assert opened(program) == [program, *before, *STAYING]


def test_the_terminal_that_the_person_has_named_comes_first() -> None:
    assert opened("xterm", "/opt/kitty", env={**DESKTOP, "TERMINAL": "/opt/kitty"}) == ["/opt/kitty", *STAYING]
    assert opened("xterm", env={**DESKTOP, "TERMINAL": "gone"})[0] == "xterm"


def test_inside_tmux_it_is_a_window_of_tmux() -> None:
    found = opened("tmux", "xterm", env={**DESKTOP, "TMUX": "/t,1,0"})
    assert found == ["tmux", "new-window", "-n", "box", *STAYING]


@pytest.mark.parametrize(("program", "name"), [("", "Terminal"), ("iTerm.app", "iTerm2")])
def test_on_macos_the_line_is_an_argument_of_the_script(program: str, name: str) -> None:
    found = window(COMMAND, "box", {"TERM_PROGRAM": program}, "darwin", has())
    assert found.name == name
    assert found.argv[0] == "osascript"
    assert "ssh" not in found.argv[2], "the script itself has no word of it"
    assert shlex.split(found.argv[-1]) == STAYING


def test_where_no_window_can_be_opened_the_command_is_said() -> None:
    with pytest.raises(Cannot, match="no desktop here"):
        opened("xterm", env={})
    with pytest.raises(Cannot, match="TERMINAL can name one"):
        opened()
    assert new_window.has_desktop({"WAYLAND_DISPLAY": "wayland-0"})
