"""Sessions named by the titles that their rows show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conversations import clients
from conversations.glimpse import Glimpse
from statusbar.model import targets, targets_by_title
from statusbar.model.targets import Ambiguous, NoSuchTarget
from support.showing import put, run, session, statuses

if TYPE_CHECKING:
    from pathlib import Path

    from contract.status import SessionStatus


def called(folder: Path, id_: str, title: str, **more: str) -> SessionStatus:
    written = clients.writer("claude")
    assert written is not None
    path = folder / f"{id_}.jsonl"
    path.write_bytes(written(Glimpse(title=title, model="m")))
    return session(id_, client="claude", transcript=str(path), **more)


def test_a_title_or_the_beginning_of_it_names_its_session(tmp_path: Path) -> None:
    some = statuses(called(tmp_path, "a", "Fix the login"), called(tmp_path, "b", "Fix the login page"))
    assert targets_by_title.one(some, "fix the login").key == ("a", "")
    assert targets_by_title.one(some, "Fix the login p").key == ("b", "")
    with pytest.raises(Ambiguous, match="matches several"):
        targets_by_title.find(some, "Fix")
    with pytest.raises(NoSuchTarget):
        targets_by_title.find(some, "login")
    with pytest.raises(NoSuchTarget):
        targets_by_title.find(some, "")


def test_nobody_takes_the_place_of_another_one_by_its_title(tmp_path: Path) -> None:
    some = statuses(called(tmp_path, "a", "shop"), session("b", name="shop"))
    assert targets_by_title.one(some, "shop").key == ("b", "")


def test_a_group_of_several_stays_ambiguous_for_who_takes_one(tmp_path: Path) -> None:
    with pytest.raises(Ambiguous):
        targets_by_title.one(statuses(session("a"), session("b")), "@working")


def test_no_transcript_is_opened_for_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = statuses(called(tmp_path, "a", "Fix the login"))
    monkeypatch.setattr("contract.transcript_file.opened", lambda _: pytest.fail("opened"))
    assert targets_by_title.one(some, "a-name").key == ("a", "")


def test_nobody_is_ended_by_a_title(tmp_path: Path) -> None:
    with pytest.raises(NoSuchTarget):
        targets.one(statuses(called(tmp_path, "a", "Fix the login")), "Fix the login")


@pytest.mark.parametrize("command", ["explain", "log", "go"])
def test_what_the_table_shows_can_be_typed(command: str, tmp_path: Path) -> None:
    put(tmp_path, called(tmp_path, "a", "Fix the login"))
    words = ["--session", "Fix the login"] if command == "log" else ["Fix the login"]
    found = run(tmp_path, command, *words)
    said = {"explain": "a-name  /home/me/a", "log": "Nothing observed yet", "go": "yourturn: a-name: "}
    assert said[command] in found.stdout + found.stderr
