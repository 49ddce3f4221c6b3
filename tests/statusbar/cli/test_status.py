"""`yourturn status`: the table, as words."""

import json
import time
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL
from statusbar.cli.status import page
from statusbar.model.board import board
from statusbar.text.width import width
from support.printed import EXAMPLE, words
from support.project import PROJECT
from support.showing import HOSTILE, NOW, hostile, put, rest, run, session, statuses, watcher


def test_the_table_reads_well() -> None:
    assert words(page(board(EXAMPLE, NOW), 80)) == (
        "STATE               PROJECT   NAME      DETAIL           AGE\n"
        "▲ needs approval    api       9a        Bash: npm test   4 m\n"
        "  ● working                   main      1 sub-agent      1 m\n"
        "  ▲ needs approval            Explore   Bash: npm test   1 m\n"
        "● working           web       1f        Edit: index.ts   now\n"
        "○ waiting           漢字                1 shell running  2 h\n"
        "\n"
        "▲ 1 needs you   ● 1 working   ○ 1 waiting\n"
        "1 background session is hidden. To see all: yourturn status --all"
    )


def test_the_table_fits_any_terminal_and_keeps_sums_and_notices_in_sight() -> None:
    some = statuses(*EXAMPLE.sessions, hostile(HOSTILE["wide characters"]), hostile("x" * 999), locked=False)
    whole = board(some, NOW)
    for columns in range(14, 200):
        lines = page(whole, columns, 20)
        assert len(lines) <= 20
        assert max(sum(width(piece.text) for piece in line) for line in lines) <= columns, columns
        assert "✕" in words(lines)


def test_what_does_not_fit_the_terminal_is_counted() -> None:
    whole = board(statuses(*(session(f"s{k}") for k in range(50))), NOW)
    lines = page(whole, 80, 10)
    assert len(lines) == 9, "the last line is for the cursor"
    assert words(lines).splitlines()[-3:] == ["… 45 more", "", "● 50 working"]


def test_nothing_to_show_is_said_calmly(tmp_path: Path) -> None:
    rest(tmp_path)
    found = run(tmp_path, "status")
    assert (found.returncode, found.stderr) == (0, "")
    hint = "Is one missing? To find out why: yourturn doctor. To list agents without hooks: yourturn tree --all"
    assert found.stdout == f"No agent is running.\n{hint}\n"


def test_that_nobody_knows_is_not_said_calmly(tmp_path: Path) -> None:
    found = run(tmp_path / "none", "status")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "✕ No watcher is running: state unknown. Start it: yourturn up\n"
    assert not (tmp_path / "none").exists(), "the status bar writes no state"


def test_a_watcher_that_does_not_run_is_said_with_the_remedy(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    remedy = "✕ No watcher is running: state unknown. Start it: yourturn up\n"
    assert run(tmp_path, "status").stdout.endswith(remedy)
    assert run(tmp_path, "explain").stdout.startswith(remedy)
    assert "●? worked" in run(tmp_path, "status").stdout
    assert "●? worked" in run(tmp_path, "explain").stdout
    with watcher(tmp_path):
        assert "✕" not in run(tmp_path, "status").stdout


def test_a_pipe_gets_no_colours_and_whole_lines(tmp_path: Path) -> None:
    put(tmp_path, session("a", detail="long " * 30))
    found = run(tmp_path, "status", COLUMNS="40").stdout
    assert "\x1b" not in found
    assert ("long " * 30).strip() in found


def test_a_stream_that_knows_only_ascii_gets_ascii(tmp_path: Path) -> None:
    put(tmp_path, session("a", NEEDS_APPROVAL, name="Bär"))
    with watcher(tmp_path, time.time()):
        found = run(tmp_path, "status", PYTHONIOENCODING="ascii")
    assert found.returncode == 0
    assert "! needs approval" in found.stdout
    assert "B?r" in found.stdout


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_texts_leave_json_and_terminal_whole(what: str, tmp_path: Path) -> None:
    put(tmp_path, hostile(HOSTILE[what]), session("good"))
    (one, _) = json.loads(run(tmp_path, "status", "--json", "--full").stdout)["sessions"]
    for said in (one["name"], one["detail"], one["agents"][1]["type"], one["agents"][2]["weighed"][0]["says"]):
        assert said.isprintable()
    for command in ("status", "explain"):
        found = run(tmp_path, command).stdout
        assert all(char == "\n" or char.isprintable() for char in found)
        assert max(map(len, found.splitlines())) < 1200
        assert "good-name" in found
    assert not (PROJECT / "x").exists()


def test_full_without_json_is_refused_and_not_ignored(tmp_path: Path) -> None:
    found = run(tmp_path, "status", "--full")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == ("yourturn: --full works only with --json: yourturn status --json --full\n")


def test_only_the_sessions_of_one_client_are_shown(tmp_path: Path) -> None:
    with watcher(tmp_path):
        put(tmp_path, session("a", client="claude"), session("b", client="qwen"), session("c", client="qwen"))
        everybody = run(tmp_path, "status").stdout
        qwen = run(tmp_path, "status", "--client", "qwen").stdout
        found = json.loads(run(tmp_path, "status", "--json", "--client", "qwen").stdout)
    assert "CLIENT" in everybody
    assert "CLIENT" not in qwen
    assert [one["client"] for one in found["sessions"]] == ["qwen", "qwen"]
