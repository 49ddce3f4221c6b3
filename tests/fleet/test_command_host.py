"""One host that a command reaches: a real collector, and `yourturn status` or a small script at the other end."""

import json
import time
from pathlib import Path

import psutil

from contract import hosts, paths, status, store
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from fleet import incoming
from statusbar.model.board import board
from support.collecting import Here, far, lines_of, script
from support.patience import until
from support.showing import just_now, put, watcher

STATES = '{"v": 1, "known": True, "version": "9.9", "now": time.time(), "sessions": []}'
HURRY = "from fleet import command_host as c; c.FIRST_PAUSE_S = c.LONGEST_PAUSE_S = 0.05"


def test_what_happens_there_is_shown_here(here: Here, tmp_path: Path) -> None:
    box = tmp_path / "box"
    put(box, just_now("s1", WORKING, cwd="/p/api"))
    with watcher(box):
        here.looks_at(box=far(box))
        here.collect()
        assert here.speaks("box").source == far(box)
        here.shows("s1@box")
        put(box, just_now("s1", NEEDS_APPROVAL, cwd="/p/api"), just_now("s2", WAITING))
        here.shows("s1@box", "s2@box")
        until(lambda: here.sessions()["s1@box"].status == NEEDS_APPROVAL)
        store.remove(paths.status(str(box), "s1"))
        here.shows("s2@box")
        drawn = board(here.read(), time.time())
    assert [(row.host, row.is_old) for row in drawn.rows] == [("box", False)]


def test_without_a_watcher_there_its_states_are_unknown_here(here: Here, tmp_path: Path) -> None:
    box = tmp_path / "box"
    put(box, just_now("s1", WORKING))
    here.looks_at(box=far(box))
    here.collect()
    host = until(lambda: (one := here.hosts().get("box")) and one.reached and one)
    assert not host.speaks
    with watcher(box):
        here.speaks("box")


def test_it_is_called_again_when_the_connection_ends(here: Here, tmp_path: Path) -> None:
    count = tmp_path / "calls"
    note = f'with open({str(count)!r}, "a") as file: file.write("x")\n'
    here.looks_at(box=script(tmp_path / "far.py", f"{note}print(json.dumps({STATES}))"))
    here.collect(HURRY)
    until(lambda: count.exists() and len(count.read_text()) > 3, "four calls")
    assert here.is_lost("box").why == "the command has ended with code 0"


def test_one_that_speaks_and_breaks_off_is_called_less_and_less_often(here: Here, tmp_path: Path) -> None:
    """Else it would be called every second for ever."""
    times = tmp_path / "times"
    code = f'open({str(times)!r}, "a").write(f"{{time.time()}} "); print(json.dumps({STATES}))'
    here.looks_at(box=script(tmp_path / "far.py", code))
    here.collect("from fleet import command_host as c; c.FIRST_PAUSE_S = 0.2")
    called = until(lambda: times.exists() and len(found := times.read_text().split()) > 4 and found, "five calls")
    first, second, *_, before, last = map(float, called[:5])
    assert last - before > second - first


def test_a_half_open_connection_is_ended_and_another_one_made(here: Here, tmp_path: Path) -> None:
    count = tmp_path / "calls"
    code = f'open({str(count)!r}, "a").write("x"); print(json.dumps({STATES})); signal.pause()'
    here.looks_at(box=script(tmp_path / "far.py", code))
    here.collect(f"{HURRY}; c.SILENT_S = 0.5")
    assert here.is_lost("box").why.startswith("silent for")
    until(lambda: len(count.read_text()) > 1, "a second call")


def test_garbage_says_nothing_and_is_out_of_reach(here: Here, tmp_path: Path) -> None:
    code = 'print("Welcome to box\\n[1, 2]\\n{}\\n\\x1b[31m" + "[" * 100_000); print("no such shell", file=sys.stderr)'
    here.looks_at(box=script(tmp_path / "far.py", code))
    here.collect()
    assert here.is_lost("box").why == "no such shell"


def test_a_greeting_before_the_states_does_no_harm(here: Here, tmp_path: Path) -> None:
    code = f'print("Last login: today"); print(json.dumps({STATES})); signal.pause()'
    here.looks_at(box=script(tmp_path / "far.py", code))
    here.collect()
    assert here.speaks("box").version == "9.9"


def test_an_older_version_is_read_as_far_as_it_goes(here: Here, tmp_path: Path) -> None:
    """It does not know --beat, nor does it say what time it is."""
    code = f"""
if "--beat" in sys.argv:
    print("yourturn: error: unrecognized arguments: --beat 5", file=sys.stderr); sys.exit(2)
print(json.dumps({{"v": 1, "known": True, "sessions": [{status.plain(just_now("s1"))!r}]}}), flush=True)
signal.pause()
"""
    here.looks_at(box=script(tmp_path / "far.py", code))
    here.collect(f"{HURRY}; c.SILENT_S = 0.3")
    here.shows("s1@box")
    assert (here.speaks("box").version, here.hosts()["box"].ahead) == ("", 0.0)


def test_a_newer_version_is_read_as_far_as_it_goes(here: Here, tmp_path: Path) -> None:
    one = {**status.plain(just_now("s1")), "mood": "fine", "agents": [{"kind": "robot"}]}
    strange = {**one, "session_id": "s2", "status": "dreaming"}
    states = {"v": 2, "known": True, "sessions": [one, strange], "weather": "rain", "version": "99"}
    here.looks_at(box=script(tmp_path / "far.py", f"print(json.dumps({states!r}), flush=True); signal.pause()"))
    here.collect()
    here.shows("s1@box")
    assert "1 of its sessions" in here.speaks("box").why


