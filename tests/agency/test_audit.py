"""audit.jsonl: one whole line for each act, whoever writes at the same time and whatever fails."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agency import audit
from agency.audit import Entry, Subject
from contract import paths
from processes.caller import Caller
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import environ, piped, put, run, session

if TYPE_CHECKING:
    from pathlib import Path

BY = Caller("terminal", "", 7, "bash")
# Writes so many lines; the words are its name, how many, and from which size on the file is put aside.
WRITE = """
import sys
from agency import audit
from processes.caller import Caller
from contract import paths
name, many, audit.LIMIT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(many):
    entry = audit.Entry(1.0, "kill", Caller("script"), audit.Subject(name), "begun", f"{number} " * 40)
    audit.note(paths.home(), entry)
"""


def entry(session: str = "s1", **more: str) -> Entry:
    return Entry(1000.0, "kill", BY, Subject(session, "proj-1", 77, "123"), "ended")._replace(**more)  # type: ignore[arg-type]


def writer(home: Path, *words: str, before: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    argv = [*before, sys.executable, "-B", "-c", WRITE, *words]  # the limit would cut bytecode off, too
    return subprocess.Popen(argv, env=environ(home), cwd=PROJECT, stderr=subprocess.PIPE)


def test_a_line_says_when_what_who_whom_and_what_came_of_it(tmp_path: Path) -> None:
    audit.note(str(tmp_path), entry(reason="a reason"))
    (line,) = (tmp_path / "audit.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "v": 1, "at": 1000.0, "verb": "kill", "by": {"kind": "terminal", "session": "", "pid": 7, "program": "bash"},
        "target": {"session": "s1", "name": "proj-1", "pid": 77, "start": "123"}, "outcome": "ended",
        "reason": "a reason",
    }  # fmt: skip


def test_it_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "state"
    audit.note(str(home), entry())
    modes = [stat.S_IMODE(os.stat(path).st_mode) for path in (home, home / "audit.jsonl", home / "audit.jsonl.lock")]
    assert modes == [0o700, 0o600, 0o600]


def test_lines_of_several_writers_never_mix_and_none_is_lost(tmp_path: Path) -> None:
    many = 40
    writers = [writer(tmp_path, f"w{number}", str(many), str(1 << 20)) for number in range(8)]
    assert [one.communicate(timeout=PATIENCE_S)[1] for one in writers] == [b""] * 8
    lines = (tmp_path / "audit.jsonl").read_bytes().splitlines()
    told = [(found["target"]["session"], found["reason"].split()[0]) for found in map(json.loads, lines)]
    assert sorted(told) == sorted((f"w{number}", str(k)) for number in range(8) for k in range(many))


def test_it_keeps_itself_and_one_predecessor_below_a_bound_with_several_writers_too(tmp_path: Path) -> None:
    limit = 4096
    writers = [writer(tmp_path, f"w{number}", "40", str(limit)) for number in range(4)]
    assert [one.communicate(timeout=PATIENCE_S)[1] for one in writers] == [b""] * 4
    assert sorted(os.listdir(tmp_path)) in (
        ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.lock"],
        ["audit.jsonl.1", "audit.jsonl.lock"],  # the last line has filled it
    )
    for path in tmp_path.glob("audit.jsonl*"):
        assert path.stat().st_size < limit + 1024
        assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_what_is_left_of_a_line_spoils_no_other_one(tmp_path: Path) -> None:
    """The disk is full in the middle of a line: here a limit of the system on the size of files."""
    audit.note(str(tmp_path), entry("before"))
    limited = ("sh", "-c", 'ulimit -f 1; exec "$@"', "sh")
    done = writer(tmp_path, "cut", "20", str(1 << 20), before=limited)
    _, said = done.communicate(timeout=PATIENCE_S)
    assert (done.returncode, f"File too large: '{tmp_path}/audit.jsonl'" in said.decode()) == (1, True)
    assert not (tmp_path / "audit.jsonl").read_bytes().endswith(b"\n"), "it was not cut off in the middle"
    audit.note(str(tmp_path), entry("after"))
    found = [one["target"]["session"] for one in audit.entries(str(tmp_path))]
    assert (found[0], found[-1], set(found[1:-1]) <= {"cut"}) == ("before", "after", True)


@pytest.mark.parametrize("what", ["a folder", "a link", "a folder that may not be written to"])
def test_what_cannot_be_written_is_an_error_that_names_the_file(tmp_path: Path, what: str) -> None:
    home = tmp_path / "state"
    home.mkdir(mode=0o700)
    if what == "a folder":
        (home / "audit.jsonl").mkdir()
    elif what == "a link":
        (home / "audit.jsonl").symlink_to(tmp_path / "elsewhere")
    else:
        home = tmp_path / "file"
        home.write_text("")
    with pytest.raises(OSError, match=r"audit\.jsonl") as caught:
        audit.note(str(home), entry())
    assert caught.value.filename == paths.audit(str(home))
    assert not (tmp_path / "elsewhere").exists()


def test_texts_from_outside_stay_on_their_line(tmp_path: Path) -> None:
    hostile = "two\nlines \x1b[31m\u202e" + "x" * 10_000
    audit.note(str(tmp_path), Entry(1.0, "kill", BY, Subject("s1", hostile), "refused", hostile))
    (found,) = audit.entries(str(tmp_path))
    for text in (found["target"]["name"], found["reason"]):
        assert text.startswith("two lines [31m")
        assert len(text) <= 400


def test_the_log_shows_it_to_a_person(tmp_path: Path) -> None:
    audit.note(str(tmp_path), entry(more=(("signal", "SIGTERM"),)))  # type: ignore[arg-type]
    audit.note(str(tmp_path), entry("s2", outcome="refused", reason="say --yes", by=Caller("agent", "s9", 5, "sh")))  # type: ignore[arg-type]
    done = run_log(tmp_path)
    assert done.stdout.splitlines() == [
        "01 Jan 00:16:40  kill s1 proj-1, process 77: ended (SIGTERM)  [terminal, bash]",
        "01 Jan 00:16:40  kill s2 proj-1, process 77: refused: say --yes  [agent s9, sh]",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def run_log(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(home, "log", "--audit", *words, TZ="UTC")


def test_the_log_gives_it_to_scripts_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, session("s2", name="two"))
    for id_ in ("s1", "s2"):
        audit.note(str(tmp_path), entry(id_))
    with (tmp_path / "audit.jsonl").open("a") as file:
        file.write('garbage\n[1]\n{"half')
    told = [json.loads(line) for line in run_log(tmp_path, "--json").stdout.splitlines()]
    assert told == list(audit.entries(str(tmp_path)))
    assert len(told) == 2
    (only,) = run_log(tmp_path, "--json", "--session", "two").stdout.splitlines()
    assert json.loads(only)["target"]["session"] == "s2"


def test_an_empty_audit_is_said_and_no_error(tmp_path: Path) -> None:
    done = run_log(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Nobody has started or ended an agent with yourturn yet.\n"
    assert run_log(tmp_path, "--json").stderr == ""


def test_the_log_follows_it(tmp_path: Path) -> None:
    audit.note(str(tmp_path), entry("first"))
    with piped(tmp_path, "log", "--audit", "--follow", "--json") as log:
        assert log.stdout
        assert json.loads(log.stdout.readline())["target"]["session"] == "first"
        audit.note(str(tmp_path), entry("second"))
        line = until(log.stdout.readline)
        assert json.loads(line)["target"]["session"] == "second"
