"""The first call to a host: whether it answers, and in which words."""

from pathlib import Path

import pytest

from fleet import first_call
from fleet.sources import Source
from support.collecting import script

ANSWER = '{"v": 1, "version": "2.0", "sessions": [{}, {}]}'


def call(path: Path, code: str, program: str = "") -> first_call.Answer:
    return first_call.call(Source("box", script(path / "far.py", code), program))


def test_its_version_and_its_sessions(tmp_path: Path) -> None:
    assert call(tmp_path, f"print({ANSWER!r})").words == "yourturn 2.0 answers, 2 sessions."


def test_a_greeting_comes_first(tmp_path: Path) -> None:
    assert call(tmp_path, f"print('Welcome!'); time.sleep(0.1); print({ANSWER!r})").is_there


def test_it_is_looked_for_where_it_may_be(tmp_path: Path) -> None:
    found = call(tmp_path, f"sys.exit(127) if sys.argv[1] == 'yourturn' else print({ANSWER!r})")
    assert found.is_there


def test_a_program_that_was_named_is_the_only_one_that_is_tried(tmp_path: Path) -> None:
    found = call(tmp_path, "print(*sys.argv[1:], file=sys.stderr); sys.exit(1)", "uv run yourturn")
    assert found == first_call.Answer(is_there=False, why="uv run yourturn status --json")


@pytest.mark.parametrize("printed", ["", "hello", "[]", "{}", '{"sessions": 7}', "[" * 9999])
def test_garbage_is_no_answer(printed: str, tmp_path: Path) -> None:
    found = call(tmp_path, f"print({printed!r}); print('why not', file=sys.stderr)")
    assert found == first_call.Answer(is_there=False, why="why not")


def test_hostile_words_are_clean(tmp_path: Path) -> None:
    answer = '{"v": 1, "version": "\\u001b[31m", "sessions": []}'
    assert call(tmp_path, f"print({answer!r})").words.isprintable()
