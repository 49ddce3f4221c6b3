"""The stream that commands print to."""

from pathlib import Path

import pytest

from support.showing import STATUSBAR, put, run, session, terminal


@pytest.mark.parametrize(
    ("words", "closed", "said"),
    [
        ("top", "<&-", "top needs a terminal"),
        ("top", ">&-", "top needs a terminal"),
        ("status", ">&-", "the standard output is closed"),
        ("status --json --watch", ">&-", "the standard output is closed"),
        ("line --follow", ">&-", "the standard output is closed"),
        ("explain", ">&-", "the standard output is closed"),
    ],
)
def test_a_closed_stream_is_an_error_in_words(words: str, closed: str, said: str, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    with terminal(tmp_path, tmp_path) as one:
        one.start("sh", "-c", f'exec "$@" {closed}', "sh", *STATUSBAR, *words.split())
        found = one.until(f"yourturn: {said}", "left with 1")
    assert "Traceback" not in found


@pytest.mark.parametrize(
    ("env", "is_colourful"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
    ],
)
def test_a_pipe_gets_colours_only_if_it_is_told_so(env: dict[str, str], is_colourful: bool, tmp_path: Path) -> None:
    put(tmp_path, session("a"))
    assert ("\x1b[" in run(tmp_path, "explain", **env).stdout) == is_colourful
