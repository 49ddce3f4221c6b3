"""Status files, however they look, and whether somebody keeps them up to date."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from watchdog.observers.api import BaseObserver

from contract import paths, status, store
from contract.pulse import Watcher
from contract.status import Heartbeat, SessionStatus
from statusbar.model import reader
from statusbar.model.live import Live
from statusbar.model.reader import Reader
from statusbar.model.snapshot import Statuses
from statusbar.system.filewatch import Changes
from statusbar.text import ages
from support.patience import FOREVER_S
from support.showing import GARBAGE, NOW, RESTS, agent, put, rest, session, statuses, watcher


def test_no_folder_reads_as_nothing(tmp_path: Path) -> None:
    assert reader.read(str(tmp_path / "none")) == Statuses()


def test_a_status_comes_back_as_it_was_laid_down(tmp_path: Path) -> None:
    put(tmp_path, session("a"), session("b", status.WAITING))
    assert reader.read(str(tmp_path)).sessions == (session("a"), session("b", status.WAITING))


@pytest.mark.parametrize("what", GARBAGE)
def test_a_file_that_cannot_be_read_is_named_and_leaves_the_others_alone(what: str, tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    Path(paths.status(str(tmp_path), "bad")).write_bytes(GARBAGE[what])
    found = reader.read(str(tmp_path))
    assert found.sessions == (session("good"),)
    assert found.trouble == ("bad.json",)


def test_a_folder_a_link_and_a_pipe_in_place_of_a_file_are_trouble_and_no_more(tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    folder = Path(paths.status_dir(str(tmp_path)))
    (folder / "folder.json").mkdir()
    (folder / "link.json").symlink_to(folder / "good.json")
    os.mkfifo(folder / "pipe.json")
    found = reader.read(str(tmp_path))
    assert found.sessions == (session("good"),)
    assert found.trouble == ("folder.json", "link.json", "pipe.json")


def test_a_status_of_a_later_version_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    raw = json.loads(status.encode(session("a")))
    later = {**raw, "v": 9, "mood": "fine", "agents": [{"key": "x", "kind": "robot"}]}
    Path(paths.status(str(tmp_path), "a")).write_text(json.dumps(later))
    found = reader.read(str(tmp_path))
    assert found.sessions == (session("a"),)
    assert not found.trouble


def test_files_that_vanish_and_return_while_they_are_read_never_raise(tmp_path: Path) -> None:
    put(tmp_path, *(session(f"s{k}") for k in range(20)))
    over = threading.Event()

    def churn() -> None:
        while not over.is_set():
            for k in range(20):
                store.remove(paths.status(str(tmp_path), f"s{k}"))
                put(tmp_path, session(f"s{k}"))

    other = threading.Thread(target=churn)
    other.start()
    one = Reader(str(tmp_path))
    found = [one.read() for _ in range(200)]
    while all(len(each.sessions) == 20 for each in found):  # the other thread has its turn when the machine likes
        found.append(one.read())
    over.set()
    other.join()
    assert not any(each.trouble for each in found)
    assert len(one.read().sessions) == 20


def test_a_file_that_vanishes_before_it_is_read_is_gone_and_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, session("a"), session("b"))
    read = store.read
    monkeypatch.setattr(store, "read", lambda path: None if path.endswith("/a.json") else read(path))
    found = reader.read(str(tmp_path))
    assert (found.sessions, found.trouble) == ((session("b"),), ())


def test_only_what_was_replaced_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, session("a"), session("b"))
    one = Reader(str(tmp_path))
    one.read()
    asked: list[bytes] = []
    decode = status.decode

    def decoded(data: bytes, *, evidence: bool) -> SessionStatus | None:
        asked.append(data)
        return decode(data, evidence=evidence)

    monkeypatch.setattr(status, "decode", decoded)
    before = one.read()
    assert one.read() is before
    assert not asked
    put(tmp_path, session("b", status.WAITING))
    assert one.read().sessions == (session("a"), session("b", status.WAITING))
    assert asked == [status.encode(session("b", status.WAITING))]


def test_a_removed_status_is_gone(tmp_path: Path) -> None:
    put(tmp_path, session("a"), session("b"))
    one = Reader(str(tmp_path))
    one.read()
    store.remove(paths.status(str(tmp_path), "a"))
    assert one.read().sessions == (session("b"),)


def test_a_watcher_that_holds_its_lock_and_speaks_is_alive_and_gone_when_it_ends(tmp_path: Path) -> None:
    with watcher(tmp_path, time.time()):
        assert reader.read(str(tmp_path)).watcher(time.time()) is Watcher.ALIVE
    assert reader.read(str(tmp_path)).watcher(time.time()) is Watcher.GONE


def test_a_watcher_that_holds_its_lock_in_silence_is_stuck(tmp_path: Path) -> None:
    with watcher(tmp_path, time.time() - 31):
        assert reader.read(str(tmp_path)).watcher(time.time()) is Watcher.STUCK


@pytest.mark.parametrize("beat", [float("nan"), float("inf"), 10**400, -1.0])
def test_an_impossible_heartbeat_is_no_sign_of_life(beat: float) -> None:
    assert statuses(beat=beat).watcher(NOW) is Watcher.STUCK


def test_a_watcher_that_has_not_spoken_yet_has_looked_at_nothing_yet() -> None:
    starting = statuses(session("a"), beat=None)
    assert starting.watcher(NOW) is Watcher.STARTING
    assert not starting.is_well(NOW), "what can be read is what another one left"
    assert starting.notices(NOW)[0].startswith("The watcher is starting: state unknown")


def test_a_watcher_that_somebody_starts_is_on_its_way(tmp_path: Path) -> None:
    fd = store.take(paths.starting_lock(str(tmp_path)))
    assert fd
    assert reader.read(str(tmp_path)).watcher(NOW) is Watcher.STARTING
    os.close(fd)
    assert reader.read(str(tmp_path)).watcher(NOW) is Watcher.GONE


def test_a_heartbeat_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    Path(paths.heartbeat(str(tmp_path))).write_bytes(b"\xff{")
    assert reader.read(str(tmp_path)).heartbeat is None


def test_a_lock_that_cannot_be_asked_is_not_held(tmp_path: Path) -> None:
    Path(paths.watcher_lock(str(tmp_path))).mkdir()
    assert not reader.read(str(tmp_path)).locked


def test_only_a_watcher_that_went_to_rest_leaves_calm_behind() -> None:
    assert Statuses(heartbeat=RESTS).is_well(NOW + 9999)
    assert not Statuses().is_well(NOW), "nobody has ever looked"
    assert not Statuses((session("a"),), RESTS).is_well(NOW)
    assert not Statuses(heartbeat=RESTS, unheard=True).is_well(NOW)
    for mode in ("until-idle", "service", "ended"):
        assert not Statuses(heartbeat=RESTS._replace(mode=mode)).is_well(NOW), f"{mode}: it was killed, or told to end"


def test_a_blocked_session_of_which_only_its_fact_tells_is_not_calm(tmp_path: Path) -> None:
    rest(tmp_path)
    assert reader.read(str(tmp_path)).is_well(time.time())
    store.private_folder(paths.fact_dir(str(tmp_path)))
    Path(paths.fact(str(tmp_path), "a", "main")).write_text("{}")
    found = reader.read(str(tmp_path))
    assert found.unheard
    assert not found.is_well(time.time())


def test_a_fact_that_was_there_at_the_last_look_is_no_news(tmp_path: Path) -> None:
    store.private_folder(paths.fact_dir(str(tmp_path)))
    fact = Path(paths.fact(str(tmp_path), "a", "main"))
    fact.write_text("{}")
    os.utime(fact, (time.time() - 60, time.time() - 60))
    rest(tmp_path)
    assert reader.read(str(tmp_path)).is_well(time.time())


def test_what_is_wrong_is_said_with_its_remedy() -> None:
    gone = Statuses((session("a"),)).notices(NOW)
    assert gone == ("No watcher is running: state unknown. Start it: yourturn up",)
    (since,) = statuses(beat=NOW - 300, locked=False).notices(NOW)
    assert since == f"No watcher is running: state unknown since {ages.clock(NOW - 300, NOW)}. Start it: yourturn up"
    (stuck,) = statuses(beat=NOW - 300).notices(NOW)
    assert stuck.startswith("The watcher has not responded for 5 m")
    (files,) = statuses(trouble=("a.json", "b.json", "c.json", "d.json")).notices(NOW)
    assert files.startswith("4 status files could not be read (a.json, b.json, c.json, …)")
    assert statuses(session("a")).notices(NOW) == ()
    (hostile,) = statuses(trouble=("\x1b[31m" + "x" * 999,)).notices(NOW)
    assert hostile.isprintable()
    assert len(hostile) < 160


# Waiting for news


def test_a_replaced_file_ends_the_waiting(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with Changes(paths.status_dir(str(tmp_path))) as changes:
        put(tmp_path, session("a", status.WAITING))
        changes.wait(FOREVER_S)
        store.remove(paths.status(str(tmp_path), "a"))
        changes.wait(FOREVER_S)


def test_a_file_in_any_of_the_folders_ends_the_waiting(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    requests = Path(paths.open_dir(str(tmp_path)))
    with Changes(paths.status_dir(str(tmp_path)), str(requests)) as changes:
        requests.mkdir()
        changes.wait(0.1)  # it is found
        store.replace(str(requests / "x.json"), b"{}")
        changes.wait(FOREVER_S)
        put(tmp_path, session("a", status.WAITING))
        changes.wait(FOREVER_S)


def test_a_folder_made_anew_is_watched_again(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with Changes(paths.status_dir(str(tmp_path))) as changes:
        (tmp_path / "status").rename(tmp_path / "old")
        changes.wait(0.1)
        put(tmp_path, session("b"))
        changes.wait(0.1)
        changes.wait(0.1)
        put(tmp_path, session("c"))
        changes.wait(FOREVER_S)


def test_reading_and_writing_beside_the_files_is_no_news(tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    folder = Path(paths.status_dir(str(tmp_path)))
    with Changes(str(folder)) as changes:
        reader.read(str(tmp_path))
        (folder / "a.json.tmp").write_text("half")
        began = time.monotonic()
        changes.wait(0.3)
        assert time.monotonic() - began >= 0.3


def test_another_descriptor_ends_the_waiting_too(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    with Changes(str(tmp_path / "none")) as changes:
        assert changes.wait(0, [ours]) == []
        os.write(theirs, b"x")
        assert changes.wait(FOREVER_S, [ours]) == [ours]
    os.close(ours)
    os.close(theirs)


def test_where_the_system_gives_no_watch_time_alone_must_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_more: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(BaseObserver, "schedule", refuse)
    put(tmp_path, session("a"))
    with Changes(paths.status_dir(str(tmp_path))) as changes:
        assert changes.wait(0.05) == []


def test_only_what_a_person_would_see_is_a_reason_to_draw(tmp_path: Path) -> None:
    now = [NOW]
    put(tmp_path, session("a"))
    with watcher(tmp_path, NOW) as pid, Live(str(tmp_path), lambda: now[0]) as live:
        assert live.look()
        live.drawn(changes_at=NOW + 100)
        assert not live.look()
        now[0] += 20
        store.replace(paths.heartbeat(str(tmp_path)), status.encode(Heartbeat(pid, "1", "0", now[0])))
        assert not live.look(), "a heartbeat is no news"
        now[0] += 31
        assert live.look(), "silence is"
        live.drawn(changes_at=NOW + 100)
        put(tmp_path, session("b"))
        assert live.look()
        live.drawn(changes_at=NOW + 100)
        now[0] = NOW + 101
        assert live.look(), "an age has grown"
        live.drawn(changes_at=now[0] + 0.1)
        now[0] += 1
        assert not live.look(), "not for each of many ages"
        now[0] -= 500
        assert live.look(), "the clock was set back"


def test_a_signal_ends_the_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statusbar.model.live.POLL_S", FOREVER_S)
    before = signal.getsignal(signal.SIGWINCH)
    with Live(str(tmp_path)) as live, live.woken_by_signals(signal.SIGWINCH):
        live.look()
        live.drawn(changes_at=live.now + FOREVER_S)
        signal.raise_signal(signal.SIGWINCH)
        live.wait()
    assert signal.getsignal(signal.SIGWINCH) == before


def test_a_state_folder_that_cannot_be_used_is_no_calm_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = reader.read(str(tmp_path / "file"))
    assert not found.is_well(NOW)
    assert found.notices(NOW) == (
        f"The state folder cannot be used ({tmp_path}/file: Not a directory). To find out why: yourturn doctor",
    )
    (never,) = reader.read(str(tmp_path / "none")).notices(NOW)
    assert never.startswith("No watcher is running"), "nobody has made it yet"


def test_who_needs_no_evidence_reads_all_but_that(tmp_path: Path) -> None:
    weighed = (status.Weighed("hook", "said so", 5.0),)
    put(tmp_path, session("a", agents=(agent(weighed=weighed, waits_for=("x",)),)))
    (with_it,), (without,) = (reader.read(str(tmp_path), evidence=wanted).sessions for wanted in (True, False))
    assert with_it.agents[0].weighed == weighed
    assert without == with_it._replace(agents=(with_it.agents[0]._replace(weighed=()),))
