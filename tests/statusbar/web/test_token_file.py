"""The token in a file: made once, the same from then on, and for nobody else to read."""

import os
import stat
from pathlib import Path

import pytest

from statusbar.system.secret_file import Unfit
from statusbar.web.token_file import token


def test_it_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "token"
    made = token(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token(str(path)) == made
    assert path.read_text() == made + "\n"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_one_that_others_can_read_or_change_is_refused_with_the_remedy(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "token"
    made = token(str(path))
    path.chmod(mode)
    with pytest.raises(Unfit, match=f"chmod 600 {path}") as refused:
        token(str(path))
    assert made not in str(refused.value)


@pytest.mark.parametrize("text", ["", "short", "a" * 201, "with blanks in between it all", "é" * 30, "\0" * 30])
def test_what_is_no_token_is_refused_and_stays(text: str, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(Unfit, match="holds no token"):
        token(str(path))
    assert path.read_text() == text


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    made = tmp_path / "token"
    token(str(made))
    (tmp_path / "link").symlink_to(made)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in ("link", "pipe", "."):
        with pytest.raises(Unfit, match="not a plain file"):
            token(str(tmp_path / name))


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        token(str(tmp_path / "no" / "token"))
    assert not (tmp_path / "no").exists()
