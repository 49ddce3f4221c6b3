"""`yourturn go`: what is planned for each terminal, and a real tmux that is brought to the right pane."""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.cli.explain import Unclear
from statusbar.system import osascript
from statusbar.terminals import (
    ancestry,
    ghostty,
    go,
    iterm2,
    jetbrains,
    kitty,
    terminal_app,
    tmux,
    vscode,
    wezterm,
    x11,
)
from statusbar.terminals.tmux import Client
from statusbar.terminals.whereabouts import TOOLS, Cannot, Whereabouts
from support.command import yourturn
from support.panes import attached, inner, new_pane, shown
from support.showing import HOSTILE, NOW, agent, put, session, statuses, terminal, watcher

ALL = frozenset(TOOLS)
TMUX = {"TMUX": "/tmp/tmux-1/default,77,0", "TMUX_PANE": "%3"}
KITTY = {"KITTY_WINDOW_ID": "4", "KITTY_LISTEN_ON": "unix:/tmp/kitty-9"}


def where(terminal: dict[str, str], **more: Any) -> Whereabouts:
    return Whereabouts(terminal, **{"cwd": "/p/shop", "tools": ALL, **more})


# What is planned


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


def test_what_a_person_is_told_to_type_can_be_pasted_into_a_shell() -> None:
    evil = "/tmp/a,b; touch x\n\x1b[2J,77,0"
    assert tmux.socket(where({"TMUX": "/tmp/a,b,77,0"})) == "/tmp/a,b"
    words = tmux.attach(where({"TMUX": evil, "TMUX_PANE": "%3"}))
    assert shlex.split(words)[:3] == ["tmux", "-S", "/tmp/a,b; touch x [2J"]
    for name, before in (("ZELLIJ_SESSION_NAME", "zellij attach"), ("STY", "screen -x")):
        said = go.go(session("a", pid=None, terminal={name: "x; touch y\n\x1b[2J"}))
        assert said.endswith(f"{before} 'x; touch y [2J'")


def test_a_tmux_of_somebody_else_is_not_spoken_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tool(tmp_path / "bin", "tmux")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    (tmp_path / "socket").touch()
    one = session("a", pid=None, terminal={"TMUX": f"{tmp_path}/socket,1,0", "TMUX_PANE": "%1"})
    monkeypatch.setattr(os, "getuid", lambda: os.stat(tmp_path / "socket").st_uid + 1)
    assert "belongs to another user" in go.go(one)
    assert not go.is_seen(one)
    assert not said.exists()


def test_tmux_is_asked_over_the_socket_of_its_server() -> None:
    on = ["tmux", "-S", "/tmp/tmux-1/default"]
    here, there = Client(9, 1, "$1", "/dev/pts/1", focused=True), Client(5, 2, "$2", "/dev/pts/2", focused=True)
    chosen = [[*on, "select-window", "-t", "%3"], [*on, "select-pane", "-t", "%3"]]
    assert tmux.steps(where(TMUX), here, "$1") == chosen
    switched = [*on, "switch-client", "-c", "/dev/pts/2", "-t", "%3"]
    assert tmux.steps(where(TMUX), there, "$1") == [*chosen, switched]
    assert tmux.steps(where(TMUX), None, "$1") == chosen


def test_of_the_clients_of_tmux_one_that_shows_the_session_is_chosen_else_the_last_used() -> None:
    said = (
        "50\t11\t$1\t/dev/pts/1\tattached,UTF-8\t0\n"
        "90\t12\t$2\t/dev/pts/2\tattached,focused\t0\n"
        "99\t13\t$1\t\tattached\t1\n"
        "nonsense\n"
    )
    there = tmux.clients(said)
    assert [one.pid for one in there] == [12, 11], "no client of control mode"
    one, other = tmux.chosen(there, "$1"), tmux.chosen(there, "$9")
    assert one
    assert other
    assert (one.pid, other.pid) == (11, 12)
    assert tmux.chosen([], "$1") is None


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


def test_osascript_takes_no_value_for_an_option() -> None:
    argv = osascript.argv("on run argv\nend run", '-edo shell script "touch x"', "a\0b")
    assert argv == [
        "osascript", "-e", "on run argv\nend run", "yourturn", '-edo shell script "touch x"', "ab",
    ]  # fmt: skip


