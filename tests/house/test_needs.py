"""What a test needs and a machine lacks."""

from pathlib import Path

import pytest

from support import needs
from support.needs import REQUIRED, missing, need


@pytest.mark.parametrize("program", REQUIRED)
def test_what_is_missing_is_skipped_loudly_or_required(
    program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(needs, "SERVERS", str(tmp_path))
    for name in REQUIRED.values():
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"NOT TESTED, missing here: {program}"):
        need(program)
    monkeypatch.setenv(REQUIRED[program], "1")
    with pytest.raises(pytest.fail.Exception, match=f"{program} is missing"):
        need(program)
    with pytest.raises(pytest.skip.Exception):
        need("some-other-program")


def test_a_reason_to_skip_names_what_is_missing() -> None:
    with pytest.raises(pytest.skip.Exception) as skipped:
        need("no-such-program", "nor-this-one")
    assert missing(f"('x.py', 25, 'Skipped: {skipped.value}')") == ["no-such-program", "nor-this-one"]
    assert missing("Skipped: it has no X11") == []
