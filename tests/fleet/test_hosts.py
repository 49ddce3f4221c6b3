"""`yourturn hosts`: the list, what is added and removed, and what it says."""

import json
import os
from pathlib import Path

import pytest

from contract import hosts, paths, store
from contract.status import NEEDS_APPROVAL
from fleet import sources
from support.collecting import Here, far, script
from support.other_machines import collector, host, put_host
from support.patience import until
from support.showing import just_now, put, watcher


@pytest.fixture
def box(tmp_path: Path) -> Path:
    put(tmp_path / "box", just_now("s1", NEEDS_APPROVAL))
    return tmp_path / "box"


def test_without_a_machine_it_says_how_to_add_one(here: Here) -> None:
    done = here.run("hosts")
    assert (done.returncode, done.stdout) == (0, "")
    assert "yourturn hosts add box 'ssh box'" in done.stderr
    assert json.loads(here.run("hosts", "--json").stdout) == {"v": 1, "hosts": [], "brokers": []}


def test_one_that_answers_is_added_and_looked_at_at_once(here: Here, box: Path) -> None:
    done = here.run("hosts", "add", "box", far(box), YOURTURN_NO_WATCHER="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Added box: yourturn ")
    assert done.stdout.endswith("answers, 1 session.\n")
    assert sources.load(str(here.chosen))["box"].command == far(box)
    here.shows("s1@box")


def test_one_that_does_not_answer_is_not_added_unless_the_person_wants_it(here: Here, tmp_path: Path) -> None:
    command = script(tmp_path / "far.py", 'print("ssh: no route to host", file=sys.stderr); sys.exit(255)')
    done = here.run("hosts", "add", "box", command)
    assert done.returncode == 1
    assert "box does not answer: ssh: no route to host" in done.stderr
    assert not here.chosen.exists()
    assert here.run("hosts", "add", "box", command, "--anyway").returncode == 0
    assert "box" in sources.load(str(here.chosen))


def test_where_yourturn_is_missing_the_remedy_is_named(here: Here, tmp_path: Path) -> None:
    done = here.run("hosts", "add", "box", script(tmp_path / "far.py", "sys.exit(127)"))
    assert done.returncode == 1
    assert "--install" in done.stderr


def test_a_second_one_of_the_same_name_is_refused(here: Here, box: Path) -> None:
    here.looks_at(box="ssh box")
    done = here.run("hosts", "add", "box", far(box))
    assert done.returncode == 3
    assert "yourturn hosts remove box" in done.stderr


@pytest.mark.parametrize(
    "words",
    [("../x", "ssh x"), ("box", ""), ("box", "ssh 'x"), ("box", "ssh x", "--program", "a;b"), ("box",), ()],
    ids=str,
)
def test_wrong_usage(words: tuple[str, ...], here: Here) -> None:
    done = here.run("hosts", "add", *words)
    assert done.returncode == 2
    assert done.stderr
    assert not here.chosen.exists()


def test_a_broken_file_is_named(here: Here) -> None:
    here.chosen.write_text("[box\n")
    for words in (["hosts"], ["hosts", "add", "a", "ssh a"], ["hosts", "remove", "box"]):
        done = here.run(*words)
        assert done.returncode == 1
        assert str(here.chosen) in done.stderr


def test_the_list_says_how_each_one_is(here: Here) -> None:
    here.looks_at(box="ssh box", dev="docker exec -i dev", new="ssh new", lame="ssh lame")
    put_host(here.home, host("box"))
    put_host(here.home, host("dev", reached=False, known=False, why="No such container: dev\x1b[31m"))
    put_host(here.home, host("lame", known=False, why="no watcher keeps its states up to date"))
    with collector(here.home):
        done = here.run("hosts")
        listed = json.loads(here.run("hosts", "--json").stdout)["hosts"]
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "reached since" in lines["box"]
    assert lines["box"].endswith("ssh box")
    assert "out of reach since" in lines["dev"]
    assert "No such container: dev" in lines["dev"]
    assert "\x1b" not in done.stdout
    assert "its states are unknown" in lines["lame"]
    assert "unknown" in lines["new"]
    assert [(one["name"], one["known"], one["reached"]) for one in listed] == [
        ("box", True, True), ("dev", False, False), ("new", False, False), ("lame", False, True),
    ]  # fmt: skip


def test_without_a_collector_nothing_is_said_to_be_reached(here: Here) -> None:
    here.looks_at(box="ssh box")
    put_host(here.home, host("box"))
    done = here.run("hosts")
    assert "reached" not in done.stdout
    assert "yourturn doctor" in done.stderr
    assert not json.loads(here.run("hosts", "--json").stdout)["hosts"][0]["known"]


def test_a_removed_one_leaves_nothing(here: Here, box: Path) -> None:
    with watcher(box):
        here.run("hosts", "add", "box", far(box), YOURTURN_NO_WATCHER="0")
        here.shows("s1@box")
        done = here.run("hosts", "remove", "box", "--json")
    assert json.loads(done.stdout)["name"] == "box"
    assert not os.path.exists(paths.host_dir(here.state, "box"))
    assert not here.chosen.exists()
    until(lambda: not store.is_locked(paths.collector_lock(here.state)), "the end of the collector")
    assert hosts.names(here.state) == []


def test_one_that_is_not_there_cannot_be_removed(here: Here) -> None:
    here.looks_at(box="ssh box")
    done = here.run("hosts", "remove", "bax")
    assert done.returncode == 2
    assert "There are: box" in done.stderr


def test_what_the_help_shows_can_be_typed(here: Here) -> None:
    done = here.run("hosts", "add", "--help")
    assert done.returncode == 0
    assert "docker exec -i dev" in done.stdout
    assert "Exit codes" in done.stdout


def test_the_first_call_reads_no_more_than_it_must(here: Here, tmp_path: Path) -> None:
    """A host that sends without end must not fill the memory of the person who adds it."""
    flood = 'chunk = b"x" * 65536\nwhile True: os.write(1, chunk)'
    done = here.run("hosts", "add", "box", script(tmp_path / "far.py", flood))
    assert done.returncode == 1
    assert "more than 8 MB" in done.stderr