def test_it_is_looked_for_where_it_may_be(here: Here, tmp_path: Path) -> None:
    """`yourturn` is not on the PATH of a shell over ssh, but in the folder that pipx and uv use."""
    code = f"""
if sys.argv[1] == "yourturn":
    print("sh: yourturn: not found", file=sys.stderr); sys.exit(127)
print(json.dumps({{**{STATES}, "version": sys.argv[1]}}), flush=True); signal.pause()
"""
    here.looks_at(box=script(tmp_path / "far.py", code))
    here.collect()
    assert here.speaks("box").version == ".local/bin/yourturn"


def test_where_it_is_not_installed_that_is_said_with_the_remedy(here: Here, tmp_path: Path) -> None:
    here.looks_at(box=script(tmp_path / "far.py", 'print("sh: not found", file=sys.stderr); sys.exit(127)'))
    here.collect()
    why = here.is_lost("box").why
    assert "hosts add box --install" in why
    assert "sh: not found" in why


def test_a_program_that_is_missing_on_this_machine_is_not_said_to_be_missing_there(here: Here) -> None:
    here.looks_at(box="no-such-ssh box")
    here.collect()
    assert here.is_lost("box").why == "no-such-ssh: No such file or directory"


def test_a_clock_ten_minutes_off_does_not_change_an_age(here: Here, tmp_path: Path) -> None:
    began = time.time() - 30
    one = status.plain(just_now("s1", WORKING)._replace(since=began + 600))
    states = f'{{**{STATES}, "now": time.time() + 600, "sessions": [{one!r}]}}'
    here.looks_at(box=script(tmp_path / "far.py", f"print(json.dumps({states}), flush=True); signal.pause()"))
    here.collect()
    here.shows("s1@box")
    assert abs(here.sessions()["s1@box"].since - began) < incoming.SLACK_S
    assert 590 < here.hosts()["box"].ahead < 610


def test_a_hostile_host_stays_in_its_folder_and_in_bounded_memory(here: Here, tmp_path: Path) -> None:
    """Ten thousand sessions with names that climb, another host's name, and then a line of 100 MB."""
    put(here.home, just_now("mine", NEEDS_APPROVAL))
    code = """
agent = {"key": "mine", "kind": "teammate", "type": None, "parent": "mine", "status": "working", "detail": "",
         "since": 0, "rule": "", "evidence": "", "state": "running"}
one = {"session_id": "", "name": "../../../evil\\x1b[2J", "cwd": "/x", "pid": 1, "status": "needs_approval",
       "detail": "d", "since": 1e308, "rule": "r", "evidence": "e", "agents": [agent]}
many = [{**one, "session_id": f"../../../evil{n}", "host": "bank" if n % 2 else ""} for n in range(10_000)]
print(json.dumps({"v": 1, "known": True, "now": 1e400, "sessions": many, "version": "\\x1b[31m" * 9}), flush=True)
for _ in range(1600): os.write(1, b"x" * 65536)
"""
    here.looks_at(box=script(tmp_path / "far.py", code))
    collector = here.collect()
    found = until(lambda: len(here.sessions()) >= 500 and here.sessions(), "some of them")
    assert all(id_.endswith("@box") for id_ in found)
    assert "more than 8 MB" in here.is_lost("box").why
    assert psutil.Process(collector.pid).memory_info().rss < 200 << 20
    outside = [path for path in tmp_path.rglob("*evil*") if not path.is_relative_to(here.home / "hosts" / "box")]
    assert outside == []
    whole = board(here.read(), time.time())
    assert [row.session_id for row in whole.rows if not row.host] == ["mine"], "nobody else's row is touched"
    assert all(row.name.isprintable() for row in whole.rows)


def test_a_full_disk_here_leaves_nothing_that_looks_true(here: Here, tmp_path: Path) -> None:
    """The write of a state fails: the host is out of reach, and is back when there is room again."""
    box = tmp_path / "box"
    put(box, just_now("s1", WORKING))
    folder = Path(paths.host_dir(here.state, "box"))
    with watcher(box):
        here.looks_at(box=far(box))
        collector = here.collect(HURRY)
        here.shows("s1@box")
        (folder / "status").rename(folder / "away")  # nothing can be written there, whoever we are
        put(box, just_now("s1", NEEDS_APPROVAL))
        assert "cannot be kept here" in here.is_lost("box").why
        (folder / "away").rename(folder / "status")
        here.speaks("box")
        until(lambda: here.sessions()["s1@box"].status == NEEDS_APPROVAL)
        assert collector.poll() is None


def test_the_other_side_ends_when_the_collector_is_killed(here: Here, tmp_path: Path) -> None:
    box = tmp_path / "box"
    with watcher(box):
        here.looks_at(box=far(box))
        collector = here.collect()
        here.speaks("box")
        (line,) = lines_of(collector.pid)
        collector.kill()
        until(lambda: not psutil.pid_exists(line), "the end of the other side")
    assert hosts.read(paths.host_dir(here.state, "box")) is not None
    assert not here.read().speaking(time.time()), "nobody says that it is up to date"


def test_json_of_a_machine_that_looks_at_us_too_does_not_come_back(here: Here, tmp_path: Path) -> None:
    """Two machines that look at each other: each shows the other's own sessions once."""
    there = tmp_path / "there"
    put(here.home, just_now("mine"))
    put(there, just_now("its"))
    with Here(there) as other, watcher(here.home), watcher(there):
        here.looks_at(there=far(there))
        other.looks_at(here=far(here.home))
        here.collect()
        other.collect()
        here.shows("its@there")
        other.shows("mine@here")
        printed = json.loads(here.run("status", "--json").stdout)
    assert sorted((one["session_id"], one["host"]) for one in printed["sessions"]) == [("its", "there"), ("mine", "")]
