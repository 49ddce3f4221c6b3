"""What the tests of doctor get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.installing import Person

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def person(tmp_path: Path) -> Person:
    person = Person(tmp_path)
    assert person.runs("install", "--yes").returncode == 0
    claude = tmp_path / "bin" / "claude"
    claude.parent.mkdir()
    claude.write_text("#!/bin/sh\necho '2.1.325 (Claude Code)'\n")
    claude.chmod(0o755)
    return person
