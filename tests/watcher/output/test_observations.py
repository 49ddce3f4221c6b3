"""How sessions stand and who watched, as the watcher writes it down."""

import json
from pathlib import Path
from typing import Any

import pytest

from contract import paths, store
from contract.status import NEEDS_APPROVAL, WAITING
from support.showing import HOSTILE, agent, session
from watcher.output import observations
from watcher.output.observations import LIMIT, TOLD_ANEW, Observations


def lines(home: Path, older: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(paths.observations(str(home)) + older).read_text().splitlines()]


def test_a_session_is_named_once_and_then_only_its_changes_are_told(tmp_path: Path) -> None:
    log = Observations(str(tmp_path))
    working = session("s", name="checkout", cwd="/p/shop", agents=(agent(), agent("a1"), agent("a2", state="joined")))
    log.stand(working, 10.0)
    log.stand(working, 11.0)
    log.stand(working._replace(status=NEEDS_APPROVAL, agents=()), 12.0)
    log.stand(working._replace(status=NEEDS_APPROVAL, agents=(), detail="other words"), 13.0)
    log.gone("s", 14.0)
    log.gone("s", 15.0)
    head = {"v": 1, "kind": "session", "session": "s", "agent": "", "by": "some-rule"}
    about = {"name": "checkout", "cwd": "/p/shop", "hidden": False, "since": working.since}
    assert lines(tmp_path) == [
        {**head, "at": 10.0, "to": "working", "running": 2, **about},
        {**head, "at": 12.0, "to": "needs_approval", "running": 0},
        {**head, "at": 14.0, "to": "gone", "running": 0, "by": "process"},
    ]


def test_another_name_or_folder_is_told_when_it_changes(tmp_path: Path) -> None:
    log = Observations(str(tmp_path))
    log.stand(session("s", name="one"), 1.0)
    log.stand(session("s", name="two"), 2.0)
    log.stand(session("s", name="two", hidden=True), 3.0)
    assert [(line["name"], line["hidden"]) for line in lines(tmp_path)] == [
        ("one", False),
        ("two", False),
        ("two", True),
    ]


def test_a_new_file_begins_with_how_everything_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observations, "LIMIT", 1000)
    log = Observations(str(tmp_path))
    log.stand(session("idle", WAITING, name="idle"), 1.0)
    log.stand(session("gone", name="gone"), 1.5)
    log.gone("gone", 1.7)
    at = 2.0
    while not Path(paths.observations(str(tmp_path)) + ".1").exists():
        at += 1
        log.stand(session("busy", (WAITING, "working")[int(at) % 2], name="busy"), at)
    new = lines(tmp_path)
    assert (new[0]["kind"], new[0]["by"], new[0]["since"]) == ("watching", "file", new[0]["at"])
    assert [(line["session"], line["name"], line["at"]) for line in new[1:]] == [
        ("idle", "idle", at),
        ("busy", "busy", at),
    ]


def test_what_is_told_anew_is_bounded_and_the_rest_comes_with_its_next_change(tmp_path: Path) -> None:
    log = Observations(str(tmp_path))
    log._told = {f"s{number}": observations.standing(session(f"s{number}")) for number in range(5000)}
    told = log._told_anew(1.0)
    assert TOLD_ANEW // 2 < len(told) <= TOLD_ANEW + 200
    assert len(log._told) < 5000
    log.stand(session("s4999"), 2.0)
    assert lines(tmp_path)[0]["name"] == "s4999-name"


def test_the_log_stays_below_its_bounds_with_a_crowd_of_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observations, "LIMIT", LIMIT // 64)
    monkeypatch.setattr(observations, "TOLD_ANEW", TOLD_ANEW // 64)
    log = Observations(str(tmp_path))
    for number in range(2000):
        log.stand(session(f"s{number % 300}", (WAITING, "working")[number % 2]), float(number))
    for older in ("", ".1"):
        assert Path(paths.observations(str(tmp_path)) + older).stat().st_size < LIMIT // 64 + 1000


def test_after_a_full_disk_everything_is_told_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Observations(str(tmp_path))
    log.stand(session("s"), 1.0)

    def full(*_: object, **__: object) -> bool:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(store, "append", full)
        log.stand(session("s", WAITING), 2.0)
    log.stand(session("s", WAITING), 3.0)
    assert [(line["at"], line["to"], "name" in line) for line in lines(tmp_path)] == [
        (1.0, "working", True),
        (3.0, "waiting", True),
    ]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_one_short_line(tmp_path: Path, name: str) -> None:
    Observations(str(tmp_path)).stand(session("s", name=name, cwd=f"/{name}"), 1.0)
    (line,) = lines(tmp_path)
    assert line["name"].isprintable()
    assert len(json.dumps(line)) < 5000
