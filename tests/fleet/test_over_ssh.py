"""A machine over a real sshd on loopback, with a home of its own there."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL, WORKING
from fleet import reached_by
from statusbar.model.board import board
from support.collecting import Here
from support.patience import until
from support.showing import just_now, put, watcher
from support.sshd import Sshd

HURRY = "from fleet import command_host as c; c.FIRST_PAUSE_S = c.LONGEST_PAUSE_S = 0.05"


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[Sshd]:
    with Sshd(tmp_path / "sshd") as made:
        yield made


@pytest.fixture
def box(tmp_path: Path) -> Path:
    home = tmp_path / "box"
    put(home / "state", just_now("s1", WORKING, cwd="/p/api"))
    return home


def test_what_happens_there_is_shown_here_within_a_moment(here: Here, sshd: Sshd, box: Path) -> None:
    with watcher(here.home), watcher(box / "state"):
        assert here.run("hosts", "add", "box", sshd.command(box), YOURTURN_NO_WATCHER="0").returncode == 0
        here.shows("s1@box")
        put(box / "state", just_now("s1", NEEDS_APPROVAL, cwd="/p/api"))
        done = here.run("wait", "--for", "needs_approval", "--json", "--timeout", "60")
    assert done.returncode == 0, done.stderr
    assert [(one["session_id"], one["host"]) for one in json.loads(done.stdout)["targets"]] == [("s1", "box")]


def test_a_session_that_was_ended_there_heals_by_itself(here: Here, sshd: Sshd, box: Path) -> None:
    with watcher(box / "state"):
        here.looks_at(box=sshd.command(box))
        here.collect()
        here.shows("s1@box")
        since = here.speaks("box").since
        for one in sshd.sessions():
            one.kill()
        until(lambda: here.speaks("box").since > since, "another line")
        here.shows("s1@box")


def test_a_restarted_sshd_is_found_again(here: Here, sshd: Sshd, box: Path) -> None:
    with watcher(box / "state"):
        here.looks_at(box=sshd.command(box))
        here.collect(HURRY)
        here.shows("s1@box")
        sshd.stop()
        assert "refused" in until(lambda: "refused" in (why := here.is_lost("box").why) and why, "refused")
        rows = board(here.read(), time.time()).rows
        assert [row.is_old for row in rows] == [True]
        sshd.start()
        here.speaks("box")
        here.shows("s1@box")


def test_its_reasons_are_those_of_ssh(here: Here, sshd: Sshd, box: Path) -> None:
    command = sshd.command(box)
    (sshd.folder / "me.pub").write_text("")
    done = here.run("hosts", "add", "box", command)
    assert done.returncode == 1
    assert "Permission denied" in done.stderr


def test_a_changed_host_key_is_not_accepted(here: Here, sshd: Sshd, box: Path) -> None:
    key = (sshd.folder / "me.pub").read_text().split()[:2]
    (sshd.folder / "known").write_text(f"[127.0.0.1]:{sshd.port} {' '.join(key)}\n")
    done = here.run("hosts", "add", "box", sshd.command(box))
    assert done.returncode == 1
    assert "Host key verification failed" in done.stderr


def test_it_is_brought_over_ssh_and_taken_away_again(here: Here, sshd: Sshd, tmp_path: Path) -> None:
    home = tmp_path / "far"
    (home / ".claude").mkdir(parents=True)
    (home / ".claude" / "settings.json").write_text("{}\n")
    before = sorted(home.rglob("*"))
    command = sshd.command(home)
    done = here.run("hosts", "add", "box", command, "--install")
    assert done.returncode == 0, done.stderr
    assert (home / ".local" / "bin" / "yourturn").exists()
    assert b"hook.py" in (home / ".claude" / "settings.json").read_bytes()
    done = here.run("hosts", "remove", "box", "--uninstall")
    assert done.returncode == 0, done.stderr
    assert sorted(home.rglob("*")) == before
    assert (home / ".claude" / "settings.json").read_text() == "{}\n"


def test_a_connection_that_the_user_shares_is_used_and_never_made(here: Here, sshd: Sshd, box: Path) -> None:
    """A master of ours would take the user's own sessions with it when it ends."""
    control = sshd.folder / "c"
    with (sshd.folder / "ssh_config").open("a") as config:
        config.write(f" ControlMaster auto\n ControlPath {control}\n")
    with watcher(box / "state"):
        here.looks_at(box=sshd.command(box))
        here.collect()
        here.speaks("box")
    assert not control.exists()


def test_the_other_side_ends_when_the_collector_is_killed(here: Here, sshd: Sshd, box: Path) -> None:
    with watcher(box / "state"):
        here.looks_at(box=sshd.command(box))
        collector = here.collect()
        here.speaks("box")
        assert sshd.sessions()
        collector.kill()
        until(lambda: not sshd.sessions(), "the end of the session there")


def test_nobodys_real_home_is_touched(sshd: Sshd, box: Path) -> None:
    argv = [*reached_by.reaching(sshd.command(box).split()), "printenv", "HOME", "YOURTURN_HOME"]
    found = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()
    assert found == [str(box), str(box / "state")]
    assert os.environ["HOME"] not in found
