"""The file that the count is kept in: private, whole, and no loss if it is not ours."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from contract import store
from support.needs import need
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.spending import NOON, Person, answer, counted, recount
from usage import cache_file, ledger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOOK = """
import sys
from usage import count, ledger
count.PORTION = 2000
home, root = sys.argv[1:]
ledger.use(home, lambda book: count.look(book, {"HOME": root}))
"""
WRITES = re.compile(r"^\d+ +(pwrite64|fdatasync|fsync|unlink|openat|ftruncate)\(", re.MULTILINE)


def looking(person: Person) -> list[str]:
    return [sys.executable, "-c", LOOK, person.home, str(person.root)]


def test_it_is_readable_by_its_owner_only(person: Person) -> None:
    before = os.umask(0)
    try:
        person.writes("s", answer("a"))
        person.looks()
        assert person.cache.stat().st_mode & 0o777 == 0o600
        person.cache.chmod(0o644)
        person.looks()
        assert person.cache.stat().st_mode & 0o777 == 0o600
        assert person.cache.parent.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


def test_no_word_of_a_message_is_in_it(person: Person) -> None:
    person.writes("s", {**answer("a"), "content": "SECRET"}, {"type": "user", "message": "SECRET", "cwd": "/x"})
    person.looks()
    data = person.cache.read_bytes()
    assert b"claude-opus" in data
    assert b"SECRET" not in data
    assert b"msg_a" not in data


def garbage(path: Path) -> None:
    path.write_bytes(b"garbage" * 1000)


def cut_off(path: Path) -> None:
    os.truncate(path, 5000)


def of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def of_another_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()


def overwritten_in_the_middle(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def link(path: Path) -> None:
    other = path.with_name("other")
    path.rename(other)
    path.symlink_to(other)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def hard_link(path: Path) -> None:
    path.unlink()
    other = path.with_name("other")
    other.touch()
    path.hardlink_to(other)


def gone(path: Path) -> None:
    path.unlink()


FOREIGN = (garbage, cut_off, of_another_version, of_another_program, overwritten_in_the_middle)
FOREIGN_NAMES = (link, pipe, hard_link, gone)


@pytest.mark.parametrize("change", [*FOREIGN, *FOREIGN_NAMES])
def test_what_is_not_ours_is_made_anew(person: Person, change: Callable[[Path], None]) -> None:
    person.writes("s", *(answer(str(number), 1, NOON + number) for number in range(100)))
    before = person.looks()
    change(person.cache)
    other = person.cache.with_name("other")
    untouched = other.read_bytes() if other.exists() else b""
    assert person.looks() == before
    assert person.cache.is_file()
    assert not person.cache.is_symlink()
    assert not other.exists() or other.read_bytes() == untouched


def test_a_journal_of_an_older_file_is_not_played_back_into_the_new_one(person: Person) -> None:
    person.writes("s", answer("a", 5))
    before = person.looks()
    garbage(person.cache)
    person.cache.with_name("usage.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\0" * 4096)
    assert person.looks() == before


def test_a_folder_in_its_place_is_an_error_that_names_it(person: Person) -> None:
    person.cache.mkdir(parents=True)
    with pytest.raises(OSError, match=r"usage\.db"):
        person.looks()


def test_a_state_folder_of_another_user_is_left_alone(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_owner", lambda _path: os.geteuid() + 1)
    with pytest.raises(store.ForeignError):
        person.looks()


def test_whoever_is_killed_at_any_write_loses_no_more_than_a_portion(person: Person, tmp_path: Path) -> None:
    need("strace")
    person.writes("s", *(answer(str(number // 2), number, NOON + number) for number in range(60)))
    trace = tmp_path / "trace"
    argv = ["strace", "-f", "-qq", "-o", str(trace), "-e", "trace=pwrite64,fdatasync,fsync,unlink"]
    done = subprocess.run([*argv, *looking(person)], cwd=PROJECT, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0
    calls = [found[1] for found in WRITES.finditer(trace.read_text())]
    assert calls.count("pwrite64") > 20
    expected = recount(person.contents())
    cases = [(name, when) for name in sorted(set(calls)) for when in _some(calls.count(name))]
    for name, when in cases:
        person.cache.unlink(missing_ok=True)
        injected = [*argv, "-e", f"inject={name}:signal=SIGKILL:when={when}"]
        killed = subprocess.run([*injected, *looking(person)], cwd=PROJECT, check=False, timeout=PATIENCE_S)
        assert killed.returncode == -signal.SIGKILL, f"{name} {when} was not hit"
        with ledger.Ledger(person.home) as book:
            assert set(counted(book)) <= set(expected)
        assert person.looks() == expected, f"killed at {name} {when}"


def _some(number: int) -> list[int]:
    """A few from the beginning, the middle and the end."""
    return sorted({1, 2, number // 3, number // 2, number - 1, number} - {0, -1})


def test_two_who_look_at_once_count_each_answer_once(person: Person) -> None:
    for session in range(8):
        person.writes(f"s{session}", *(answer(f"{session}-{k // 2}", k, NOON + k) for k in range(60)))
    runs = [subprocess.Popen(looking(person), cwd=PROJECT) for _ in range(4)]
    assert [run.wait(PATIENCE_S) for run in runs] == [0, 0, 0, 0]
    with ledger.Ledger(person.home) as book:
        assert counted(book) == recount(person.contents())


def test_somebody_may_read_while_somebody_else_writes(person: Person) -> None:
    person.writes("s", answer("a", 5))
    before = person.looks()
    with ledger.Ledger(person.home) as writer, writer.writing():
        writer.forget(1)
        with ledger.Ledger(person.home) as reader:
            assert counted(reader) == before


def test_a_disk_that_is_full_is_said_with_the_name_of_the_file(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_book: ledger.Ledger) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(cache_file.TroubleError, match=r"usage\.db: database or disk is full\. It is only a count"):
        ledger.use(person.home, full)


def test_1_000_sessions_weigh_little(person: Person) -> None:
    """What is said of its size is measured here on a tenth: 20 answers of two lines each."""
    for session in range(100):
        records = (answer(f"{session}-{k // 2}", k, NOON + 60 * k + session * 997) for k in range(40))
        person.writes(f"{session:08}-0000-4000-8000-000000000000", *records)
    person.looks()
    transcripts = sum(len(data) for data in person.contents().values())
    assert person.cache.stat().st_size < transcripts / 3
    assert person.cache.stat().st_size / 2000 < 120, "bytes for each answer"
