"""`yourturn top`: what keys do, what is drawn, and the whole of it in a real terminal."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from contract import paths, store
from contract.status import NEEDS_APPROVAL, STATES, WAITING, Weighed
from statusbar.cli.status import page
from statusbar.cli.table import Piece
from statusbar.model import history
from statusbar.model.board import Board, Order, board, filtered
from statusbar.text.symbols import counted
from statusbar.text.width import width
from statusbar.top.screen import screen
from statusbar.top.state import Mode, Seen, View, press, settle
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import (
    HOSTILE,
    NOW,
    STATUSBAR,
    agent,
    environ,
    hostile,
    litter,
    put,
    run,
    session,
    statuses,
    terminal,
    watcher,
)

TOP = [*STATUSBAR, "top"]
WHOLE = board(statuses(*(session(f"s{k}", NEEDS_APPROVAL if k == 3 else WAITING) for k in range(40))), NOW)
SEEN = Seen(WHOLE.rows, 40, 10)


def after(*keys: str, view: View | None = None, seen: Seen = SEEN) -> View:
    found = settle(view or View(), seen.rows)
    for key in keys:
        found = press(found, key, seen)
    return found


def drawn(view: View, whole: Board = WHOLE, columns: int = 80, lines: int = 24, page: str = "") -> list[str]:
    found = screen(view, whole, [(Piece(line),) for line in page.splitlines()], columns, lines)
    return ["".join(piece.text for piece in line) for line in found.lines]


# Keys


@pytest.mark.parametrize(
    ("keys", "index"),
    [("j", 1), ("jjk", 1), ("k", 0), ("G", 39), ("Gg", 0), ("Gj", 39), ("  ", 20), ("jz", 1)],
)
def test_letters_move_through_the_rows(keys: str, index: int) -> None:
    assert after(*keys).index == index


@pytest.mark.parametrize(("key", "index"), [("down", 1), ("page down", 10), ("end", 39), ("up", 0), ("home", 0)])
def test_arrows_move_too(key: str, index: int) -> None:
    assert after(key).index == index


def test_moving_where_there_is_nothing_stays_put() -> None:
    found = after("down", "G", "enter", "e", seen=Seen((), 0, 10))
    assert (found.mode, found.wish) == (Mode.LIST, "")


def test_the_selection_stays_on_its_row_and_on_its_place_when_the_row_is_gone() -> None:
    chosen = after("j", "j")
    moved = settle(chosen, tuple(reversed(WHOLE.rows)))
    assert (moved.selected, moved.index) == (chosen.selected, 37)
    without = tuple(row for row in WHOLE.rows if row.id != chosen.selected)
    assert settle(chosen, without).selected == WHOLE.rows[3].id
    assert settle(chosen, WHOLE.rows[:1]).selected == WHOLE.rows[0].id
    assert settle(chosen, ()).index == 0


def test_pages_open_and_close() -> None:
    assert after("e").mode is after("right").mode is Mode.EXPLAIN
    assert after("l").mode is Mode.LOG
    assert after("?").mode is Mode.HELP
    assert after("l", "?").mode is Mode.HELP
    for closing in ("q", "escape", "l"):
        assert after("l", closing) == after("l", "q")
        assert after("l", closing).mode is Mode.LIST
    assert not after("l", "q").over
    assert after("q").over


def test_a_page_scrolls_to_its_end_and_back() -> None:
    seen = Seen(WHOLE.rows, 25, 10)
    assert after("e", "j", seen=seen).scroll == 1
    assert after("e", "G", "k", seen=seen).scroll == 14
    assert after("e", "page down", "page down", "page down", "k", seen=seen).scroll == 14
    assert after("e", "k", seen=seen).scroll == 0
    assert after("l", "k", seen=seen).scroll == 14, "a log begins at its end"


def test_typing_a_filter_takes_letters_that_are_keys_elsewhere() -> None:
    assert after("/", *"quas?").words == "quas?"
    assert after("/", *"abc", "backspace", "enter", "j").words == "ab"
    assert after("/", *"abc", "enter", "j").index == 1
    assert after("/", *"abc", "escape") == replace(after(), words="", typing=False)
    assert after("/", *"abc", "enter", "escape").words == ""
    assert not after("/", "backspace").typing
    assert len(after("/", *"x" * 500).words) < 100


def test_sorting_goes_through_all_orders_and_all_shows_everything() -> None:
    assert [after(*"s" * k).order for k in range(5)] == [*Order, Order.URGENCY]
    assert after("a").everything
    assert not after("a", "a").everything


def test_opening_what_was_folded_unfolds_it() -> None:
    folded = board(statuses(session("old", WAITING, since=NOW - 10**6)), NOW)
    assert after("enter", seen=Seen(folded.rows, 1, 10)).everything
    assert after("e", seen=Seen(folded.rows, 1, 10)).mode is Mode.LIST


def test_opening_a_row_asks_for_its_terminal() -> None:
    assert after("j", "enter").wish == after("j", "o").wish == WHOLE.rows[1].session_id
    assert after("j").wish == ""


# What is drawn


def test_the_screen_is_never_larger_than_the_terminal() -> None:
    whole = board(statuses(*(hostile(text) for text in HOSTILE.values()), session("a"), locked=False), NOW)
    for mode in Mode:
        view = settle(View(mode=mode, words="x" * 60, typing=True), whole.rows)
        for columns in (1, 5, 12, 20, 33, 60, 80, 200):
            for lines in (1, 2, 5, 6, 7, 24):
                found = drawn(view, whole, columns, lines, "word " * 99 + "\n" + "x" * 999)
                assert len(found) == lines
                if columns >= 12:
                    assert max(map(width, found)) <= columns


def test_the_selected_row_is_always_on_the_screen_and_the_view_moves_no_more_than_needed() -> None:
    view = View()
    for key in [*"j" * 39, *"k" * 39]:
        view = press(settle(view, WHOLE.rows), key, SEEN)
        found = screen(view, WHOLE, [], 80, 12)
        view = replace(view, first=found.seen.first)
        assert sum(piece.style == "selected" for line in found.lines for piece in line) == 1
        assert found.seen.first <= view.index < found.seen.first + found.seen.room
    assert (view.index, view.first) == (0, 0)
    back = screen(replace(settle(View(index=35), WHOLE.rows), first=31), WHOLE, [], 80, 12)
    assert back.seen.first == 31 == len(WHOLE.rows) - back.seen.room or back.seen.first <= 31


def test_the_first_line_sums_up_and_says_how_the_list_is_arranged() -> None:
    view = replace(after("a", "s"), words="npm")
    (first, *_) = drawn(view)
    assert first.startswith("yourturn  ▲ 1 needs you  ○ 39 waiting ")
    assert first.endswith("/npm (filtered)  all  by project")
    assert drawn(view, columns=30)[0].startswith("▲1 ○39  /npm")


def test_with_a_filter_the_sums_go_on_counting_everybody_and_the_first_line_says_that_some_are_left_out() -> None:
    for typing in (True, False):
        view = View(words="s3-name", typing=typing)
        (first, _, row, *rest) = drawn(view, filtered(WHOLE, view.words))
        assert "s3-name" in row
        assert not any("-name" in line for line in rest[:-1])
        assert first.startswith("yourturn  ▲ 1 needs you  ○ 39 waiting ")
        assert first.endswith("(filtered)")
    assert "(filtered)" not in drawn(View(typing=True))[0]


def test_what_stands_after_a_number_is_said_of_so_many() -> None:
    whole = board(statuses(*(session(f"s{k}", state) for k in range(2) for state in STATES)), NOW)
    assert drawn(View(), whole)[0].startswith("yourturn  ▲ 2 need you  ● 2 working  ○ 2 waiting")
    (sums,) = ["".join(piece.text for piece in line) for line in page(whole, 80) if "▲ 2" in str(line)]
    assert sums == "▲ 2 need you   ● 2 working   ○ 2 waiting"
    assert [counted(NEEDS_APPROVAL, k) for k in range(3)] == ["0 need you", "1 needs you", "2 need you"]


@pytest.mark.parametrize("columns", [20, 30, 40, 60])
def test_the_way_out_and_help_stay_on_a_narrow_screen(columns: int) -> None:
    last = drawn(View(), columns=columns, lines=10)[-1]
    assert last.rstrip().endswith("? help  q quit")
    assert ("↑↓ move" in last) == (columns >= 30)
    assert drawn(View(), columns=12, lines=10)[-1].rstrip() == "q quit"
    assert drawn(View(mode=Mode.HELP), columns=12, lines=10)[-1].rstrip() == "q back"


def test_a_line_that_is_folded_keeps_its_columns() -> None:
    found = drawn(View(mode=Mode.LOG), columns=30, page="  01 Jan  a1 main  went  far [some-rule]")
    assert [line for line in found[1:-1] if line] == ["  01 Jan  a1 main  went  far", "  [some-rule]"]


def test_a_demo_says_that_it_is_one_and_how_to_leave() -> None:
    for columns in (30, 40, 80):
        found = drawn(View(is_demo=True), columns=columns)
        assert "demo" in found[0]
        assert "Demo: not your agents. Press q to quit." in " ".join(found).replace("  ", " ")
    assert "yourturn demo" in drawn(View(is_demo=True, mode=Mode.HELP))[0]
    assert "demo" not in drawn(View())[0]


def test_an_empty_board_is_calm_and_a_filter_without_a_match_says_so() -> None:
    assert "No agent is running." in drawn(View(), board(statuses(), NOW))
    assert "No matches. Press Esc to show all." in drawn(View(words="zz"), filtered(WHOLE, "zz"))


def test_a_dead_watcher_is_on_the_screen() -> None:
    dead = board(statuses(session("a"), locked=False), NOW)
    assert any("yourturn up" in line for line in drawn(View(), dead))


# The log


def test_no_log_is_said_in_words(tmp_path: Path) -> None:
    assert history.tail(str(tmp_path / "none")) == [history.NONE]
    (tmp_path / "empty").touch()
    assert history.tail(str(tmp_path / "empty")) == [history.NONE]
    os.mkfifo(tmp_path / "pipe")
    assert history.tail(str(tmp_path / "pipe")) == [history.NONE]


def test_the_end_of_a_long_log_is_shown_without_half_a_line(tmp_path: Path) -> None:
    lines = [json.dumps({"v": 1, "at": NOW, "agent": f"a{k}", "state": "joined", "note": ""}) for k in range(5000)]
    (tmp_path / "log").write_text("\n".join(lines) + "\n")
    found = history.tail(str(tmp_path / "log"))
    assert 100 < len(found) < 2000
    assert all("  agent a" in line for line in found)
    assert found[-1].endswith("  agent a4999, state joined")


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\x1b[31m",
        b"[" * 9999,
        b'{"at": "x\\u001b"}',
        b'{"at": NaN}',
        b'{"at": 1e300, "kind": "started"}',
        b'{"at": 1e300}',
        b"7",
    ],
)
def test_no_line_of_a_log_can_break_the_screen(line: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(line + b"\n")
    (found,) = history.tail(str(tmp_path / "log"))
    assert found.isprintable()
    assert len(found) <= 330


# In a real terminal


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
        assert all(line.rstrip().endswith((" d", " h", " m", "now")) for line in rows)
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


@pytest.mark.parametrize(
    ("words", "closed", "said"),
    [
        ("top", "<&-", "top needs a terminal"),
        ("top", ">&-", "top needs a terminal"),
        ("status", ">&-", "the standard output is closed"),
        ("status --json --watch", ">&-", "the standard output is closed"),
        ("line --follow", ">&-", "the standard output is closed"),
        ("explain", ">&-", "the standard output is closed"),
    ],
)
def test_a_closed_stream_is_an_error_in_words(words: str, closed: str, said: str, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with terminal(tmp_path, tmp_path) as one:
        one.start("sh", "-c", f'exec "$@" {closed}', "sh", *STATUSBAR, *words.split())
        found = one.until(f"yourturn: {said}", "left with 1")
    assert "Traceback" not in found


def test_full_without_json_is_refused_and_not_ignored(tmp_path: Path) -> None:
    found = run(tmp_path, "status", "--full")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == ("yourturn: --full works only with --json: yourturn status --json --full\n")


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
