"""How far a long look has come."""

from __future__ import annotations

import io

import pytest

from usage import progress
from usage.progress import ERASE, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER_S", 0.0)


def test_a_terminal_is_told_on_one_line_that_is_gone_at_the_end() -> None:
    stream = Terminal()
    with Progress(stream) as told:
        told(1_500_000, 1_234_000_000)
    assert stream.getvalue() == f"{ERASE}Counting transcripts: 1 of 1,234 MB{ERASE}"


def test_nobody_else_is_told() -> None:
    stream = io.StringIO()
    with Progress(stream) as told:
        told(1, 2)
    assert stream.getvalue() == ""


def test_a_short_look_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER_S", 3600.0)
    stream = Terminal()
    with Progress(stream) as told:
        told(1, 2)
    assert stream.getvalue() == ""
