"""A Chromium that does not come up, or not soon: it is waited for, and nothing of it stays."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import psutil
import pytest

from bench import browser
from bench.browser import Browser, BrowserError
from support.needs import need
from support.patience import until

if TYPE_CHECKING:
    from pathlib import Path


def instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """A Chromium that does this."""
    need(*browser.PROGRAMS)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "chromium"
    program.write_text("\n".join(["#!/bin/sh", f"echo $$ >{tmp_path}/pid", *lines, ""]))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")


def test_how_long_the_driver_waits_for_it_is_up_to_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself it would wait for a minute, and hear of its end after half of that."""
    monkeypatch.setattr(browser, "START_S", 0.1)
    instead(tmp_path, monkeypatch, "exec sleep 30")
    with pytest.raises(BrowserError, match="DevToolsActivePort file doesn't exist"), Browser():
        pass


def test_who_is_interrupted_while_it_starts_leaves_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(tmp_path, monkeypatch, f"kill -{signal.SIGINT.value} {os.getpid()}", "exec sleep 3600")
    with pytest.raises(KeyboardInterrupt), Browser():
        pass
    pid = int((tmp_path / "pid").read_text())
    until(lambda: not psutil.pid_exists(pid), "its end")
