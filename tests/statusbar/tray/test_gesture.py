"""Many events, one gesture."""

import pytest

from statusbar.tray.gesture import PAUSE_S, Gesture


def begun(*moments: float) -> list[float]:
    gesture = Gesture()
    return [moment for moment in moments if gesture.begins(moment)]


def test_events_that_follow_closely_are_one_gesture_however_long_it_takes() -> None:
    assert begun(*(k * 0.1 for k in range(50))) == [0.0]


def test_after_a_pause_another_one_begins() -> None:
    assert begun(0.0, PAUSE_S, PAUSE_S + 0.1, 9.0) == [0.0, PAUSE_S, 9.0]


def test_the_icon_takes_many_events_of_the_wheel_for_one() -> None:
    sni = pytest.importorskip(
        "statusbar.tray.sni", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)"
    )
    moments = iter([0.0, 0.1, 0.2, 9.0])
    clicks: list[bool] = []
    item = sni.StatusNotifierItem(lambda: clicks.append(True), lambda: next(moments))
    for delta in (120, -1, 1, 120):
        item.scroll(delta, "vertical")
    assert len(clicks) == 2