@pytest.mark.parametrize("script", [iterm2.SCRIPT, terminal_app.SCRIPT, ghostty.SCRIPT])
def test_scripts_are_fixed_and_take_their_values_as_items(script: str) -> None:
    assert script.strip().startswith("on run argv")
    assert "item 2 of argv" in script
    assert "{0}" not in script
    assert "%s" not in script
    for word in ("tell", "repeat", "run", "if"):
        opened = re.findall(rf"^\s*(?:on )?{word}\b(?!.* to select)(?!.* then \S)", script, re.MULTILINE)
        assert len(opened) == len(re.findall(rf"^\s*end {word}\b", script, re.MULTILINE)), word


@pytest.mark.parametrize(
    ("terminal", "name"),
    [
        ({"TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"}, "VS Code"),
        ({"TERMINAL_EMULATOR": "JetBrains-JediTerm", "WINDOWID": "1", "DISPLAY": ":0"}, "JetBrains"),
        ({**KITTY, "WINDOWID": "1", "DISPLAY": ":0"}, "kitty"),
        ({"WINDOWID": "1", "DISPLAY": ":0"}, "X11"),
        ({"TERM_PROGRAM": "ghostty"}, "Ghostty"),
        ({"TERM_PROGRAM": "Apple_Terminal"}, "Terminal"),
        ({"ITERM_SESSION_ID": "w:1"}, "iTerm2"),
        ({"WEZTERM_PANE": "1"}, "WezTerm"),
    ],
)
def test_what_runs_inside_wins_over_what_is_around_it(terminal: dict[str, str], name: str) -> None:
    assert next(one.NAME for one in go.TERMINALS if one.is_home(where(terminal))) == name


# What the process table says

TABLE = """    1     0 ??       /sbin/launchd
  500     1 ??       /Applications/iTerm.app/Contents/MacOS/iTerm2
  600   500 ttys004  -zsh
  700   600 ttys004  /opt/my tools/claude
"""


def test_the_table_of_macos_tells_programs_and_ttys() -> None:
    found = ancestry.parse(TABLE)
    assert ancestry.above(found, 700) == ("-zsh", "iTerm2")
    assert ancestry.tty(found, 700) == "/dev/ttys004"
    assert ancestry.tty(found, 500) == ""
    assert ancestry.term_program(ancestry.above(found, 700)) == "iTerm.app"
    assert ancestry.above(found, 999) == ()
    assert ancestry.above({5: ancestry.Process(5, "?", "loop")}, 5) == ("loop",) * 19


def test_the_real_table_knows_us_and_our_parent() -> None:
    found = ancestry.table()
    assert found[os.getpid()].parent == os.getppid()
    assert ancestry.above(found, os.getpid())


def test_only_what_is_asked_for_is_read_of_an_environment() -> None:
    argv = [sys.executable, "-c", "import sys; print('up', flush=True); sys.stdin.read()"]
    env = {"KITTY_WINDOW_ID": "3", "SECRET": "x"}
    with subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout
        assert one.stdout.readline() == "up\n"
        wanted = {"KITTY_WINDOW_ID": "3"} if sys.platform == "linux" else {}
        assert ancestry.environment(one.pid, go.OUTER) == wanted
        one.communicate("")
    assert ancestry.environment(one.pid, go.OUTER) == {}


# Who is meant


def test_next_is_the_one_that_has_been_blocked_longest() -> None:
    there = statuses(
        session("new", NEEDS_APPROVAL, since=NOW - 5),
        session("old", NEEDS_APPROVAL, since=NOW - 500),
        session("hidden", NEEDS_APPROVAL, since=NOW - 900, hidden=True),
        session("busy", since=NOW - 5000),
    )
    assert [one.session_id for one in go.pick(there, None, blocked=True)] == ["old", "new"]
    assert [one.session_id for one in go.pick(there, None)] == ["old", "new"]
    assert [one.session_id for one in go.pick(there, "bus")] == ["busy"]


def test_a_blocked_teammate_is_answered_in_its_lead() -> None:
    mate = session("mate", NEEDS_APPROVAL, hidden=True)
    lead = session("lead", NEEDS_APPROVAL, agents=(agent(), agent("mate", NEEDS_APPROVAL, kind="teammate")))
    assert [one.session_id for one in go.pick(statuses(mate, lead), None, blocked=True)] == ["lead"]


