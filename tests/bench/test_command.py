"""`python -m bench`: what runs, what is said meanwhile, and how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from bench import suite
from bench.__main__ import main
from bench.budget import Budget
from bench.figure import Figure, Missing
from bench.progress import Progress
from support.patience import until
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FINE = Figure("hook.one", "a hook", 12.0)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which parts were measured, without measuring anything."""
    asked: list[str] = []

    def measure(name: str, _dose: object) -> Iterator[Figure | Missing]:
        asked.append(name)
        yield FINE._replace(key=name, what=f"the {name}")

    monkeypatch.setattr(suite, "_measure", measure)
    return asked


def ends_in(monkeypatch: pytest.MonkeyPatch, end: BaseException | Figure | Missing) -> None:
    """Of two parts, the second one has this end."""

    def measure(name: str, _dose: object) -> Iterator[Figure | Missing]:
        if name == "hook":
            yield FINE
        elif isinstance(end, BaseException):
            raise end
        else:
            yield end

    monkeypatch.setattr(suite, "_measure", measure)


def bench(*args: str, tmp: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TMPDIR": str(tmp)}
    argv = [sys.executable, "-m", "bench", *args]
    return subprocess.run(argv, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


def test_without_a_name_everything_is_measured_into_one_table(
    measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 0
    assert measured == list(suite.PARTS)
    said = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("what ") for line in said) == 1
    assert len(said) == 2 + len(suite.PARTS)


def test_only_what_is_named_is_measured_in_the_order_given(measured: list[str]) -> None:
    assert main(["words", "hook", "--quick"]) == 0
    assert measured == ["words", "hook"]


def test_the_list_has_a_word_on_each_and_measures_nothing(
    measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--list"]) == 0
    found = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert found.keys() == suite.PARTS.keys()
    assert all(len(words) > 3 for words in found.values())
    assert measured == []


def test_every_part_that_is_listed_can_be_measured() -> None:
    for name in suite.PARTS:
        module = __import__(f"bench.{name}", fromlist=["figures"])
        assert callable(module.figures)


def test_an_unknown_name_is_wrong_usage_and_names_the_known_ones(
    measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["hook", "hoook"])
    assert left.value.code == 2
    assert "no benchmark is called hoook; there are: hook, clients, together, turn" in capsys.readouterr().err
    assert measured == []


def test_a_missed_limit_fails_the_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ends_in(monkeypatch, FINE._replace(budgets=(Budget(3, 2),)))
    assert main(["hook", "turn"]) == 1
    assert "<= 2 x: MISSED" in capsys.readouterr().out
    ends_in(monkeypatch, FINE._replace(budgets=(Budget(3, 2, hard=False),)))
    assert main(["hook", "turn"]) == 0


def test_what_is_not_installed_is_said_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends_in(monkeypatch, Missing("node", "it is not installed"))
    assert main(["hook", "turn"]) == 0
    assert "NOT MEASURED: node, because it is not installed" in capsys.readouterr().out


@pytest.mark.parametrize("end", [OSError("no room"), AssertionError("an event is lost"), SystemExit("no watcher")])
def test_a_part_that_breaks_is_said_fails_the_run_and_takes_no_other_along(
    end: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends_in(monkeypatch, end)
    assert main(["turn", "hook"]) == 1
    said = capsys.readouterr().out
    assert f"COULD NOT BE MEASURED: turn: {type(end).__name__}: {end}" in said
    assert "a hook" in said


def test_an_interrupted_run_shows_what_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends_in(monkeypatch, KeyboardInterrupt())
    assert main(["hook", "turn"]) == 130
    said = capsys.readouterr()
    assert "a hook" in said.out
    assert "interrupted" in said.err


def test_the_results_are_written_to_the_file_that_is_named(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    assert main(["hook", "--quick", "--json", str(file)]) == 0
    whole = json.loads(file.read_text())
    assert [one["what"] for one in whole["figures"]] == ["the hook"]
    assert whole["quick"] is True
    assert whole.keys() >= {"date", "python", "cores", "commit"}


def test_a_file_that_cannot_be_written_is_named_before_anything_is_measured(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hook", "--json", str(tmp_path / "no" / "a.json")]) == 1
    assert "a.json could not be written: No such file or directory" in capsys.readouterr().err
    assert measured == []


def test_progress_is_one_line_on_a_terminal_and_a_line_for_each_part_elsewhere() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for out, wanted in (
        (Terminal(), "\r\x1b[K[1/2] a: x\r\x1b[K[2/2] b: y\r\x1b[K"),
        (io.StringIO(), "[1/2] a: x\n[2/2] b: y\n"),
    ):
        progress = Progress(2, out)
        progress.begins("a", "x")
        progress.begins("b", "y")
        progress.ends()
        assert out.getvalue() == wanted


def test_the_real_command_measures_and_leaves_nothing_behind(borrowed_home: Path, tmp_path: Path) -> None:
    done = bench("lineage", "--quick", tmp=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "lineage: one family" in done.stdout
    assert "[1/1] lineage" in done.stderr
    assert list(tmp_path.iterdir()) == list(borrowed_home.iterdir()) == []


def test_the_real_command_says_where_the_time_of_a_hook_goes(tmp_path: Path) -> None:
    done = bench("hook", "--imports", tmp=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "beyond a bare start" in done.stdout
    # Which of the modules are among the most expensive ones is a matter of speed; that some are ours is not.
    assert re.search(r"^(contract|recorder)\.\w+ +\d", done.stdout, re.MULTILINE)
    for name in ("bare Python", "the hook", "the hook without its bundle"):
        assert f"\n{name} " in done.stdout


def is_watcher(one: psutil.Process) -> bool:
    try:
        return "watch" in one.cmdline()
    except psutil.Error:  # it has just ended
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_ends_a_run_ends_all_that_it_started(number: int, tmp_path: Path) -> None:
    argv, env = [sys.executable, "-m", "bench", "delay"], {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(argv, cwd=PROJECT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        bench = psutil.Process(process.pid)
        until(lambda: any(map(is_watcher, bench.children())), "its watcher is there")
        family = bench.children(recursive=True)
        process.send_signal(number)
        assert process.wait() == 130
    until(lambda: not any(one.is_running() for one in family), "all of them have ended")
    assert list(tmp_path.iterdir()) == []
