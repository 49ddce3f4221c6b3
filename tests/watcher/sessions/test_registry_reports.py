"""The reports of the registry on a process: dated once, and of one that was stopped believed again when it is awake."""

import math
from dataclasses import replace

import pytest

from watcher.clients.base import Entry
from watcher.clock import Clock
from watcher.rules.evidence import RegistryReport
from watcher.sessions.client_process import ClientProcess
from watcher.sessions.registry_reports import RegistryReports

BUSY = RegistryReport("busy", "", at=1.0)
WOKEN = ClientProcess(slept_at=3.0, awake_from=7.0)


@pytest.mark.parametrize(("now", "is_believed"), [(6.9, False), (7.0, True), (60.0, True)])
def test_a_client_that_was_stopped_is_believed_again_when_it_is_awake(now: float, is_believed: bool) -> None:
    report, history = RegistryReports().while_asleep(BUSY, WOKEN, now, ended_at=5.0)
    assert report
    assert report.is_now is is_believed
    assert [(known.status, known.until) for known in history] == ([] if is_believed else [("busy", 3.0)])


@pytest.mark.parametrize(("at", "is_believed"), [(4.9, False), (5.1, True)])
def test_what_a_client_says_after_it_was_seen_stopped_is_believed_at_once(at: float, is_believed: bool) -> None:
    report, _ = RegistryReports().while_asleep(replace(BUSY, at=at), WOKEN, 6.0, ended_at=5.9)
    assert report
    assert report.is_now is is_believed


def test_a_report_from_before_is_late_for_a_moment_after_the_end_of_a_turn() -> None:
    report, _ = RegistryReports().while_asleep(BUSY, WOKEN, 7.5, ended_at=6.8)
    assert report
    assert not report.is_now
    report, _ = RegistryReports().while_asleep(BUSY, WOKEN, 7.9, ended_at=6.8)
    assert report
    assert report.is_now


def test_a_client_can_tell_only_of_what_happens_after_it_was_last_seen_stopped() -> None:
    """A hook that was started before Ctrl-Z tells of its request after it."""
    woken, _ = RegistryReports().while_asleep(BUSY, WOKEN, 6.9, ended_at=0.0)
    stopped, _ = RegistryReports().while_asleep(BUSY, replace(WOKEN, stopped_at=3.0), 5.5, ended_at=0.0)
    assert woken
    assert woken.slept_at == pytest.approx(5.0)
    assert stopped
    assert stopped.slept_at == math.inf


def test_a_client_that_goes_on_is_judged_again_when_it_is_believed() -> None:
    for ended_at, believed_from in ((5.0, 7.0), (6.8, 7.8)):
        report, _ = RegistryReports().while_asleep(BUSY, WOKEN, 6.9, ended_at)
        assert report
        assert report.believed_from == pytest.approx(believed_from)
    stopped = replace(WOKEN, stopped_at=3.0)
    report, _ = RegistryReports().while_asleep(BUSY, stopped, 6.9, ended_at=5.0)
    assert report
    assert report.believed_from is None, "nobody knows when it goes on"


def test_a_dialog_stays_until_it_is_answered() -> None:
    waiting = RegistryReport("waiting", "permission prompt", at=1.0)
    assert RegistryReports().while_asleep(waiting, WOKEN, 4.0, ended_at=0.0) == (waiting, ())


@pytest.mark.parametrize(
    ("status", "waiting_for", "known"),
    [
        ("waiting", "permission prompt", ["waiting", "busy"]),
        ("waiting", "input needed", ["waiting"]),
        ("busy", "", ["waiting"]),
    ],
)
def test_between_two_dialogs_of_one_kind_the_registry_must_have_said_that_none_was_open(
    status: str, waiting_for: str, known: list[str]
) -> None:
    """Its file may be replaced twice before it is read."""
    clock, reports, process = _clock(), RegistryReports(), ClientProcess()
    first = Entry(7, "s", status="waiting", waiting_for="permission prompt", status_at=1006.0)
    reports.read(first, process, 6.5, clock, is_here=True)
    second = replace(first, status=status, waiting_for=waiting_for, status_at=1009.0)
    reports.read(second, process, 9.5, clock, is_here=True)
    assert [past.status for past in reports.history] == known
    assert reports.history[-1].until == pytest.approx(9.0)


@pytest.mark.parametrize(("busy_at", "after"), [((9.0,), 6.0), ((9.0, 12.0), 0.0)])
def test_of_a_dialog_that_was_never_read_it_is_not_known_when_it_opened(
    busy_at: tuple[float, ...], after: float
) -> None:
    """Between two busy words there was another one; the dialog before the first is not that which the second closed."""
    clock, reports, process = _clock(), RegistryReports(), ClientProcess()
    words = [Entry(7, "s", status="waiting", waiting_for="permission prompt", status_at=1006.0)]
    words += [Entry(7, "s", status="busy", status_at=1000.0 + at) for at in busy_at]
    for entry in (*words, Entry(7, "s", status="idle", status_at=1015.0)):
        reports.read(entry, process, (entry.status_at or 0.0) - 999.9, clock, is_here=True)
    assert reports.history[-1].after == pytest.approx(after)


def test_the_start_of_a_process_is_dated_once_though_the_clock_is_set_back_later_case_51() -> None:
    clock, reports, entry = _clock(), RegistryReports(), Entry(7, "s", started_at=1010.0)
    assert reports.began(entry, 11.0, clock) == pytest.approx(9.7)
    clock.notice(970.0, 15.0)
    assert reports.began(entry, 41.0, clock) == pytest.approx(9.7)


def test_a_start_in_the_future_tells_nothing() -> None:
    assert RegistryReports().began(Entry(7, "s", started_at=1040.0), 15.0, _clock()) == 0.0


def _clock() -> Clock:
    """A thousand seconds ahead of the boot."""
    clock = Clock()
    clock.offset = 1000.0
    clock.notice(1000.0, 5.0)
    return clock


@pytest.mark.parametrize("status", ["idle", "busy"])
def test_what_a_client_that_leaves_has_said_holds_until_its_goodbye_case_02(status: str) -> None:
    """That it rests, or that a request was answered, may have been told there alone."""
    clock, process, reports = Clock(), ClientProcess(), RegistryReports()
    clock.offset = 0.0
    entry = Entry(pid=7, session_id="s", status=status, status_at=20.0)
    here = reports.read(entry, process, 21.0, clock, is_here=True)
    left = reports.read(None, process, 22.0, clock, is_here=True)
    assert here
    assert left == replace(here, is_now=False)
    back = reports.read(replace(entry, status="waiting", status_at=23.0), process, 23.0, clock, is_here=True)
    assert back
    assert (back.status, back.is_now) == ("waiting", True)
    assert [past.status for past in reports.history] == [status]