def test_without_a_blocked_one_the_only_one_is_meant_or_nobody() -> None:
    assert go.pick(statuses(session("a", WAITING)), None) == [session("a", WAITING)]
    with pytest.raises(Unclear, match="no agent is blocked"):
        go.pick(statuses(session("a", WAITING)), None, blocked=True)
    with pytest.raises(Unclear, match="Name one of these"):
        go.pick(statuses(session("a"), session("b")), None)
    with pytest.raises(Unclear, match="no agent is running"):
        go.pick(statuses(), None)
    with pytest.raises(Unclear, match="cannot tell which agent is blocked: state unknown"):
        go.pick(statuses(session("a"), session("b")), None, unknown="state unknown")


# A real tmux


@pytest.mark.parametrize(
    "words",
    [("split-window",), ("new-window",), ("new-session", "-s", "other")],
    ids=["another pane", "another window", "another session"],
)
def test_a_real_tmux_shows_the_right_pane(words: tuple[str, ...], tmp_path: Path) -> None:
    home = tmp_path / "state"
    with terminal(home, tmp_path) as one:
        known = attached(one)
        wanted = new_pane(one, *words)
        before = shown(one)
        put(home, session("a", NEEDS_APPROVAL, terminal={**known, "TMUX_PANE": wanted}, pid=None))
        found = yourturn(home, "go", "--next")
        assert (found.returncode, found.stdout) == (0, "a-name: tmux\n")
        assert "its window may be behind others" in found.stderr
        assert shown(one) == wanted != before
        inner(one, "kill-server")


def test_where_no_hook_told_of_a_terminal_the_process_itself_does(tmp_path: Path) -> None:
    home = tmp_path / "state"
    with terminal(home, tmp_path) as one:
        attached(one)
        wanted = new_pane(one, "new-window")
        pid = int(inner(one, "display-message", "-p", "-t", wanted, "#{pane_pid}"))
        put(home, session("a", NEEDS_APPROVAL, terminal={"TMUX_PANE": "%0"}, pid=pid))
        found = yourturn(home, "go", "--next")
        assert (found.returncode, found.stdout) == (0, "a-name: tmux\n")
        assert shown(one) == wanted
        inner(one, "kill-server")


def test_a_pane_of_which_no_server_is_named_is_looked_for_where_a_person_would() -> None:
    known = where({"TMUX_PANE": "%3"})
    assert tmux.is_home(known)
    assert {tuple(step[:1]) for step in (*tmux.asks(known), *tmux.steps(known))} == {("tmux",)}
    assert not [step for step in (*tmux.asks(known), *tmux.steps(known)) if "-S" in step]
    assert tmux.attach(known) == "tmux attach -t '%3'"


def test_a_tmux_that_nobody_looks_at_is_named_with_the_way_to_it(tmp_path: Path) -> None:
    home = tmp_path / "state"
    with terminal(home, tmp_path) as one:
        one.start("sleep", "3600")
        pane, socket = one.tmux("display-message", "-p", "#{pane_id} #{socket_path}").split()
        put(home, session("a", terminal={"TMUX": f"{socket},1,0", "TMUX_PANE": pane}))
        found = yourturn(home, "go", "a")
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.startswith("yourturn: a-name: no terminal shows its tmux. To see it: ")
    assert found.stderr.endswith(f"tmux -S {socket} attach -t '{pane}'\n")


def test_a_pane_that_is_gone_and_a_server_that_is_gone_are_named(tmp_path: Path) -> None:
    home = tmp_path / "state"
    with terminal(home, tmp_path) as one:
        known = attached(one)
        put(home, session("a", terminal={**known, "TMUX_PANE": "%99"}))
        found = yourturn(home, "go", "a")
        assert (found.returncode, found.stdout) == (1, "")
        assert "tmux: can't find pane: %99" in found.stderr
        inner(one, "kill-server")
    found = yourturn(home, "go", "a")
    assert found.returncode == 1
    assert "yourturn: a-name: tmux: " in found.stderr


# The command


