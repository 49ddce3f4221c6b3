"""The log of a background process: private, bounded, and never written through a link."""

import os
import stat
import subprocess
import sys
from pathlib import Path

from contract import logfile
from support.project import PROJECT

VALUE = "what a person wrote"


def logged(path: Path, code: str) -> subprocess.CompletedProcess[str]:
    """What a process of its own says that logs there: the log of this one is pytest's."""
    begin = f"import threading\nfrom contract import logfile\nlogfile.start({str(path)!r})\nlog = logfile.log\n"
    return subprocess.run(
        [sys.executable, "-c", begin + code], cwd=PROJECT, capture_output=True, text=True, check=False
    )  # fmt: skip


def test_only_its_owner_can_read_it_whatever_it_was_before(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.touch(0o644)
    assert logged(log, "log.info('here')").returncode == 0
    assert log.read_text().endswith(" INFO here\n")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_it_is_not_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    os.symlink(precious, tmp_path / "log")
    assert logged(tmp_path / "log", "log.info('here')").returncode == 1
    assert precious.read_text() == "precious"


def test_an_error_is_logged_without_its_value_and_so_is_a_thread_that_crashed(tmp_path: Path) -> None:
    thread = f"thread = threading.Thread(target=int, args=({VALUE!r},)); thread.start(); thread.join()"
    said = logged(tmp_path / "log", thread)
    log = (tmp_path / "log").read_text()
    assert "a thread crashed" in log
    assert "ValueError" in log
    assert VALUE not in log + said.stderr


def test_one_entry_and_the_whole_file_are_bounded(tmp_path: Path) -> None:
    log = tmp_path / "log"
    logged(log, f"for _ in range(200): log.info({'x' * 50!r} * 1000)")
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2, "itself and one predecessor"
    assert max(sizes) <= logfile.LIMIT
    assert max(map(len, log.read_text().splitlines())) <= logfile.LONGEST


def test_a_file_that_somebody_else_appends_to_is_emptied_once_it_is_too_large(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x" * logfile.LIMIT)
    large.write_bytes(b"x" * (logfile.LIMIT + 1))
    for path in (small, large, tmp_path / "none"):
        logfile.bound(str(path))
    assert (small.stat().st_size, large.stat().st_size) == (logfile.LIMIT, 0)
