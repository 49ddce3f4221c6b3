"""Several machines for real: network namespaces with their own addresses, an sshd in each, and what can go wrong."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.model.board import board
from support.builders import SESSION, event
from support.collecting import Here
from support.networks import Disk, Network
from support.patience import until
from support.showing import just_now, put, watcher
from support.sshd import Sshd
from support.watching import Scene

pytestmark = pytest.mark.series  # with `make test-clients`

WITHIN_S = 15.0
FAKETIME = next(map(str, Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), "")


@pytest.fixture
def network() -> Iterator[Network]:
    with Network() as made:
        yield made


def shown(here: Here) -> list[tuple[str, str, str, bool]]:
    """Each row: which machine, which session, its state, and whether that is out of date."""
    rows = board(here.read(), time.time()).rows
    return sorted((row.host, row.session_id, row.state, row.is_old) for row in rows)


def test_a_cut_link_is_known_in_time_and_heals_by_itself(here: Here, network: Network, tmp_path: Path) -> None:
    """Of two machines one is cut off: it is never shown as working meanwhile, and the other one is not touched."""
    with ExitStack() as stack:
        spaces, commands = {}, {}
        for name in ("box", "lab"):
            space, address = network.machine(name)
            sshd = stack.enter_context(Sshd(tmp_path / f"{name}-sshd", address, network.within(space)))
            home = tmp_path / name
            put(home / "state", just_now("one", WORKING), just_now("two", WAITING))
            stack.enter_context(watcher(home / "state"))
            spaces[name], commands[name] = space, sshd.command(home)
        stack.enter_context(watcher(here.home))
        here.looks_at(**commands)
        here.collect(within=network.within(network.here))
        here.shows("one@box", "two@box", "one@lab", "two@lab")
        assert not any(is_old for *_, is_old in shown(here))

        network.cut(spaces["box"])
        cut = time.monotonic()
        host = here.is_lost("box")
        assert time.monotonic() - cut < WITHIN_S
        assert host.why
        by_host = {(machine, is_old) for machine, _, _, is_old in shown(here)}
        assert by_host == {("box", True), ("lab", False)}
        assert board(here.read(), time.time()).counts[WORKING] == 1, "the one on the other machine"

        put(tmp_path / "box" / "state", just_now("one", NEEDS_APPROVAL), just_now("three", WORKING))
        os.unlink(tmp_path / "box" / "state" / "status" / "two.json")
        network.mend(spaces["box"])
        here.speaks("box")
        here.shows("one@box", "three@box", "one@lab", "two@lab")
        assert [row for row in shown(here) if row[0] == "box"] == [
            ("box", "one@box", NEEDS_APPROVAL, False), ("box", "three@box", WORKING, False),
        ]  # fmt: skip


def test_a_half_open_connection_is_known_in_time(here: Here, tmp_path: Path) -> None:
    """Everything at the other end has stopped: the connection stands, and nothing comes."""
    home = tmp_path / "box"
    put(home / "state", just_now("one", WORKING))
    with Sshd(tmp_path / "sshd") as sshd, watcher(home / "state"):
        here.looks_at(box=sshd.command(home))
        here.collect()
        here.speaks("box")
        stopped = sshd.sessions()
        for one in stopped:
            one.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        host = here.is_lost("box")
        assert time.monotonic() - begun < WITHIN_S
        assert "silent" in host.why
        here.speaks("box")
        here.shows("one@box")
        for one in stopped:
            one.kill()


def test_a_link_that_loses_three_packets_of_ten_loses_no_state(here: Here, network: Network, tmp_path: Path) -> None:
    space, address, link = network.lossy("box", 0.3)
    home = tmp_path / "box"
    with Sshd(tmp_path / "sshd", address, network.within(space)) as sshd, watcher(home / "state"):
        here.looks_at(box=sshd.command(home))
        here.collect(within=network.within(network.here))
        here.speaks("box")
        for number in range(20):
            put(home / "state", just_now(f"s{number}", WORKING))
        here.shows(*(f"s{number}@box" for number in range(20)))
        put(home / "state", just_now("s7", NEEDS_APPROVAL))
        until(lambda: here.sessions()["s7@box"].status == NEEDS_APPROVAL)
    handed, lost = map(int, link.communicate("")[0].split())
    assert lost > 0.15 * (handed + lost), "the link has lost packets"


def test_ages_are_right_with_clocks_ten_minutes_apart(here: Here, tmp_path: Path) -> None:
    """The hook, the watcher and `status` there run with a clock that is ten minutes ahead, the whole process."""
    if not FAKETIME:
        pytest.skip("libfaketime is not installed")
    ahead = {"LD_PRELOAD": FAKETIME, "FAKETIME": "+10m"}  # with a monotonic clock of its own it could not sleep
    with Sshd(tmp_path / "sshd") as sshd, Scene(tmp_path / "box") as box:
        (tmp_path / "box").mkdir()
        box.watcher(**ahead)
        begun = time.time()
        box.hook(box.client(), event("UserPromptSubmit", prompt="x"), **ahead)
        box.becomes(WORKING)
        here.looks_at(box=sshd.command(tmp_path / "box", *(f"{name}={value}" for name, value in ahead.items())))
        here.collect()
        here.shows(f"{SESSION}@box")
        here.speaks("box")  # its host.json comes after its sessions
        since, now = here.sessions()[f"{SESSION}@box"].since, time.time()
    assert box.statuses()[SESSION].since > begun + 500, "its own clock is ahead"
    assert here.hosts()["box"].ahead == pytest.approx(600, abs=5)
    assert begun - 5 < since <= now


def test_a_full_disk_here_is_no_reason_to_show_what_was(here: Here, tmp_path: Path) -> None:
    home = tmp_path / "box"
    put(home / "state", just_now("one", WORKING))
    with Disk(here.home) as disk, watcher(home / "state"):
        here.looks_at(box=f"env YOURTURN_HOME={home}/state YOURTURN_NO_WATCHER=1")
        collector = here.collect()
        here.speaks("box")
        until(lambda: "box" in here.read().speaking(time.time()))
        disk.fill()
        put(home / "state", just_now("one", NEEDS_APPROVAL, detail="x" * 100))
        until(lambda: "box" not in here.read().speaking(time.time()), lambda: f"{here.hosts()} {here.log()}")
        disk.empty()
        until(lambda: "box" in here.read().speaking(time.time()), lambda: f"{here.hosts()} {here.log()}")
        until(lambda: here.sessions()["one@box"].status == NEEDS_APPROVAL)
        collector.terminate()
        collector.wait()


def test_a_full_disk_there_is_said_to_be_unknown_and_not_calm(here: Here, tmp_path: Path) -> None:
    """Its watcher cannot write: its heartbeat grows old, and what it says is known no longer."""
    state = tmp_path / "box" / "state"
    with Disk(state) as disk:
        put(state, just_now("one", WORKING))
        disk.fill()
        with pytest.raises(OSError, match="No space"):
            put(state, just_now("two", WORKING, detail="x" * 5000))
        here.looks_at(box=f"env YOURTURN_HOME={state} YOURTURN_NO_WATCHER=1")
        collector = here.collect()
        host = until(lambda: (one := here.hosts().get("box")) and one.reached and one)
        assert not host.speaks
        assert [is_old for *_, is_old in shown(here)] == [True]
        collector.terminate()
        collector.wait()
