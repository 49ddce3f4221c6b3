"""A process is (pid, start), and only a proof counts as gone."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, cast

import pytest

from processes.identity import Identity, compare, start_of
from processes.process import Proc
from processes.procfs import Procfs
from support.families import TABLES, spawn, until_zombie

if TYPE_CHECKING:
    from pathlib import Path

    from processes.system_table import SystemTable

ME = os.getpid()


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> SystemTable:
    return TABLES[request.param]()


def test_a_process_with_its_start_is_the_same(table: SystemTable) -> None:
    assert compare(ME, start_of(ME, table), table) is Identity.SAME


def test_all_tables_tell_the_same_start() -> None:
    assert len({start_of(ME, made()) for made in TABLES.values()}) == 1


def test_a_reused_pid_is_gone_case_39(table: SystemTable) -> None:
    assert compare(ME, "1", table) is Identity.GONE


def test_an_ended_process_is_gone(table: SystemTable) -> None:
    with spawn(["sleep", "3600"]) as process:
        start = start_of(process.pid, table)
        assert compare(process.pid, start, table) is Identity.SAME
        process.kill()
        process.wait()
        assert compare(process.pid, start, table) is Identity.GONE
        assert compare(process.pid, None, table) is Identity.GONE


def test_a_zombie_is_gone(table: SystemTable) -> None:
    with spawn(["true"]) as process:
        until_zombie(process)
        assert compare(process.pid, None, table) is Identity.GONE
        assert start_of(process.pid, table) is None


@pytest.mark.parametrize("start", [None, ""])
def test_a_living_pid_without_a_known_start_is_unknown(table: SystemTable, start: str | None) -> None:
    assert compare(ME, start, table) is Identity.UNKNOWN


@pytest.mark.parametrize("pid", [0, -1, -77, True, "1", 1.0, None])
def test_what_is_no_pid_is_unknown_and_nobody_is_asked(table: SystemTable, pid: Any) -> None:
    assert compare(pid, "1", table) is Identity.UNKNOWN
    assert start_of(pid, table) is None


@pytest.mark.parametrize("pid", [2**22 + 1, 2**31, 2**63, 10**30])
def test_a_pid_beyond_all_pids_is_gone(table: SystemTable, pid: int) -> None:
    assert compare(pid, "1", table) is Identity.GONE


def test_a_process_that_may_not_be_looked_at_is_unknown_case_40() -> None:
    class Denying(Procfs):
        def row(self, pid: int) -> None:
            raise PermissionError(pid)

    assert compare(ME, "1", Denying()) is Identity.UNKNOWN
    assert start_of(ME, Denying()) is None


def test_a_process_hidden_by_proc_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to(str(ME))
    assert compare(ME, "1", Procfs(str(tmp_path))) is Identity.UNKNOWN


def test_a_process_of_somebody_else_hidden_by_proc_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to(str(ME))
    assert compare(1, "1", Procfs(str(tmp_path))) is Identity.UNKNOWN


def test_the_proc_of_another_namespace_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to("1")
    assert compare(2**22 + 1, "1", Procfs(str(tmp_path))) is Identity.UNKNOWN


def test_without_any_proc_nothing_is_proven(tmp_path: Path) -> None:
    assert compare(2**22 + 1, "1", Procfs(str(tmp_path / "none"))) is Identity.UNKNOWN


def test_the_start_is_what_this_system_calls_it() -> None:
    start = start_of(ME)
    assert start
    assert start.isdigit() if sys.platform == "linux" else start.count(":") == 2


class Told:
    """A table that tells starts as dates, as on macOS."""

    def row(self, pid: int) -> Proc | None:
        return Proc(pid, 1, "Mon Nov  6 02:53:44 2026", 0.0, "claude")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("Mon Nov  6 02:53:44 2026", Identity.SAME),
        ("Mon Nov 6 02:53:44 2026", Identity.SAME),
        ("Mon Nov  6 02:53:45 2026", Identity.GONE),
        ("2026-11-06T02:53:44Z", Identity.UNKNOWN),
        ("1794796447", Identity.UNKNOWN),
        ("6 nov. 02:53", Identity.UNKNOWN),
    ],
)
def test_a_start_that_is_told_in_another_form_proves_nothing(start: str, expected: Identity) -> None:
    assert compare(7, start, cast("Any", Told())) is expected
