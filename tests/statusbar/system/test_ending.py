"""Signals that are held back while they would do harm."""

import signal
from collections.abc import Iterator

import pytest

from statusbar.system import ending


@pytest.fixture(params=ending.SIGNALS, ids=lambda one: one.name)
def number(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """One of them, which interrupts us."""
    before = signal.signal(request.param, signal.default_int_handler)
    yield request.param
    signal.signal(request.param, before)


def test_a_signal_is_obeyed_when_all_is_done(number: signal.Signals) -> None:
    done = []

    def work() -> None:
        with ending.held_back() as came:
            signal.raise_signal(number)
            signal.raise_signal(number)
            done.extend(came)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == [number, number]
    assert signal.getsignal(number) is signal.default_int_handler


def test_one_that_is_ignored_ends_nothing(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    with ending.held_back() as came:
        signal.raise_signal(number)
    assert came == []


def test_where_something_fails_that_is_told(number: signal.Signals) -> None:
    def fail() -> None:
        signal.raise_signal(number)
        raise OSError("full")

    with pytest.raises(OSError, match="full"), ending.held_back():
        fail()
    assert signal.getsignal(number) is signal.default_int_handler
