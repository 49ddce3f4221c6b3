"""docs/CASES.md: each situation that tools of this kind got wrong names the tests that hold it."""

import re
from typing import NamedTuple

import pytest

from support.project import PROJECT

ROW = re.compile(r"^\| (\d+)( ●)? \|.*\| ([^|]*) \|$", re.MULTILINE)
LINK = re.compile(r"\[(test_\w+)\]\(\.\./(tests/[\w/]+\.py)\)")
OPEN = "*open*"


class Case(NamedTuple):
    number: int
    is_seen: bool  # on the real client
    tests: list[tuple[str, str]]  # name and file
    words: str


def cases() -> list[Case]:
    rows = ROW.findall((PROJECT / "docs/CASES.md").read_text(encoding="utf-8"))
    return [Case(int(number), bool(seen), LINK.findall(words), words) for number, seen, words in rows]


def test_the_cases_are_numbered_without_a_gap() -> None:
    assert [case.number for case in cases()] == list(range(1, 88))


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.number))
def test_a_case_names_tests_that_exist_or_says_that_it_is_open(case: Case) -> None:
    assert case.tests or case.words == OPEN
    for name, path in case.tests:
        assert f"def {name}(" in (PROJECT / path).read_text(encoding="utf-8"), f"{path} has no {name}"


@pytest.mark.parametrize("case", [case for case in cases() if case.is_seen], ids=lambda case: str(case.number))
def test_a_case_that_was_seen_on_the_real_client_is_tested_with_it(case: Case) -> None:
    assert any("/e2e/" in path for _, path in case.tests)
