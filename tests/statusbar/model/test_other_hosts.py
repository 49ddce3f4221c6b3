"""Sessions of other machines beside those of this one: told apart, and never called known when they are not."""

import json
import os
import time
from pathlib import Path

import pytest

from contract import hosts, paths, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.model import reader
from statusbar.model.board import board
from statusbar.model.rows import Action
from statusbar.model.snapshot import Statuses
from support.command import yourturn
from support.other_machines import collector, host, put_host
from support.showing import agent, just_now, put, watcher


def read(home: Path) -> Statuses:
    return reader.read(str(home), hosts=True)


def test_a_session_of_another_machine_has_a_row_with_the_name_of_that_machine(tmp_path: Path) -> None:
    put(tmp_path, just_now("here", cwd="/p/api"))
    put_host(tmp_path, host("box"), just_now("there", NEEDS_APPROVAL, cwd="/p/api"))
    with watcher(tmp_path), collector(tmp_path):
        drawn = board(read(tmp_path), time.time())
    assert [(row.project, row.host) for row in drawn.rows] == [("box:api", "box"), ("api", "")]
    assert not any(row.is_old for row in drawn.rows)
    assert drawn.counts == {NEEDS_APPROVAL: 1, WORKING: 1, WAITING: 0}


def test_one_id_on_two_machines_is_two_sessions(tmp_path: Path) -> None:
    put(tmp_path, just_now("same"))
    put_host(tmp_path, host("box"), just_now("same"))
    put_host(tmp_path, host("other"), just_now("same"))
    assert [one.session_id for one in read(tmp_path).sessions] == ["same", "same@box", "same@other"]


def test_a_teammate_of_a_lead_on_another_machine_is_below_its_lead_there(tmp_path: Path) -> None:
    lead = just_now("lead", agents=(agent(), agent("mate", kind="teammate", parent="main")))
    put_host(tmp_path, host("box"), lead, just_now("mate", hidden=True))
    put(tmp_path, just_now("mate"))
    with watcher(tmp_path), collector(tmp_path):
        rows = board(read(tmp_path), time.time()).rows
    assert [(row.id, row.session_id) for row in rows] == [
        (("lead@box", ""), "lead@box"),
        (("lead@box", "main"), "lead@box"),
        (("lead@box", "mate@box"), "mate@box"),
        (("mate", ""), "mate"),
    ]


@pytest.mark.parametrize("gone", [{"reached": False, "why": "Connection refused"}, {"known": False}])
def test_a_machine_out_of_reach_is_said_to_be_and_counts_as_unknown(gone: dict[str, object], tmp_path: Path) -> None:
    put_host(tmp_path, host("box", **gone), just_now("there", WORKING))
    with watcher(tmp_path), collector(tmp_path):
        drawn = board(read(tmp_path), time.time())
    assert [row.is_old for row in drawn.rows] == [True]
    assert "working" not in drawn.rows[0].look.word.split()
    assert drawn.counts[WORKING] == 0
    assert drawn.title == "✕1"
    assert drawn.is_well, "this machine's own states are known"
    assert "box" in drawn.notices[0]


def test_without_a_collector_nothing_is_known_of_other_machines(tmp_path: Path) -> None:
    put_host(tmp_path, host("box"), just_now("there", NEEDS_APPROVAL))
    with watcher(tmp_path):
        drawn = board(read(tmp_path), time.time())
    assert [row.is_old for row in drawn.rows] == [True]
    assert drawn.notices == ("No collector is running: the states of box are unknown.",)


def test_a_collector_that_has_stopped_speaking_is_not_believed(tmp_path: Path) -> None:
    put_host(tmp_path, host("box"), just_now("there", NEEDS_APPROVAL))
    with watcher(tmp_path), collector(tmp_path, beat=time.time() - 60):
        assert board(read(tmp_path), time.time()).rows[0].is_old


def test_the_rows_of_a_machine_that_was_out_of_reach_for_long_are_gone(tmp_path: Path) -> None:
    long_ago = time.time() - hosts.FORGOTTEN_S - 1
    put_host(tmp_path, host("box", reached=False, since=long_ago, heard=long_ago), just_now("there"))
    found = read(tmp_path)
    assert found.sessions == ()
    assert [one.name for one in found.hosts] == ["box"], "that it is out of reach is still said"


def test_what_another_machine_says_of_processes_and_files_is_not_looked_up_here(tmp_path: Path) -> None:
    put_host(tmp_path, host("box"), just_now("there", pid=os.getpid(), transcript="/etc/passwd", shown_by=1))
    there = read(tmp_path).sessions[0]
    assert (there.pid, there.transcript, there.shown_by) == (None, "", None)
    with watcher(tmp_path), collector(tmp_path):
        row = board(read(tmp_path), time.time()).rows[0]
    assert not {Action.OPEN_PROJECT, Action.SHOW_TRANSCRIPT} & set(row.actions)


