"""Where the project and its tests are."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent.parent
PROJECT = TESTS.parent
