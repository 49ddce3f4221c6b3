"""The measurement of many machines at one broker, with a few of them."""

from pathlib import Path

import pytest

from bench import broker, fleet, place
from bench.dose import Dose
from bench.figure import Missing
from support.needs import need


def test_a_few_machines_are_measured_from_end_to_end(tmp_path: Path) -> None:
    need("mosquitto")
    found = fleet.measure(place.Place(str(tmp_path)), 2, Dose(0.02))
    assert found.changes
    assert found.kills
    assert found.rate > 0
    assert found.rest.keys() == found.flood.keys() == found.memory.keys() == {"broker", "collector"}
    names = {figure.key for figure in fleet._of(2, found)}
    assert {"fleet.change.2", "fleet.killed.2", "fleet.rate.2", "fleet.memory.collector.2"} <= names


def test_without_mosquitto_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(broker, "SERVERS", str(tmp_path))
    (found,) = fleet.figures(Dose(0.02))
    assert isinstance(found, Missing)
