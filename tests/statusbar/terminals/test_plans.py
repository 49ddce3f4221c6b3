"""What is planned for each terminal, and what of it is refused."""

import re
from typing import Any

import pytest

from statusbar.system import osascript
from statusbar.terminals import ghostty, go, iterm2, jetbrains, kitty, terminal_app, tmux, vscode, wezterm, x11
from statusbar.terminals.whereabouts import Cannot, Whereabouts
from support.showing import HOSTILE
from support.terminals import ALL, KITTY, where


def test_kitty_is_asked_over_its_socket() -> None:
    assert kitty.steps(where(KITTY)) == [["kitty", "@", "--to", "unix:/tmp/kitty-9", "focus-window", "--match", "id:4"]]


def test_kitty_that_listens_to_nobody_is_explained() -> None:
    with pytest.raises(Cannot, match="allow_remote_control"):
        kitty.steps(where({"KITTY_WINDOW_ID": "4"}))
    with pytest.raises(Cannot, match="allow_remote_control"):
        kitty.steps(where({**KITTY, "KITTY_LISTEN_ON": "tcp:example.org:1"}))


def test_wezterm_is_asked_over_its_socket() -> None:
    known = {"WEZTERM_PANE": "7", "WEZTERM_UNIX_SOCKET": "/run/w"}
    plan = ["env", "WEZTERM_UNIX_SOCKET=/run/w", "wezterm", "cli", "activate-pane", "--pane-id", "7"]
    assert wezterm.steps(where(known)) == [plan]
    assert wezterm.steps(where({"WEZTERM_PANE": "7"})) == [plan[2:]]
    assert wezterm.steps(where(known, platform="darwin"))[1] == ["open", "-b", "com.github.wez.wezterm"]


def test_ghostty_is_opened_on_macos_and_a_window_elsewhere() -> None:
    home = {"GHOSTTY_RESOURCES_DIR": "/x"}
    opened, script = ghostty.steps(where(home, platform="darwin"))
    assert opened == ["open", "-b", "com.mitchellh.ghostty"]
    assert script == osascript.argv(ghostty.SCRIPT, "/p/shop")
    assert ghostty.steps(where({**home, "WINDOWID": "5", "DISPLAY": ":0"}))[0][2:] == [
        "xdotool",
        "windowactivate",
        "--sync",
        "5",
    ]
    with pytest.raises(Cannot, match="Ghostty"):
        ghostty.steps(where(home))


def test_iterm2_is_told_the_session_without_the_places_that_change() -> None:
    known = {"ITERM_SESSION_ID": "w0t1p2:6E1C-AA", "tty": "/dev/ttys004"}
    assert iterm2.steps(where(known))[0][3:] == ["yourturn", "6E1C-AA", "/dev/ttys004"]
    assert iterm2.steps(where({"TERM_PROGRAM": "iTerm.app", "tty": "/dev/ttys004"}))[0][4:] == ["?", "/dev/ttys004"]
    with pytest.raises(Cannot):
        iterm2.steps(where({"TERM_PROGRAM": "iTerm.app"}))


def test_terminal_app_is_told_the_tty() -> None:
    known = {"TERM_PROGRAM": "Apple_Terminal", "tty": "/dev/ttys004"}
    assert terminal_app.steps(where(known))[0][3:] == ["yourturn", "/dev/ttys004"]
    with pytest.raises(Cannot):
        terminal_app.steps(where({"TERM_PROGRAM": "Apple_Terminal"}))


@pytest.mark.parametrize(
    ("above", "tools", "command"),
    [
        (("zsh", "cursor"), ALL, "cursor"),
        (("zsh", "Code Helper (Plugin)"), ALL, "code"),
        (("zsh", "code-insiders"), ALL, "code-insiders"),
        (("zsh", "VSCodium Helper"), ALL, "codium"),
        (("zsh",), frozenset({"windsurf"}), "windsurf"),
    ],
)
def test_vs_code_and_its_relatives_are_told_apart(above: tuple[str, ...], tools: frozenset[str], command: str) -> None:
    assert vscode.steps(where({"TERM_PROGRAM": "vscode"}, above=above, tools=tools)) == [[command, "/p/shop"]]