def tool(folder: Path, name: str, rest: str = "") -> Path:
    """A program that writes down its arguments, one a line."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {folder}/{name}.said\n{rest}\n')
    path.chmod(0o755)
    return folder / f"{name}.said"


def test_a_terminal_is_asked_with_the_arguments_that_were_planned(tmp_path: Path) -> None:
    said = tool(tmp_path / "bin", "kitty")
    put(tmp_path, session("a", NEEDS_APPROVAL, terminal=KITTY))
    found = yourturn(tmp_path, "go", "--next", "--json", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert found.returncode == 0
    assert json.loads(found.stdout) == {
        "v": 1,
        "ok": True,
        "session_id": "a",
        "terminal": "kitty",
        "notes": [],
        "passed_over": [],
    }
    assert said.read_text().split() == ["@", "--to", "unix:/tmp/kitty-9", "focus-window", "--match", "id:4"]


def test_what_a_terminal_says_when_it_fails_is_passed_on(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "kitty", "echo 'no such window' >&2; exit 3")
    put(tmp_path, session("a", terminal=KITTY))
    found = yourturn(tmp_path, "go", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "yourturn: a-name: kitty: no such window\n")


def test_a_terminal_whose_command_is_missing_is_named(tmp_path: Path) -> None:
    put(tmp_path, session("a", terminal=KITTY))
    found = yourturn(tmp_path, "go", PATH="/nowhere")
    assert (found.returncode, found.stderr) == (1, "yourturn: a-name: kitty is not installed, or not on PATH\n")


@pytest.mark.parametrize(
    ("terminal", "words"),
    [
        ({}, "its terminal is unknown"),
        ({"tty": "/dev/pts/9"}, "its terminal is unknown (it is on /dev/pts/9)"),
        ({"SSH_TTY": "/dev/pts/9"}, "its terminal is on another machine"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Wayland does not let programs"),
        ({"ZELLIJ_SESSION_NAME": "z"}, "zellij attach z"),
        ({"STY": "1.s"}, "screen -x 1.s"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_reason(terminal: dict[str, str], words: str, tmp_path: Path) -> None:
    one = session("a", terminal=terminal, pid=None)
    assert words in go.go(one)
    put(tmp_path, one)
    found = yourturn(tmp_path, "go", "--json")
    assert found.returncode == 1
    assert json.loads(found.stdout)["ok"] is False
    assert words in json.loads(found.stdout)["notes"][0]


def test_the_help_says_where_it_goes_without_a_name(tmp_path: Path) -> None:
    said = " ".join(yourturn(tmp_path, "go", "--help").stdout.split())
    assert "Without SESSION: the agent that has been blocked longest, or if none is blocked, the only one" in said


def test_nobody_to_go_to_is_an_error_in_words(tmp_path: Path) -> None:
    unknown = yourturn(tmp_path, "go")
    assert (unknown.returncode, unknown.stderr) == (1, "yourturn: cannot tell which agent is blocked: state unknown.\n")
    with watcher(tmp_path, time.time()):
        found = yourturn(tmp_path, "go")
        assert (found.returncode, found.stderr) == (1, "yourturn: no agent is running.\n")
        put(tmp_path, session("a"))
        assert "no session 'x' found" in yourturn(tmp_path, "go", "x").stderr


def test_next_goes_on_to_one_that_can_be_reached_and_names_those_it_passed_over(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "kitty")
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    lost = [session(f"lost{k}", NEEDS_APPROVAL, since=NOW - 500 + k, pid=None) for k in range(2)]
    put(tmp_path, *lost, session("there", NEEDS_APPROVAL, since=NOW - 5, terminal=KITTY))
    found = yourturn(tmp_path, "go", "--next", PATH=path)
    assert (found.returncode, found.stdout) == (0, "there-name: kitty\n")
    why = "its terminal is unknown"
    assert found.stderr == f"yourturn: skipped lost0-name: {why}\nyourturn: skipped lost1-name: {why}\n"
    told = json.loads(yourturn(tmp_path, "go", "--next", "--json", PATH=path).stdout)
    assert (told["session_id"], [one["session_id"] for one in told["passed_over"]]) == ("there", ["lost0", "lost1"])


def test_next_fails_when_none_can_be_reached_and_says_why_of_each(tmp_path: Path) -> None:
    put(tmp_path, *(session(f"lost{k}", NEEDS_APPROVAL, since=NOW - 500 + k, pid=None) for k in range(2)))
    found = yourturn(tmp_path, "go", "--next")
    assert (found.returncode, found.stdout) == (1, "")
    why = "its terminal is unknown"
    assert found.stderr == f"yourturn: skipped lost0-name: {why}\nyourturn: lost1-name: {why}\n"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_session_breaks_nothing(text: str, tmp_path: Path) -> None:
    names = (*go.OUTER, "tty", "STY", "ZELLIJ_SESSION_NAME")
    put(tmp_path, session("a", NEEDS_APPROVAL, name=text, cwd=text, terminal=dict.fromkeys(names, text)))
    found = yourturn(tmp_path, "go", "--next")
    assert found.returncode == 1
    assert found.stderr.startswith("yourturn: ")
    assert found.stderr[:-1].isprintable()
    assert "Traceback" not in found.stderr
