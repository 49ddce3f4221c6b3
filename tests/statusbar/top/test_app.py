"""`yourturn top` in a real terminal."""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from contract import paths, store
from contract.status import NEEDS_APPROVAL, WAITING, Weighed
from support.asking import BASH, Asking, decision
from support.builders import SESSION
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import (
    HOSTILE,
    NOW,
    STATUSBAR,
    agent,
    environ,
    hostile,
    just_now,
    litter,
    put,
    run,
    session,
    terminal,
    watcher,
)

TOP = [*STATUSBAR, "top"]


def test_rows_appear_change_and_go_as_the_files_do(tmp_path: Path) -> None:
    home = tmp_path / "state"
    put(home, session("a", name="ada"), session("b", name="bob"))
    with watcher(home), terminal(home, tmp_path) as one:
        one.start(*TOP)
        one.until("ada", "● 2 working", "q quit", gone="✕")
        put(home, session("a", NEEDS_APPROVAL, name="ada", detail="Bash: rm"))
        found = one.until("▲ 1 needs you", "Bash: rm")
        assert found.index("ada") < found.index("bob")
        store.remove(paths.status(str(home), "b"))
        one.until("ada", gone="bob")
        store.remove(paths.status(str(home), "a"))
        one.until("No agent is running")


def test_keys_work_and_q_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    home = tmp_path / "state"
    weighed = (Weighed("registry", "busy", NOW, "too old"),)
    put(
        home,
        session("a", name="ada", agents=(agent(weighed=weighed),)),
        session("b", name="bob"),
        session("c", name="cy", hidden=True),
    )
    with terminal(home, tmp_path) as one:
        one.start(*TOP)
        one.until("ada", "bob", gone="cy")
        one.keys("a")
        one.until("cy", " all")
        one.keys("a", "s", "s")
        one.until("by name", gone="cy")
        one.keys("e")
        one.until("overruled: too old", "explain")
        one.keys("Escape")
        one.until("bob", "q quit")
        one.keys("Down", "Right")
        one.until("b  process 7")
        one.keys("q", "l")
        one.until("No log yet")
        store.append(
            paths.observations(str(home)),
            b'{"at": 5, "agent": "main", "kind": "status_changed", "from": "working", "to": "waiting"}\n',
            limit=9999,
        )
        one.until("main  status: working → waiting")
        one.keys("q", "?")
        one.until("this help")
        one.keys("q", "/", "b", "o", "b")
        one.until("/bob_", gone="ada")
        one.keys("Enter")
        one.until("/bob", "q quit")
        one.keys("Escape")
        one.until("ada")
        one.keys("q")
        one.until("left with 0", gone="bob")
        one.keys(f"stty -a > {tmp_path}/after; clear; echo 'it is' over", "Enter")
        one.until("it is over")
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()


