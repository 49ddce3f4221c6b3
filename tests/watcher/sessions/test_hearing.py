"""What the registry said of a process that was stopped: believed again once it has had time to say otherwise."""

import pytest

from watcher.rules.evidence import Said
from watcher.sessions.client_process import ClientProcess
from watcher.sessions.hearing import Hearing

BUSY = Said("busy", "", at=1.0)
WOKEN = ClientProcess(slept_at=3.0, awake_from=7.0)


@pytest.mark.parametrize(("now", "is_believed"), [(6.9, False), (7.0, True), (60.0, True)])
def test_a_client_that_was_stopped_is_believed_again_when_it_is_awake(now: float, is_believed: bool) -> None:
    word, history = Hearing().while_asleep(BUSY, WOKEN, now, ended_at=5.0)
    assert word
    assert word.is_now is is_believed
    assert [(known.status, known.until) for known in history] == ([] if is_believed else [("busy", 3.0)])


def test_a_word_of_before_is_late_for_a_moment_after_the_end_of_a_turn() -> None:
    word, _ = Hearing().while_asleep(BUSY, WOKEN, 7.5, ended_at=6.8)
    assert word
    assert not word.is_now
    word, _ = Hearing().while_asleep(BUSY, WOKEN, 7.9, ended_at=6.8)
    assert word
    assert word.is_now


def test_a_dialog_stays_until_it_is_answered() -> None:
    waiting = Said("waiting", "permission prompt", at=1.0)
    assert Hearing().while_asleep(waiting, WOKEN, 4.0, ended_at=0.0) == (waiting, ())
