"""Each situation that other tools got wrong has a test whose name says its number."""

import re
from pathlib import Path

HERE = Path(__file__).parent
# Tried on the real client, so proven end to end.
WITH_THE_CLIENT = {1, 2, 3, 4, 5, 6, 7, 9, 10, 14, 15, 19, 22, 25, 26, 28, 29, 31, 33, 34, 37, 38, 41, 42, 44, 48}


def cases(*patterns: str) -> set[int]:
    found = set()
    for pattern in patterns:
        for path in HERE.glob(pattern):
            for name in re.findall(r"def test_\w*?cases?_((?:\d+_|and_)+)", path.read_text()):
                found |= {int(number) for number in re.findall(r"\d+", name)}
    assert found, "looked at nothing"
    return found


def test_every_case_from_1_to_51_is_tested_without_the_client() -> None:
    assert set(range(1, 52)) - cases("test_*.py") == set()


def test_every_case_seen_on_the_real_client_is_tested_with_it() -> None:
    assert WITH_THE_CLIENT - cases("e2e/test_*.py") == set()