def test_it_follows_the_size_of_the_terminal_however_small(tmp_path: Path) -> None:
    put(tmp_path, *(session(f"s{k}", name=f"name{k}") for k in range(60)))
    with terminal(tmp_path, tmp_path) as one:
        one.start(*TOP)
        one.until("name0", "DETAIL", "q quit")
        one.keys("G")
        one.until("name9", gone="name0")
        for size in ("40x10", "20x6", "5x3", "1x1", "2x2", "30x8", "120x40"):
            columns, lines = size.split("x")
            one.tmux("resize-window", "-x", columns, "-y", lines)
        found = one.until("name9", "q quit", "DETAIL", "name30")
        assert found.splitlines()[39].startswith("↑↓ move")
        one.keys("q")
        one.until("left with 0")


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupted", "told to end"]
)
def test_a_signal_ends_it_with_the_terminal_restored(number: int, code: int, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with terminal(tmp_path, tmp_path) as one:
        one.start(*TOP)
        one.until("a-name")
        (process,) = children(one.tmux("display", "-p", "#{pane_pid}"))
        process.send_signal(number)
        one.until(f"left with {code}", gone="a-name")


def test_it_ends_with_its_terminal(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with terminal(tmp_path, tmp_path) as one:
        one.start(*TOP)
        one.until("a-name")
        (process,) = children(one.tmux("display", "-p", "#{pane_pid}"))
        one.tmux("kill-server")
        assert psutil.wait_procs([process], timeout=PATIENCE_S)[1] == []


def test_it_ends_when_its_terminal_is_gone_even_if_nobody_tells_it(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    ours, theirs = pty.openpty()
    deaf = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", *TOP]
    with subprocess.Popen(deaf, stdin=theirs, stdout=theirs, env=environ(tmp_path), cwd=PROJECT) as one:
        os.close(theirs)
        try:
            assert os.read(ours, 1)
            os.close(ours)
            assert one.wait(PATIENCE_S) == 1
        finally:
            one.kill()


def children(pid: str) -> list[psutil.Process]:
    return psutil.Process(int(pid)).children()


def test_it_comes_back_after_it_was_stopped(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with terminal(tmp_path, tmp_path) as one:
        one.start("bash", "--norc", "-i", PS1="ready> ")
        one.until("ready>")
        one.keys(" ".join(TOP), "Enter")
        one.until("a-name", "q quit")
        one.keys("C-z")
        one.until("Stopped")
        one.keys("fg", "Enter")
        one.until("a-name", "q quit")


@pytest.mark.parametrize(
    "env",
    [{"NO_COLOR": "1"}, {"LC_ALL": "C"}, {"TERM": "vt100"}, {"TERM": "linux"}, {"TERM": "ansi", "LC_ALL": "POSIX"}],
    ids=str,
)
def test_it_works_in_plain_terminals(env: dict[str, str], tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, name="Bär"))
    symbol, name = ("!", "B?r") if "LC_ALL" in env else ("▲", "Bär")
    with watcher(tmp_path, time.time()), terminal(tmp_path, tmp_path) as one:
        one.start(*TOP, **env)
        one.until(f"{symbol} needs approval", name)
        one.keys("q")
        one.until("left with 0")


def test_colours_are_drawn_unless_unwanted(tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL), session("b", NEEDS_APPROVAL))
    red = "\x1b[31m"
    for env, wanted in (({}, True), ({"NO_COLOR": "1"}, False)):
        folder = tmp_path / str(wanted)
        folder.mkdir()
        with watcher(tmp_path, time.time()), terminal(tmp_path, folder) as one:
            one.start(*TOP, **env)
            one.until("b-name")
            found = one.tmux("capture-pane", "-p", "-e").replace("\x1b[1m\x1b[31m", red)
            assert (red in found) == wanted
            assert wanted or not re.search(r"\x1b\[[\d;]*[34][0-7]", found), "not even black and white"


def test_hostile_names_change_nothing_but_their_own_row(tmp_path: Path) -> None:
    home = tmp_path / "state"
    put(home, *(hostile(text) for text in HOSTILE.values()), session("z-good", WAITING, name="good"))
    with watcher(home, time.time()), terminal(home, tmp_path) as one:
        one.start(*TOP, size="100x70")
        found = one.until("good", "STATE", "q quit")
        lines = found.splitlines()
        assert lines[0].startswith("yourturn  ▲")
        rows = [line for line in lines if line.lstrip().startswith(("▲", "●", "○"))]
        assert len(rows) == 4 * len(HOSTILE) + 1
        assert all(line.rstrip().endswith((" d", " h", " m", " s")) for line in rows)
        one.keys("e")
        one.until("verdict", "explain")
    assert not list(PROJECT.glob("x"))


def test_opening_brings_the_pane_to_the_front_and_says_what_it_could_not_do(tmp_path: Path) -> None:
    home = tmp_path / "state"
    put(home, session("lost", WAITING))
    with watcher(home, time.time()), terminal(home, tmp_path) as one:
        one.start(*TOP)
        one.until("lost-name")
        one.keys("Enter")
        one.until("Could not go to lost-name: its terminal is unknown")
        one.keys("j")
        one.until("lost-name", gone="Could not go")
        server = one.tmux("display", "-p", "#{socket_path},#{pid},0").strip()
        pane = one.tmux("new-window", "-d", "-P", "-F", "#{pane_id}", "sleep 600").strip()
        put(home, session("here", NEEDS_APPROVAL, terminal={"TMUX": server, "TMUX_PANE": pane}))
        one.until("▲ needs approval", "here-name")
        one.keys("g", "o")
        until(lambda: one.tmux("display", "-p", "#{pane_id}").strip() == pane)


def test_it_waits_without_working(tmp_path: Path) -> None:
    put(tmp_path, *(session(f"s{k}", since=time.time() - 7200 - k * 7) for k in range(50)))
    with watcher(tmp_path, time.time()), terminal(tmp_path, tmp_path) as one:
        one.start(*TOP)
        one.until("q quit")
        (process,) = children(one.tmux("display", "-p", "#{pane_pid}"))
        before = sum(process.cpu_times()[:2])
        put(tmp_path, session("s0", NEEDS_APPROVAL))
        one.until("▲ 1 needs you")
        until_a_busy_loop_has_spent(2.0)
        spent = sum(process.cpu_times()[:2]) - before
    assert spent < 1.0, "it was as busy as the loop beside it"


def until_a_busy_loop_has_spent(seconds: float) -> None:
    """Beside others it gets as much of a core as any busy loop would, however many others there are."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            until(lambda: sum(psutil.Process(busy.pid).cpu_times()[:2]) > seconds, "time for a busy loop")
        finally:
            busy.kill()


def test_without_a_terminal_it_says_what_to_use_instead(tmp_path: Path) -> None:
    found = run(tmp_path, "top")
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == "yourturn: top needs a terminal. Instead: yourturn status --watch\n"


@pytest.mark.parametrize("name", ["nonsense", "dumb"], ids=["unknown", "without cursor movement"])
def test_a_terminal_that_cannot_be_drawn_on_is_an_error_in_words(name: str, tmp_path: Path) -> None:
    with terminal(tmp_path, tmp_path) as one:
        one.start(*TOP, size="100x24", TERM=name)
        one.until(f"the terminal '{name}' is unknown here. Instead: yourturn status --watch", "left with 1")


def test_what_is_not_a_status_is_counted_and_the_rest_is_shown(tmp_path: Path) -> None:
    home = tmp_path / "state"
    put(home, session("good", NEEDS_APPROVAL))
    number = litter(home)
    with watcher(home, time.time()), terminal(home, tmp_path) as one:
        one.start(*TOP, size="160x30")
        one.until("good-name", "later-name", f"{number} status files could not be read")
        for path in (home / "status").glob("*.json"):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        one.until("No agent is running", gone="good-name")
        one.keys("q")
        one.until("left with 0")


def test_the_page_of_a_request_stays_with_it_so_that_a_late_key_answers_no_other(tmp_path: Path) -> None:
    with Asking(tmp_path) as client, watcher(tmp_path / "state"):
        put(tmp_path / "state", just_now(SESSION, NEEDS_APPROVAL, pid=None))
        client.hook()
        client.open()
        with terminal(tmp_path / "state", tmp_path) as one:
            one.start(*TOP)
            one.until("r reply")
            one.keys("r")
            one.until("touch made", "a allow")
            second = client.hook({**BASH, "tool_input": {"command": "rm -rf /"}})
            one.until("This request is over")
            one.keys("a", "d", "Enter", "r")
            one.until("rm -rf /", "a allow")
            assert (second.poll(), client.outcomes()) == (None, ["answered elsewhere"])
            one.keys("d")
            assert decision(second)["behavior"] == "deny"
