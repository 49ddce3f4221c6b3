"""A watcher that falls over leaves a report that one can paste, and a thread or a session that does is only logged."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import fault, logfile, paths, version
from support.builders import event
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from watcher import crash

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.watching import Scene

SECRET = "sEcr3t-7f3a"  # noqa: S105 - nobody's
HIDDEN = f"bytes({list(SECRET.encode())}).decode()"  # as a value: a text in the code itself is our own
FALLS = f"import watcher.daemon as d; d.Daemon._keep_house = lambda self, now: dict()[{HIDDEN}]"
DISK_FULL = "import watcher.daemon as d; d.Daemon._keep_house = lambda self, now: open('/gone/file')"
DEEP = "import watcher.daemon as d; d.Daemon._keep_house = lambda self, now: self._keep_house(now)"


def fallen(scene: Scene, prelude: str) -> tuple[str, str]:
    """What the report says, and standard error."""
    watcher = scene.watcher(prelude=prelude)
    _, said = watcher.communicate(timeout=PATIENCE_S)
    assert watcher.returncode == 1
    return Path(paths.crash(scene.state)).read_text(), said.decode()


def test_a_watcher_that_falls_over_leaves_a_report(scene: Scene) -> None:
    report, said = fallen(scene, FALLS)
    assert f"yourturn: {version.VERSION}\n" in report
    assert f"python: CPython {sys.version.split()[0]}\n" in report
    assert f"platform: {sys.platform} " in report
    assert "  watcher/watch.py:" in report
    assert "  watcher/daemon.py:" in report
    assert "\nKeyError (<string>:1)\n" in report
    assert " INFO watching: pid " in report
    assert " CRITICAL crashed: KeyError" in report
    assert stat.S_IMODE(os.stat(paths.crash(scene.state)).st_mode) == 0o600
    assert said.startswith("yourturn: the watcher crashed: KeyError")
    assert paths.crash(scene.state) in said


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("yourturn/watcher/clients/claude/registry.py", "watcher/clients/claude/registry.py"),
        ("psutil/_psposix.py", "psutil/_psposix.py"),
    ],
)
def test_installed_files_are_named_as_in_the_project(path: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = "/v/lib/python3.11/site-packages"
    monkeypatch.setattr(fault, "PROJECT", f"{packages}/yourturn")
    assert fault._short(f"{packages}/{path}") == told


def test_a_report_holds_no_value_and_no_home(scene: Scene) -> None:
    report, said = fallen(scene, FALLS)
    for text in (report, said, scene.log()):
        assert SECRET not in text
    assert str(PROJECT) not in report
    assert str(scene.home) not in report


@pytest.mark.parametrize(
    ("prelude", "words"),
    [(DISK_FULL, "FileNotFoundError: No such file or directory: /gone/file"), (DEEP, "RecursionError")],
    ids=["an error of the system", "a way without end"],
)
def test_a_report_is_short_and_says_what_the_system_said(prelude: str, words: str, scene: Scene) -> None:
    report, _ = fallen(scene, prelude)
    assert words in report
    assert len(report) < crash.LARGEST
    assert len(report.splitlines()) < 80


def test_where_no_report_can_be_written_the_watcher_says_so(scene: Scene) -> None:
    os.makedirs(paths.crash(scene.state))
    watcher = scene.watcher(prelude=FALLS)
    _, said = watcher.communicate(timeout=PATIENCE_S)
    assert (watcher.returncode, b"no report could be written" in said) == (1, True)


def test_a_report_is_bounded_however_long_the_lines_of_the_log_are() -> None:
    report = crash.report(ValueError("x"), ["\x1b" + "long " * 100_000] * 100, 0.0, "/home/me")
    assert len(report) <= crash.LARGEST + 1
    assert b"\x1b" not in report


def test_one_sessions_trouble_is_logged_without_a_value(scene: Scene) -> None:
    """The text of an error may be the command that could not be read."""
    scene.hook(scene.client(), event("UserPromptSubmit", prompt="x"))
    odd = f"import watcher.loop as l; l.Watch._judge = lambda self, session, now: int({SECRET!r})"
    scene.watcher(prelude=odd)
    until(lambda: "ValueError" in scene.log(), scene.log)
    assert "  watcher/loop.py:" in scene.log()
    assert SECRET not in scene.log()
    assert not os.path.exists(paths.crash(scene.state))


def test_a_thread_that_falls_over_is_logged_without_a_value(scene: Scene) -> None:
    """It only hints at news; without a word its end would look as if nothing ever happened."""
    thread = f"import threading; threading.Timer(0, int, ({SECRET!r},)).start()"
    look = f"lambda watch, **more: (exec({thread!r}), look(watch, **more))"
    late = f"from watcher.loop import Watch; look = Watch.look_at_all; Watch.look_at_all = {look}"
    watcher = scene.watcher(prelude=late)
    until(lambda: "a thread crashed" in scene.log(), scene.log)
    watcher.terminate()
    _, said = watcher.communicate(timeout=PATIENCE_S)
    assert (SECRET in scene.log(), SECRET.encode() in said) == (False, False)


def test_a_log_is_never_written_through_a_link(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    os.makedirs(scene.state, mode=0o700)
    os.symlink(tmp_path / "precious", paths.watcher_log(scene.state))
    watcher = scene.watcher()
    _, said = watcher.communicate(timeout=PATIENCE_S)
    assert watcher.returncode == 1
    assert paths.watcher_log(scene.state).encode() in said
    assert (tmp_path / "precious").read_text() == "precious"


def test_what_launchd_appends_to_for_ever_is_cut_at_the_next_start(scene: Scene) -> None:
    errors = Path(paths.watcher_errors(scene.state))
    errors.parent.mkdir(mode=0o700)
    errors.write_bytes(b"x" * (logfile.LIMIT + 1))
    scene.watcher()
    until(lambda: errors.stat().st_size == 0)


def refuse() -> None:
    raise ValueError("the event is not an object")


NOBODY: dict[str, str] = {}
RAISING: dict[str, Callable[[], object]] = {
    "ours": refuse,
    "a key": lambda: NOBODY[SECRET],
    "a file": lambda: open("/gone/file"),  # noqa: SIM115
    "a number": lambda: int(SECRET),
}


def raised(which: str) -> Exception:
    with pytest.raises(Exception) as found:  # noqa: PT011 - one of them
        RAISING[which]()
    return found.value


@pytest.mark.parametrize(
    ("which", "words"),
    [
        ("ours", "ValueError: the event is not an object (tests/watcher/test_crash.py:"),
        ("a key", "KeyError (tests/watcher/test_crash.py:"),
        ("a file", "FileNotFoundError: No such file or directory: /gone/file (tests/watcher/test_crash.py:"),
        ("a number", "ValueError (tests/watcher/test_crash.py:"),
    ],
)
def test_only_our_own_words_and_the_systems_are_told(which: str, words: str) -> None:
    assert fault.words(raised(which)).startswith(words)


def test_what_an_error_came_from_is_told_too() -> None:
    error = raised("a number")
    error.__cause__ = raised("ours")
    assert [line for line in fault.trace(error) if not line.startswith("  ")] == [
        fault.words(error),
        "which came from",
        fault.words(error.__cause__),
    ]