@pytest.mark.parametrize(("above", "command"), [(("zsh", "pycharm"), "pycharm"), (("java",), "idea")])
def test_the_ides_of_jetbrains_are_told_apart(above: tuple[str, ...], command: str) -> None:
    known = {"TERMINAL_EMULATOR": "JetBrains-JediTerm"}
    assert jetbrains.steps(where(known, above=above)) == [[command, "/p/shop"]]


@pytest.mark.parametrize("one", [vscode, jetbrains])
def test_an_editor_is_given_a_folder_and_nothing_that_could_be_an_option(one: Any) -> None:
    with pytest.raises(Cannot, match="folder"):
        one.steps(where({}, cwd="--install-extension=evil"))
    with pytest.raises(Cannot, match="PATH"):
        one.steps(where({}, tools=frozenset()))


def test_a_window_of_x11_is_raised_by_whatever_can() -> None:
    known = {"WINDOWID": "83886087", "DISPLAY": ":0"}
    assert x11.steps(where(known)) == [["env", "DISPLAY=:0", "xdotool", "windowactivate", "--sync", "83886087"]]
    other = where(known, tools=frozenset({"wmctrl"}))
    assert x11.steps(other) == [["env", "DISPLAY=:0", "wmctrl", "-i", "-a", "0x5000007"]]
    with pytest.raises(Cannot, match="neither xdotool nor wmctrl"):
        x11.steps(where(known, tools=frozenset()))


@pytest.mark.parametrize("display", ["example.org:0", "tcp/example.org:0", "-display :0", ":0\n", ":x", "/tmp/x:0"])
def test_no_other_machine_is_asked_for_a_window(display: str) -> None:
    with pytest.raises(Cannot, match="unknown"):
        x11.steps(where({"WINDOWID": "5", "DISPLAY": display}))


@pytest.mark.parametrize(
    "tty", ["/etc/passwd", "/dev/../etc/passwd", "/dev/pts/1 x", "/dev/ttys1\n", "ttys001", "/dev/"]
)
@pytest.mark.parametrize("one", [iterm2, terminal_app])
def test_a_tty_is_a_terminal_device_or_none(one: Any, tty: str) -> None:
    with pytest.raises(Cannot):
        one.steps(where({"TERM_PROGRAM": "x", "tty": tty}))


def test_kitty_without_a_socket_of_its_own_is_a_window_like_any_other() -> None:
    window = {"KITTY_WINDOW_ID": "4", "WINDOWID": "5", "DISPLAY": ":0"}
    assert not kitty.is_home(where(window))
    assert not kitty.is_home(where({**window, "KITTY_LISTEN_ON": "unix:relative"}))
    assert kitty.is_home(where({**window, **KITTY}))
    assert kitty.is_home(where({"KITTY_WINDOW_ID": "4"})), "on Wayland its own reason is the better one"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("one", [*go.TERMINALS, tmux], ids=lambda one: one.NAME)
def test_what_is_hostile_stays_one_argument_or_is_refused(one: Any, text: str) -> None:
    names = (*go.OUTER, "TMUX", "TMUX_PANE", "tty", "VSCODE_PID")
    for value in (text, f"-{text}", f"/{text}", f"unix:{text}"):
        evil = Whereabouts(dict.fromkeys(names, value), f"/{text}", (text,), tools=ALL)
        try:
            plan = one.steps(evil)
        except Cannot:
            continue
        for step in plan:
            fixed = [word for word in step if text not in word]
            assert step[0] in fixed
            assert not [word for word in step[1:] if word.startswith(f"-{text}")]


@pytest.mark.parametrize("script", [iterm2.SCRIPT, terminal_app.SCRIPT, ghostty.SCRIPT])
def test_scripts_are_fixed_and_take_their_values_as_items(script: str) -> None:
    assert script.strip().startswith("on run argv")
    assert "item 2 of argv" in script
    assert "{0}" not in script
    assert "%s" not in script
    for word in ("tell", "repeat", "run", "if"):
        opened = re.findall(rf"^\s*(?:on )?{word}\b(?!.* to select)(?!.* then \S)", script, re.MULTILINE)
        assert len(opened) == len(re.findall(rf"^\s*end {word}\b", script, re.MULTILINE)), word
