"""`yourturn line`: in each host's own format, and nothing that a host would run."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from contract import launch
from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.cli import line, line_hosts
from statusbar.model.board import Board, board
from statusbar.model.snapshot import Statuses
from statusbar.text.symbols import HEX
from statusbar.text.width import width
from support.project import PROJECT
from support.showing import (  # fmt: skip
    HOSTILE,
    NOW,
    RESTS,
    STATUSBAR,
    agent,
    environ,
    hostile,
    piped,
    put,
    rest,
    run,
    session,
    statuses,
    terminal,
    watcher,
)
from support.terminals import KITTY, tool

BUSY = board(
    statuses(
        session(
            "a",
            NEEDS_APPROVAL,
            cwd="/p/api",
            name="api-9a",
            detail="Bash: npm test",
            agents=(agent(), agent("x", type="Plan")),
        ),
        session("b", name="bob", cwd="/p/web"),
        session("c", WAITING, name="cy", cwd="/p/c", detail="1 shell running"),
    ),
    NOW,
)
CALM = board(Statuses(heartbeat=RESTS), NOW)
DEAD = board(statuses(session("b"), locked=False), NOW)
NOBODY_KNOWS = board(Statuses(), NOW)
SINCE = time.strftime("%H:%M", time.localtime(NOW))
CLICK = r" bash=/[\w/.-]+ param1=/[\w/.-]+/yourturn\.py param2=go param3=[A-Za-z0-9][\w-]* terminal=false"
PARAMETERS = re.compile(rf" \| emojize=false( symbolize=false)? ansi=false( color=#[0-9a-f]{{6}})?({CLICK})?", re.ASCII)


def evil(text: str) -> Board:
    return board(statuses(hostile(text), session("good", WAITING)), NOW)


def test_every_host_has_a_format_and_a_way_to_set_it_up() -> None:
    assert set(line.HOSTS) == set(line_hosts.SETUP)
    assert set(line_hosts.FOLLOWING) <= set(line_hosts.SETUP)
    for host, words in line_hosts.SETUP.items():
        command = re.search(r"yourturn line( --for (\w+))?( --follow)?", words)
        assert command
        assert command[2] in (host, None if host == "plain" else host)
        assert bool(command[3]) == (host in line_hosts.FOLLOWING)


def test_plain_says_the_sums_and_who_has_been_blocked_longest() -> None:
    assert line.plain(BUSY) == "▲1 ●1 ○1 api: Bash: npm test"
    assert line.plain(CALM) == "·"
    assert line.plain(DEAD) == f"✕ ●1 state unknown since {SINCE}"
    assert line.sketchybar(BUSY) == line.plain(BUSY)


def test_tmux_gets_the_blocked_ones_in_reverse() -> None:
    assert line.tmux(BUSY) == "#[reverse]▲1#[noreverse] ●1 ○1 api: Bash: npm test"
    assert line.tmux(CALM) == "·"
    assert line.tmux(DEAD) == f"#[reverse]✕#[noreverse] ●1 state unknown since {SINCE}"


def test_polybar_gets_colours() -> None:
    assert line.polybar(BUSY) == ("%{F#e5484d}▲1%{F-} %{F#2b9a66}●1%{F-} %{F#3e8ed0}○1%{F-} api: Bash: npm test")
    assert line.polybar(CALM) == "·"
    assert line.polybar(DEAD).startswith("%{F#b37a00}✕%{F-} %{F#80838d}●1%{F-} ")


def test_waybar_gets_one_object_with_all_rows_in_the_tooltip() -> None:
    found = json.loads(line.waybar(BUSY))
    assert found == {
        "text": "▲1 ●1 ○1 api: Bash: npm test",
        "tooltip": "▲ api  api-9a  Bash: npm test  1 m\n  ● main  1 m\n  ● Plan  1 m\n● web  bob  1 m\n"
        "○ c  cy  1 shell running  1 m",
        "alt": "needs_approval",
        "class": "needs_approval",
    }
    assert json.loads(line.waybar(CALM))["class"] == "calm"
    assert json.loads(line.waybar(DEAD))["class"] == "trouble"
    assert "yourturn up" in json.loads(line.waybar(DEAD))["tooltip"]


@pytest.fixture
def _plain_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/v/python")
    monkeypatch.setattr(launch, "FRONT_DOOR", "/v/yourturn.py")


@pytest.mark.usefixtures("_plain_paths")
def test_menubar_plugins_get_a_title_and_a_menu_whose_rows_go_to_the_terminal() -> None:
    harmless = "emojize=false symbolize=false ansi=false"
    go = f"{harmless} bash=/v/python param1=/v/yourturn.py param2=go param3="
    assert line.swiftbar(BUSY).splitlines() == [
        f"▲1 ●1 ○1 | {harmless} color=#e5484d",
        "---",
        f"Go to api: Bash: npm test | {go}a terminal=false",
        "---",
        f"▲ api  api-9a  Bash: npm test  1 m | {harmless}",
        f"--Go to the terminal | {go}a terminal=false",
        f"--● main  1 m | {go}a terminal=false",
        f"--● Plan  1 m | {go}a terminal=false",
        f"● web  bob  1 m | {go}b terminal=false",
        f"○ c  cy  1 shell running  1 m | {go}c terminal=false",
    ]
    assert line.xbar(BUSY) == line.swiftbar(BUSY).replace(" symbolize=false", "")
    assert line.swiftbar(CALM).splitlines()[-1] == f"No agent is running | {harmless}"
    assert line.swiftbar(DEAD).splitlines()[-1].startswith(f"✕ No watcher is running: state unknown since {SINCE}")


def test_starship_gets_nothing_when_there_is_nothing() -> None:
    assert line.starship(BUSY) == line.plain(BUSY)
    assert line.starship(CALM) == ""
    assert line.starship(DEAD) == line.plain(DEAD)


@pytest.mark.parametrize("host", line.HOSTS)
def test_where_nobody_knows_no_host_is_told_that_all_is_calm(host: str) -> None:
    found = line.HOSTS[host](NOBODY_KNOWS)
    assert "✕" in found or "\\u2715" in found
    assert "state unknown" in found
    assert "No agent" not in found
    assert found != line.HOSTS[host](CALM)


@pytest.mark.parametrize("host", line.HOSTS)
def test_what_is_old_is_no_alarm_for_any_host(host: str) -> None:
    asking = session("a", NEEDS_APPROVAL, detail="Bash: npm test")
    found = line.HOSTS[host](board(statuses(asking, locked=False), NOW))
    assert f"state unknown since {SINCE}" in found.splitlines()[-1 if host in ("swiftbar", "xbar") else 0]
    for alarm in ("#[reverse]▲", HEX["red"], "▲ a"):
        assert alarm not in found


# Hostile names


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_names_stay_text_for_every_host(what: str) -> None:
    whole = evil(HOSTILE[what])
    for host, draw in line.HOSTS.items():
        found = draw(whole)
        assert all(one.isprintable() for one in found.split("\n")), host
        assert found.count("\n") == 0 or host in ("swiftbar", "xbar")
    assert not re.search(r"(?<!#)(?:##)*#[^#\[]", line.tmux(whole))
    assert set(re.findall(r"%\{[^}]*\}?", line.polybar(whole))) <= {"%{F#e5484d}", "%{F-}", "%{F#3e8ed0}"}
    assert not set("$`\\%!") & set(line.starship(whole))
    assert width(line.plain(whole)) <= 60
    markup = json.loads(line.waybar(whole))
    for part in (markup["text"], markup["tooltip"]):
        assert len(ET.fromstring(f"<a>{part}</a>")) == 0, "an element got through"  # noqa: S314 - made here
    for draw in (line.swiftbar, line.xbar):
        title, bar, *rows = draw(whole).split("\n")
        assert bar == "---"
        assert "\\" not in draw(whole), "SwiftBar breaks a line at a backslash and an n"
        assert len([row for row in rows if re.match(r"(--)*[▲●○]", row)]) == len(whole.rows)
        for row in (title, *(row for row in rows if row != "---")):
            text, _, _ = row.partition(" | ")
            assert PARAMETERS.fullmatch(row.removeprefix(text)), row
            assert re.match(r"(--)*([▲●○]|Go to )", row)


@pytest.mark.parametrize("id_", ["$(touch x)", "a b", "-x", "--next", "a;touch x", "é", "", "a" * 101, "a\nb", "'a'"])
@pytest.mark.parametrize("draw", [line.swiftbar, line.xbar])
def test_an_id_that_a_shell_could_misread_makes_no_row_that_can_be_clicked(
    draw: Callable[[Board], str], id_: str
) -> None:
    found = draw(board(statuses(session(id_, NEEDS_APPROVAL, agents=(agent(), agent("p", type="Plan")))), NOW))
    assert "bash=" not in found
    assert "Go to" not in found
    assert "▲" in found


@pytest.mark.parametrize("path", ["/my files/python", "/$(touch x)/python", "python", "/é/python", "/a;b"])
def test_a_path_that_a_shell_could_misread_makes_none_either(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "bash=" in line.swiftbar(BUSY)
    monkeypatch.setattr(sys, "executable", path)
    assert "bash=" not in line.swiftbar(BUSY)


def test_a_click_as_swiftbar_hands_it_to_a_shell_goes_to_the_terminal(tmp_path: Path) -> None:
    said = tool(tmp_path / "bin", "kitty")
    put(tmp_path, session("a-1", NEEDS_APPROVAL, terminal=KITTY, name="x | bash=/bin/false", detail="$(touch ran)"))
    with watcher(tmp_path):
        (row,) = [one for one in run(tmp_path, "line", "--for", "swiftbar").stdout.splitlines() if "Go to" in one]
        words = dict(word.split("=", 1) for word in row.partition(" | ")[2].split())
        code = " ".join([words["bash"], *(words[f"param{k}"] for k in (1, 2, 3))])
        env = environ(tmp_path, PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
        done = subprocess.run(["sh", "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(": kitty\n")
    assert "focus-window" in said.read_text()
    assert not list(tmp_path.rglob("ran"))


def test_bash_and_zsh_find_nothing_to_run_in_a_prompt_made_of_hostile_names(tmp_path: Path) -> None:
    for text in HOSTILE.values():
        words = line.starship(evil(text))
        code = f'PS1={shlex.quote(words)}; echo "${{PS1@P}}"'
        found = subprocess.run(["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert found.stdout.rstrip("\n") == words
    assert list(tmp_path.iterdir()) == []


FOR_TMUX = ["#(touch ran)", "##(touch ran)", "#{pane_id}", "###[fg=red]", "%H%%H#", "#,#}"]


def test_a_real_tmux_shows_the_line_and_runs_nothing_of_it(tmp_path: Path) -> None:
    home = tmp_path / "state"
    ours = shlex.join([*STATUSBAR, "line", "--for", "tmux"])
    settings = {"status-right-length": "100", "status-right": f"#({ours})", "status-interval": "1", "status-left": ""}
    words = [word for name, value in settings.items() for word in (";", "set", "-g", name, value)]
    put(home, session("a", NEEDS_APPROVAL, cwd="/p/x", detail="begins"))
    with watcher(home), terminal(home, tmp_path) as one:
        # A status line is drawn for a client, so this terminal shows another tmux.
        one.start("tmux", "-L", "inner", "-f", "/dev/null", "new-session", "sleep 3600", *words, TMUX="")
        one.until("▲1 x: begins")
        for evil_name in FOR_TMUX:
            put(home, session("a", NEEDS_APPROVAL, cwd="/p/x", detail=f"<{evil_name}>"))
            shown = one.until("▲1 x: <", evil_name.lstrip("#") + ">")
            runs_may_be_shortened = re.sub(r"(\\#)+", "#+", re.escape(evil_name))
            assert re.search(f"<{runs_may_be_shortened}>", shown), shown
        one.tmux("-L", "inner", "kill-server")
    assert not list(tmp_path.rglob("ran"))
    assert not (PROJECT / "ran").exists()


# The command


def test_one_line_is_printed_and_no_more(tmp_path: Path) -> None:
    assert run(tmp_path, "line").stdout == "✕ state unknown\n"
    rest(tmp_path)
    assert run(tmp_path, "line").stdout == "·\n"
    put(tmp_path, session("a", NEEDS_APPROVAL, detail="question"))
    with watcher(tmp_path):
        assert run(tmp_path, "line", "--for", "plain").stdout == "▲1 a: a question\n"
        assert run(tmp_path, "line", PYTHONIOENCODING="ascii").stdout == "!1 a: a question\n"


@pytest.mark.parametrize("host", line_hosts.FOLLOWING)
def test_following_prints_again_when_the_line_changes(host: str, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with watcher(tmp_path), piped(tmp_path, "line", "--for", host, "--follow") as one:
        assert one.stdout
        lines = iter(one.stdout.readline, "")
        assert next(said for said in lines if "●1" in said or r"\u25cf1" in said)
        put(tmp_path, session("a", NEEDS_APPROVAL))
        news = next(said for said in lines if "▲1" in said or r"\u25b21" in said)
        if host == "waybar":
            assert json.loads(news)["class"] == "needs_approval"
        one.send_signal(signal.SIGTERM)
        assert one.wait() == 143


def test_a_stream_for_swiftbar_marks_where_a_menu_begins(tmp_path: Path) -> None:
    with piped(tmp_path, "line", "--for", "swiftbar", "--follow") as one:
        assert one.stdout
        assert one.stdout.readline() == "~~~\n"


def test_a_host_that_takes_no_stream_is_refused_one(tmp_path: Path) -> None:
    found = run(tmp_path, "line", "--for", "tmux", "--follow")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "yourturn: tmux runs the command again by itself. Drop --follow.\n"


def test_an_unknown_host_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    found = run(tmp_path, "line", "--for", "nobar")
    assert found.returncode == 2
    assert all(host in found.stderr for host in line_hosts.SETUP)


def test_the_help_tells_how_to_set_up_each_host(tmp_path: Path) -> None:
    found = run(tmp_path, "line", "--help").stdout
    for words in line_hosts.SETUP.values():
        assert words.splitlines()[0] in found
