"""The folder of one host, as the collector writes it and front ends read it."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from contract import hosts, paths, store
from contract.status import SessionStatus
from fleet import mirror
from fleet.incoming import Report
from fleet.mirror import Mirror
from statusbar.model.status_folder import StatusFolder
from support.showing import NOW, session


@pytest.fixture
def home(tmp_path: Path) -> str:
    store.private_folder(f"{tmp_path}/state/hosts")
    return f"{tmp_path}/state"


def says(made: Mirror, *sessions: SessionStatus, now: float = NOW, **more: Any) -> None:
    made.says(Report(sessions, **{"known": True, "version": "1.0", **more}), 0.0, now)


def ids(home: str, name: str = "box") -> list[str]:
    found = StatusFolder(f"{paths.host_dir(home, name)}/status").read()
    assert not found.trouble
    return [one.session_id for one in found.sessions]


def record(home: str, name: str = "box") -> hosts.Host:
    found = hosts.read(paths.host_dir(home, name))
    assert found
    return found


def test_what_it_does_not_name_any_more_has_ended(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"), session("b"))
    assert ids(home) == ["a", "b"]
    says(made, session("b"))
    assert ids(home) == ["b"]


def test_the_record_of_the_host_comes_after_its_statuses(home: str) -> None:
    """Who reads the statuses after a new record finds all of them."""
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"))
    before, folder = hosts.mark(made.folder), made.folder
    os.rename(f"{folder}/status", f"{folder}/elsewhere")  # the next status cannot be written
    with pytest.raises(OSError, match="No such file"):
        says(made, session("a", name="new"))
    assert hosts.mark(folder) == before


def test_nothing_new_writes_nothing(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"))
    before = hosts.mark(made.folder), store.signature_of(f"{made.folder}/status/a.json")
    says(made, session("a"), now=NOW + 5)
    assert (hosts.mark(made.folder), store.signature_of(f"{made.folder}/status/a.json")) == before


def test_out_of_reach_has_a_reason_and_a_time_and_what_was_heard_stays(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"))
    made.goes_out_of_reach("no route\x1b[31m to host", NOW + 7)
    made.goes_out_of_reach("connection refused", NOW + 9)
    found = record(home)
    assert (found.reached, found.known, found.since, found.why) == (False, False, NOW + 7, "connection refused")
    assert ids(home) == ["a"]


def test_after_a_bound_its_rows_go(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"))
    made.goes_out_of_reach("gone", NOW)
    made.goes_out_of_reach("gone", NOW + hosts.FORGOTTEN_S - 1)
    assert ids(home) == ["a"]
    made.goes_out_of_reach("gone", NOW + hosts.FORGOTTEN_S + 1)
    assert ids(home) == []
    assert not record(home).reached


def test_a_new_life_believes_nothing_and_forgets_nothing(home: str) -> None:
    """As after a kill -9: the record still says that it is connected."""
    made = Mirror(home, "box", "ssh box", NOW)
    made.says(Report((session("a"),), known=True, version="1.0"), 600.0, NOW)
    again = Mirror(home, "box", "ssh box", NOW + 60)
    found = record(home)
    assert (found.reached, found.known, found.since, found.heard) == (False, False, NOW + 60, NOW)
    assert again.ahead_s == 600.0, "else every request would get another time, and would be told of again"
    assert ids(home) == ["a"]


def test_out_of_reach_is_no_younger_after_a_restart(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made)
    made.goes_out_of_reach("no route to host", NOW + 10)
    Mirror(home, "box", "ssh box", NOW + 500)
    assert (record(home).since, record(home).why) == (NOW + 10, "no route to host")


def test_what_a_killed_collector_left_half_written_goes(home: str) -> None:
    """Killed between the files of a state: some are new, one is half, the record is the one from before."""
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"), session("b"))
    store.replace(f"{made.folder}/status/c.json", b"{")
    Path(made.folder, "status", "d.json.tmp").write_bytes(b"{")
    again = Mirror(home, "box", "ssh box", NOW + 1)
    says(again, session("a"), now=NOW + 2)
    assert os.listdir(f"{made.folder}/status") == ["a.json"]


def test_a_record_that_could_not_be_written_is_written_the_next_time(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made)
    os.rename(made.folder, made.folder + ".away")
    with pytest.raises(OSError, match="No such file"):
        made.goes_out_of_reach("gone", NOW + 1)
    os.rename(made.folder + ".away", made.folder)
    made.goes_out_of_reach("gone", NOW + 2)
    assert not record(home).reached


@pytest.mark.parametrize("name", ["../../evil", "a/b", ".", "..", "Box", "news.json", "x" * 200])
def test_a_name_cannot_leave_the_folder_of_hosts(name: str, home: str) -> None:
    made = Mirror(home, name, "", NOW)
    says(made, session("../../../escaped"))
    assert Path(made.folder).parent == Path(home, "hosts")
    assert [one.parent for one in Path(home).parent.rglob("*escaped*")] == [Path(made.folder, "status")]
    made.remove()
    assert not os.path.exists(made.folder)


def test_what_is_written_is_for_its_owner_only(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"))
    for path in Path(home, "hosts").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_removing_a_host_touches_no_other_and_follows_no_link(home: str, tmp_path: Path) -> None:
    keep = tmp_path / "keep"
    keep.mkdir()
    (keep / "file").touch()
    Mirror(home, "box", "", NOW)
    other = Mirror(home, "other", "", NOW)
    os.symlink(keep, f"{home}/hosts/box/status/link")
    os.symlink(keep, f"{home}/hosts/linked")
    mirror.remove(home, "box")
    mirror.remove(home, "linked")
    assert (keep / "file").exists()
    assert os.path.exists(other.folder)
    assert not os.path.exists(f"{home}/hosts/box")


def test_what_could_not_be_read_is_said(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"), left_out=9500)
    assert record(home).why == "9500 of its sessions could not be read, or were too many"
    assert record(home).speaks


def test_one_that_does_not_know_its_own_states_says_so(home: str) -> None:
    made = Mirror(home, "box", "ssh box", NOW)
    says(made, session("a"), known=False)
    assert (record(home).reached, record(home).speaks) == (True, False)
    assert record(home).why
