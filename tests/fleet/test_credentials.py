"""The file with user and password: private, and never quoted."""

from pathlib import Path

import pytest

from fleet import credentials
from fleet.credentials import Credentials, Unusable

HIDDEN = "hunter2"


def file(folder: Path, text: str, mode: int = 0o600) -> str:
    made = folder / "credentials.toml"
    made.write_text(text)
    made.chmod(mode)
    return str(made)


def test_user_and_password_are_read(tmp_path: Path) -> None:
    path = file(tmp_path, f'user = "box"\npassword = "{HIDDEN}"\n')
    assert credentials.read(path) == Credentials("box", HIDDEN)


def test_no_file_means_that_we_say_nothing_of_ourselves() -> None:
    assert credentials.read("") == Credentials()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666, 0o660])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(Unusable, match="chmod 600"):
        credentials.read(file(tmp_path, f'password = "{HIDDEN}"', mode))


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    for name, mode in (("box.crt", 0o644), ("box.key", 0o644)):
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(mode)
    path = file(tmp_path, f'certificate = "{tmp_path}/box.crt"\nkey = "{tmp_path}/box.key"\n')
    with pytest.raises(Unusable, match=r"box\.key"):
        credentials.read(path)


@pytest.mark.parametrize(
    "text",
    [f'password = "{HIDDEN}', HIDDEN, f'pass = "{HIDDEN}"', "", f"[{HIDDEN}]\nuser = 1", f'user = ["{HIDDEN}"]',
     f'user = "a"\nuser = "{HIDDEN}"', "\udcff"],
)  # fmt: skip
def test_what_cannot_be_read_is_not_quoted(tmp_path: Path, text: str) -> None:
    made = tmp_path / "credentials.toml"
    made.write_bytes(text.encode("utf-8", "surrogateescape"))
    made.chmod(0o600)
    with pytest.raises(Unusable) as caught:
        credentials.read(str(made))
    assert str(made) in str(caught.value)
    assert HIDDEN not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(Unusable, match=str(path)):
            credentials.read(str(path))


def test_credentials_do_not_show_themselves() -> None:
    assert HIDDEN not in repr(Credentials("box", HIDDEN)) + str(Credentials("box", HIDDEN))
