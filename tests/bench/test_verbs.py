"""What is measured of the verbs."""

from pathlib import Path

import pytest

from bench import verbs
from bench.dose import Dose
from bench.figure import Figure, Missing
from bench.place import Place
from bench.race import Taken
from bench.screen import Watched


def test_a_wait_is_measured_from_the_file_to_its_end(tmp_path: Path) -> None:
    with Watched(Place(str(tmp_path)), 3) as where:
        taken = verbs.delays(where, 2)
    assert len(taken) == 2
    assert all(one > 0 for one in taken)


def test_without_a_client_the_list_stands_alone_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    missing, *found = verbs.list_figures(Dose(0.0))
    assert isinstance(missing, Missing)
    assert missing.why.startswith("there is no client: client: npm is missing")
    assert [one.key for one in found if isinstance(one, Figure)] == list(verbs.KEYS.values())
    assert not [one for one in found if isinstance(one, Figure) and one.ratio is not None]


def test_how_our_list_stands_to_theirs_is_told() -> None:
    taken = {
        name: [Taken(wall, wall)] * 3 for name, wall in zip([*verbs.KEYS, verbs.THEIRS], (50, 70, 20, 200), strict=True)
    }
    ours, _, alone, theirs = verbs.told(taken)
    assert (ours.ratio, alone.ratio, theirs.middle) == (0.25, 0.1, 200)
    assert [str(budget) for budget in ours.budgets] == ["goal <= 0.3 x: kept"]
