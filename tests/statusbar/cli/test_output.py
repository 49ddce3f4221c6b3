"""The stream that commands print to."""

from pathlib import Path

import pytest

from support.showing import STATUSBAR, put, session, terminal


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