def test_who_acts_on_agents_sees_only_those_of_this_machine(tmp_path: Path) -> None:
    put_host(tmp_path, host("box"), just_now("there"))
    assert reader.read(str(tmp_path)).sessions == ()


def test_a_folder_that_says_it_is_another_machine_is_left_out(tmp_path: Path) -> None:
    put_host(tmp_path, host("box"), just_now("there"))
    os.rename(paths.host_dir(str(tmp_path), "box"), paths.host_dir(str(tmp_path), "bank"))
    assert read(tmp_path).hosts == ()


def test_a_machine_is_read_again_only_when_something_of_it_is_new(tmp_path: Path) -> None:
    put_host(tmp_path, host("box"), just_now("there"))
    look = reader.Reader(str(tmp_path), hosts=True)
    assert look.read() is look.read()
    path = f"{paths.host_dir(str(tmp_path), 'box')}/status/there.json"
    store.remove(path)
    assert look.read().sessions, "the record of the machine was not replaced"
    put_host(tmp_path, host("box"))
    assert look.read().sessions == ()


def test_json_has_the_machine_and_the_id_that_the_session_has_there(tmp_path: Path) -> None:
    put_host(tmp_path, host("box", reached=False, why="no route"), just_now("there"))
    with watcher(tmp_path), collector(tmp_path):
        found = json.loads(yourturn(tmp_path, "status", "--json").stdout)
        listed = json.loads(yourturn(tmp_path, "ps", "--json").stdout)["agents"]
    assert [(one["session_id"], one["host"]) for one in found["sessions"]] == [("there", "box")]
    assert [(one["name"], one["known"], one["why"]) for one in found["hosts"]] == [("box", False, "no route")]
    assert (found["known"], found["counts"]["unknown"]) == (True, 1)
    assert [(one["session_id"], one["host"]) for one in listed] == [("there", "box")]


def test_a_wait_does_not_take_the_last_word_of_a_machine_out_of_reach_for_the_truth(tmp_path: Path) -> None:
    put_host(tmp_path, host("box", reached=False), just_now("there", NEEDS_APPROVAL))
    with watcher(tmp_path), collector(tmp_path):
        waited = yourturn(tmp_path, "wait", "--for", "needs_approval", "--timeout", "0")
        assert waited.returncode == 124
        put_host(tmp_path, host("box"), just_now("there", NEEDS_APPROVAL))
        assert yourturn(tmp_path, "wait", "--for", "needs_approval", "--timeout", "0").returncode == 0


def test_a_session_whose_machine_is_out_of_reach_is_not_gone(tmp_path: Path) -> None:
    from statusbar.model.wait_progress import WaitProgress  # noqa: PLC0415

    put_host(tmp_path, host("box"), just_now("there"))
    with watcher(tmp_path), collector(tmp_path):
        look, now = reader.Reader(str(tmp_path), hosts=True), time.time()
        progress = WaitProgress(["there"], "gone")
        assert progress.look(look.read().up_to_date(now)) is None
        put_host(tmp_path, host("box", reached=False))
        assert progress.look(look.read().up_to_date(now)) is None
        put_host(tmp_path, host("box"))
        store.remove(f"{paths.host_dir(str(tmp_path), 'box')}/status/there.json")
        put_host(tmp_path, host("box", heard=1.0))
        end = progress.look(look.read().up_to_date(now))
    assert end
    assert end.is_reached


def test_many_machines_that_do_not_speak_are_one_notice(tmp_path: Path) -> None:
    for number in range(40):
        put_host(tmp_path, host(f"box-{number:02}", reached=number % 2 == 0, why="gone"))
    with watcher(tmp_path), collector(tmp_path):
        (notice,) = board(read(tmp_path), time.time()).notices
    assert "20 of 40 machines do not speak (box-01, box-03, box-05, …)" in notice
    assert "hosts" in notice


def test_an_id_of_this_machine_in_the_mouth_of_another_means_nobody_here(tmp_path: Path) -> None:
    """Else a row of that machine would lead to an agent of this one, or hide it."""
    put(tmp_path, just_now("mine", hidden=True), just_now("lead", agents=(agent(), agent("mine", kind="teammate"))))
    liar = just_now("liar", parent="lead", agents=(agent(), agent("mine", kind="teammate", parent="lead")))
    put_host(tmp_path, host("box"), liar)
    with watcher(tmp_path), collector(tmp_path):
        there = next(one for one in read(tmp_path).sessions if one.host)
        rows = board(read(tmp_path), time.time()).rows
    assert (there.parent, [one.key for one in there.agents]) == ("lead@box", ["main", "mine@box"])
    assert [row.session_id for row in rows if row.host] == ["liar@box"] * 3
    assert [row.session_id for row in rows if not row.host] == ["lead", "lead", "mine"]
