"""The attacks of `make torture` in a short dose, and what becomes of one that loses something or does not hit."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from support.needs import SKIPPED
from support.patience import until
from support.project import PROJECT
from torture import corpus
from torture.__main__ import MEMORY, main
from torture.attacks import ATTACKS, Attack
from torture.decoders import DECODERS
from torture.dose import Dose
from torture.result import MissingError, Result, Tally

SEED = 5
GOOD = Tally("blows", 3, 3)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs Linux")


def started(*words: str) -> subprocess.Popen[bytes]:
    """In a session of its own, so that whatever it leaves behind is known by it."""
    argv = [sys.executable, "-m", "torture", "--dose", "short", "--seed", str(SEED), *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, stdout=pipe, stderr=pipe, cwd=PROJECT, start_new_session=True)


def left_behind(torture: int) -> list[str]:
    processes = [f"process {pid}" for pid in psutil.pids() if _session(pid) == torture]
    folders = [path.name for path in Path(MEMORY).glob(f"yourturn-torture-{torture}-*")]
    return processes + folders


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_lost_to(name: str) -> None:
    with started("--only", name, "--json") as torture:
        told, complaints = torture.communicate()
    (found,) = json.loads(told)["attacks"]
    assert not left_behind(torture.pid)
    assert [one for one in found["tallies"] if not one["good"]] == [], complaints.decode()
    if found["missing"]:
        assert "NOT TRIED" in complaints.decode()
        pytest.skip(f"{SKIPPED}{found['missing']}")
    assert torture.returncode == 0
    assert found["tallies"]


def test_an_interruption_tells_what_was_found_and_leaves_nothing_behind() -> None:
    with started("--only", "stopped") as torture:
        until(lambda: len(psutil.Process(torture.pid).children()) > 2, "hooks behind a stopped holder")
        torture.send_signal(signal.SIGINT)
        told, complaints = torture.communicate()
    assert torture.returncode == 130
    assert told.startswith(b"attack")
    assert b"interrupted" in complaints
    until(lambda: not left_behind(torture.pid), lambda: f"the end of {left_behind(torture.pid)}")


def test_an_unknown_attack_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--only", "tickling"])
    assert ended.value.code == 2
    assert "tickling" in capsys.readouterr().err


def made(monkeypatch: pytest.MonkeyPatch, *runs: Callable[[Dose], Result]) -> int:
    """The exit code of these attacks."""
    for name in list(ATTACKS):
        monkeypatch.delitem(ATTACKS, name)
    for number, run in enumerate(runs):
        monkeypatch.setitem(ATTACKS, f"a{number}", Attack(f"a{number}", "an attack", run))
    return main([])


def result(*tallies: Tally, missing: str = "") -> Callable[[Dose], Result]:
    return lambda _dose: Result("a", tallies, missing)


def test_an_attack_that_hit_and_lost_nothing_is_good(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made(monkeypatch, result(GOOD)) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["a", "(0", "s)", "blows", "3", "3", "0"]


@pytest.mark.parametrize(
    ("tallies", "told"),
    [
        ((GOOD._replace(lost=("an event",)),), "a: an event"),
        ((GOOD._replace(hit=2),), "FAILED"),
        ((GOOD, Tally("nothing", 0, 0)), "nothing was tried"),
        ((), "attack"),
    ],
    ids=["something lost", "one blow did not hit", "nothing tried", "no blow at all"],
)
def test_a_failure_is(
    tallies: tuple[Tally, ...], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made(monkeypatch, result(GOOD), result(*tallies)) == 1
    assert told in capsys.readouterr().out


def test_what_is_missing_is_said_loudly_and_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacks(_dose: Dose) -> Result:
        raise MissingError("strace (on Debian or Ubuntu: apt-get install strace)")

    assert made(monkeypatch, lacks) == 1
    said = capsys.readouterr()
    assert "NOT TRIED, missing here: strace" in said.out
    assert "apt-get install strace" in said.err


def test_an_attack_that_falls_over_does_not_take_the_others_along(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def falls(_dose: Dose) -> Result:
        raise ZeroDivisionError

    assert made(monkeypatch, falls, result(GOOD)) == 1
    said = capsys.readouterr().out
    assert "ZeroDivisionError" in said
    assert "blows" in said


def test_after_an_interruption_the_table_has_what_came_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_dose: Dose) -> Result:
        raise KeyboardInterrupt

    assert made(monkeypatch, result(GOOD), interrupted) == 130
    assert "blows" in capsys.readouterr().out


def test_every_decoder_has_inputs_to_begin_with_and_there_are_no_others() -> None:
    assert {path.stem for path in Path(corpus.FOLDER).iterdir()} == set(DECODERS)
    assert all(corpus.inputs(name) for name in DECODERS)


def test_the_same_seed_gives_the_same_inputs() -> None:
    one, again, other = (list(corpus.mutated("wire", seed, 50)) for seed in (1, 1, 2))
    assert one == again
    assert one != other
