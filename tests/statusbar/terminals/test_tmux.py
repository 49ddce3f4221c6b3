"""A pane of tmux: what is planned, and a real tmux that is brought to the right pane."""

import os
import shlex
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from statusbar.terminals import go, tmux
from statusbar.terminals.tmux import Client
from support.command import yourturn
from support.panes import attached, inner, new_pane, shown
from support.showing import put, session, terminal
from support.terminals import tool, where

TMUX = {"TMUX": "/tmp/tmux-1/default,77,0", "TMUX_PANE": "%3"}


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
