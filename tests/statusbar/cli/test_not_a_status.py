"""What the commands that print say where files are no statuses, or are gone."""

from pathlib import Path

import pytest

from support.showing import litter, put, run, session


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["status", "--json"],
        ["status", "--all", "--json", "--full"],
        ["explain"],
        ["explain", "--json"],
        ["line", "--for", "waybar"],
        ["line", "--for", "xbar"],
    ],
    ids=" ".join,
)
def test_what_is_not_a_status_leaves_those_that_are(words: list[str], tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    litter(tmp_path)
    found = run(tmp_path, *words)
    assert (found.returncode, found.stderr) == (0, "")
    assert "good-name" in found.stdout
    assert "later-name" in found.stdout
    assert "root:" not in found.stdout


@pytest.mark.parametrize("host", ["plain", "tmux", "polybar", "sketchybar", "starship"])
def test_a_line_counts_those_that_are_statuses(host: str, tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    litter(tmp_path)
    found = run(tmp_path, "line", "--for", host)
    assert (found.returncode, found.stderr) == (0, "")
    assert "●2" in found.stdout


def test_statuses_that_are_no_longer_there_are_nothing(tmp_path: Path) -> None:
    put(tmp_path, session("good"))
    (tmp_path / "status" / "good.json").unlink()
    (tmp_path / "status").rmdir()
    for words in (["status"], ["explain"], ["line"], ["status", "--json"]):
        assert (run(tmp_path, *words).returncode, run(tmp_path, *words).stderr) == (0, "")


def test_a_state_folder_that_cannot_be_used_is_not_called_calm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = run(tmp_path / "file", "status")
    assert "Nothing is waiting" not in found.stdout
    assert "The state folder cannot be used" in found.stdout
