"""What config.toml means: the defaults, what does not fit, and where the file lies."""

import math
import sys
from pathlib import Path
from typing import Any

import pytest

from statusbar.settings import settings
from statusbar.settings.settings import KEYS, Settings


def test_what_is_not_there_is_the_default_and_what_does_not_fit_is_named() -> None:
    assert settings.settings({}) == Settings()
    found = settings.settings({"notify": {"after_s": "long", "sound": 1, "quiet_from": "25:00"}, "front": "x"})
    assert found == Settings(trouble=found.trouble)
    assert [words.partition(":")[0] for words in found.trouble] == [
        "notify.sound", "notify.after_s", "notify.quiet_from", "front",
    ]  # fmt: skip
    assert settings.settings({"notify": 3}) == Settings()


def test_the_defaults_are_the_same_in_both_places() -> None:
    plain = Settings()
    for name, key in KEYS.items():
        value = getattr(plain, settings.field(name))
        assert (list(value) if isinstance(value, tuple) else value) == key.default
        assert key.fits(key.default)


@pytest.mark.parametrize(
    "value",
    [
        "24:00",
        "12:60",
        "1200",
        "12:5",
        "-1:00",
        "12:000",
        "\u0661\u0662:\u0663\u0664",
        " 1:00",
        "a:bc",
        ":",
        "12:",
        12,
        None,
    ],
)
def test_what_is_no_time_is_refused(value: Any) -> None:
    assert not KEYS["notify.quiet_from"].fits(value)


@pytest.mark.parametrize("value", ["", "0:00", "07:30", "23:59"])
def test_a_time_is_taken(value: str) -> None:
    assert KEYS["notify.quiet_from"].fits(value)


@pytest.mark.parametrize("value", [-1, 86401, float("nan"), -math.inf, True, "5"])
def test_what_is_no_number_of_seconds_is_refused(value: Any) -> None:
    assert not KEYS["notify.after_s"].fits(value)


def test_a_file_that_cannot_be_read_leaves_the_defaults(tmp_path: Path) -> None:
    env = {"YOURTURN_HOME": str(tmp_path)}
    path = tmp_path / "config.toml"
    for content in (b"x = \n", b"\xff\xfe", b"front = '\n"):
        path.write_bytes(content)
        found = settings.load(env)
        assert found == Settings(trouble=found.trouble)
        assert str(path) in found.trouble[0]
    path.unlink()
    path.mkdir()
    assert settings.load(env).trouble


def test_it_lies_where_the_platform_keeps_such_files(tmp_path: Path) -> None:
    assert settings.path({"YOURTURN_HOME": "/x/y"}) == "/x/y/config.toml"
    if sys.platform == "darwin":
        assert settings.path({"HOME": "/h"}) == "/h/Library/Application Support/yourturn/config.toml"
    else:
        assert settings.path({"HOME": "/h"}) == "/h/.config/yourturn/config.toml"
        assert settings.path({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}) == "/c/yourturn/config.toml"
        assert settings.path({"HOME": "/h", "XDG_CONFIG_HOME": "c"}) == "/h/.config/yourturn/config.toml"


def test_on_a_mac_it_lies_with_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert settings.path({"HOME": "/h"}) == "/h/Library/Application Support/yourturn/config.toml"
