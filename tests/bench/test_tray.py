"""The benchmark of the tray measures something."""

import asyncio

import pytest

from support.needs import need

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

import bench.tray


@pytest.fixture(autouse=True)
def _needed() -> None:
    need("dbus-daemon")


def test_the_benchmark_waits_for_menu_and_icon() -> None:
    taken = asyncio.run(bench.tray.delays(3, 2))
    assert len(taken) == 2
    assert all(one.menu > 0 and one.icon > 0 for one in taken)


def test_the_benchmark_looks_at_the_tray_while_it_is_left_alone() -> None:
    share, memory = asyncio.run(bench.tray.rest(0.2))
    assert 0 <= share < 100
    assert memory > 1 << 20
