"""`yourturn config`: a small TOML file, shown and changed without losing a word of it."""

import math
import os
import sys
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statusbar.settings import settings, toml
from statusbar.settings.settings import KEYS, Settings
from support.command import yourturn
from support.showing import environ

FULL = """\
# mine
front = "terminal" # the best
other = 1979-05-27T07:32:00Z

[notify]
  enabled = true   # yes
mute = [
  "/a", # one
  "/b",
]
strange = '''
sound = true
[front]
'''

[[servers]]
sound = "x"
[notify.more]
sound = 3
"""


# The text


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("front", "tray", 'front = "tray" # the best'),
        ("notify.enabled", False, "  enabled = false   # yes"),
        ("notify.mute", ["/c"], 'mute = ["/c"]'),
        ("notify.sound", True, "sound = true"),
    ],
)
def test_one_value_is_changed_and_every_other_word_stays(name: str, value: Any, line: str) -> None:
    found = toml.changed(FULL, name, value)
    assert line in found.splitlines()
    assert settings.look_up(tomllib.loads(found), name, None) == value
    touched = (name.rpartition(".")[2], "/a", "/b", "]")
    kept = [one for one in FULL.splitlines() if not any(word in one for word in touched)]
    assert [one for one in found.splitlines() if one in kept] == kept
    for other in set(KEYS) - {name}:
        assert settings.look_up(tomllib.loads(found), other, 0) == settings.look_up(tomllib.loads(FULL), other, 0)


@pytest.mark.parametrize("text", ["", "front = 'tray'\n", "[notify]\nsound = true\n"])
def test_what_was_never_chosen_is_taken_back_without_a_trace(text: str) -> None:
    assert toml.changed(text, "notify.mute", None) == text


def test_a_value_is_taken_back() -> None:
    found = tomllib.loads(toml.changed(FULL, "notify.mute", None))
    assert "mute" not in found["notify"]
    assert found["notify"]["strange"] == "sound = true\n[front]\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[notify]\nsound = true\n"),
        ("a = 1\n", "a = 1\n\n[notify]\nsound = true\n"),
        ("[notify]\n", "[notify]\nsound = true\n"),
        ("[ notify ] # us\nenabled = true", "[ notify ] # us\nenabled = true\nsound = true\n"),
        ("x = nan\n[notify]\n", "x = nan\n[notify]\nsound = true\n"),
        ("notify.enabled = true\nnotify.sound = false\n", "notify.enabled = true\nnotify.sound = true\n"),
        ("notify.'sound' = false\r\n", "notify.'sound' = true\r\n"),
    ],
)
def test_a_new_value_finds_its_table_however_it_is_written(before: str, after: str) -> None:
    assert toml.changed(before, "notify.sound", True) == after


def test_a_table_in_one_line_can_be_changed() -> None:
    found = toml.changed("notify = {enabled = true} # us\n", "notify.sound", True)
    assert tomllib.loads(found) == {"notify": {"enabled": True, "sound": True}}
    assert found.endswith("} # us\n")


def test_a_top_level_value_is_put_before_all_tables() -> None:
    assert tomllib.loads(toml.changed("[notify]\nsound = true\n", "front", "tray")) == {
        "front": "tray",
        "notify": {"sound": True},
    }


@pytest.mark.parametrize(
    "text",
    ["notify = 3\n", "[[notify]]\nsound = true\n", f"deep = {'[' * 200}{']' * 200}\n"],
    ids=["no table", "many tables", "nested deeply"],
)
def test_what_cannot_be_changed_by_a_program_is_refused(text: str) -> None:
    with pytest.raises(toml.Stubborn):
        toml.changed(text, "notify.sound", True)


def test_what_is_so_already_is_left_alone() -> None:
    assert toml.changed(FULL, "front", "terminal") == FULL
    assert toml.changed("[notify]\nafter_s = 1\n", "notify.after_s", 1) == "[notify]\nafter_s = 1\n"


@given(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_every_text_comes_back_as_it_was(text: str, texts: list[str]) -> None:
    found = toml.changed(toml.changed(FULL, "notify.quiet_from", text), "notify.mute", texts)
    assert tomllib.loads(found)["notify"]["quiet_from"] == text
    assert tomllib.loads(found)["notify"]["mute"] == texts


# The values


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


# The command


def test_all_settings_are_shown_as_a_file_that_would_mean_the_same(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(FULL)
    found = yourturn(tmp_path, "config")
    assert found.returncode == 0
    assert found.stdout.startswith(f"# {tmp_path}/config.toml\n")
    assert settings.settings(tomllib.loads(found.stdout)) == settings.settings(tomllib.loads(FULL))
    assert "# notify.after_s = 60" in found.stdout, "what was not chosen is a comment"


def test_what_is_no_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(FULL + "['notify.sound']\n['\\u001b[31m']\n".replace("'", '"'))
    found = yourturn(tmp_path, "config", "front")
    assert (found.returncode, found.stdout) == (0, '"terminal"\n')
    unknown = ("other", "notify.strange", "notify.more", "servers", "notify.sound", "[31m")
    assert found.stderr == "".join(f"yourturn: {name}: there is no such setting\n" for name in unknown)
    assert settings.remarks({"notify": 3}) == ["notify: there is no such setting"]
    assert settings.remarks({"notify": {"sound": True}, "front": "tray"}) == []


def test_half_of_the_quiet_hours_is_said_to_be_no_use(tmp_path: Path) -> None:
    found = yourturn(tmp_path, "config", "notify.quiet_from", "22:00")
    assert (found.returncode, found.stdout) == (0, '"22:00"\n')
    assert found.stderr == ("yourturn: notify.quiet_from has no effect until notify.quiet_to is set too\n")
    assert yourturn(tmp_path, "config", "notify.quiet_to", "7:00").stderr == ""
    found = yourturn(tmp_path, "config", "notify.quiet_from", "default")
    assert "notify.quiet_to has no effect until notify.quiet_from is set too" in found.stderr


def test_how_several_folders_are_given_is_said_in_the_list_and_in_the_help(tmp_path: Path) -> None:
    (line,) = [line for line in yourturn(tmp_path, "config").stdout.splitlines() if "notify.mute " in line]
    assert line.endswith("folders; separate several by a colon")
    assert "notify.mute are separated by a colon, such as ~/one:~/two" in " ".join(
        yourturn(tmp_path, "config", "--help").stdout.split()
    )


@pytest.mark.parametrize(
    ("name", "word", "shown"),
    [
        ("notify.enabled", "off", "false"),
        ("notify.sound", "TRUE", "true"),
        ("notify.after_s", "90", "90"),
        ("notify.after_s", "2.5", "2.5"),
        ("notify.after_s", "never", "inf"),
        ("notify.quiet_from", "22:30", '"22:30"'),
        ("notify.quiet_to", "", '""'),
        ("notify.mute", "/a:~/b", '["/a", "{home}/b"]'),
        ("notify.mute_clients", "opencode, qwen", '["opencode", "qwen"]'),
        ("front", "terminal", '"terminal"'),
    ],
)
def test_a_setting_is_changed_and_stays_so(name: str, word: str, shown: str, tmp_path: Path) -> None:
    home = tmp_path / "not" / "there"
    changed = yourturn(home, "config", name, word)
    wanted = shown.replace("{home}", os.environ["HOME"]) + "\n"
    assert (changed.returncode, changed.stdout) == (0, wanted)
    assert yourturn(home, "config", name).stdout == wanted
    assert [one.name for one in home.iterdir()] == ["config.toml"]
    assert oct((home / "config.toml").stat().st_mode & 0o777) == "0o600"
    assert yourturn(home, "config", name, "default").returncode == 0
    assert settings.settings(tomllib.loads((home / "config.toml").read_text())) == Settings()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nonsense",), "no setting 'nonsense'. The settings are: notify.enabled, "),
        (("nonsense", "1"), "no setting 'nonsense'"),
        (("\x1b[31m",), "no setting '[31m'"),
        (("notify.enabled", "perhaps"), "notify.enabled cannot be 'perhaps'; it must be on or off"),
        (("notify.after_s", "long"), "notify.after_s cannot be 'long'; it must be a number of seconds"),
        (("notify.quiet_to", "25:00"), "it must be a time such as 22:30"),
        (("notify.mute", '["x"]'), "it must be folders separated by a colon, such as ~/one:~/two"),
        (("front", "Front"), "front cannot be 'Front'; it must be one of auto, menubar, tray, terminal"),
    ],
)
def test_what_is_not_known_is_refused_with_what_is(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, "config", *words)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("yourturn: ")
    assert said in found.stderr
    assert not (tmp_path / "config.toml").exists()


@pytest.mark.parametrize("words", [(), ("front",), ("front", "tray")])
def test_a_broken_file_is_named_with_its_line_and_left_as_it_is(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("front = 'tray'\nnotify = [\nx\n")
    found = yourturn(tmp_path, "config", *words)
    assert (found.returncode, found.stdout) == (1, "")
    assert f"{path} is not valid TOML and was not changed" in found.stderr
    assert "line 3" in found.stderr
    assert path.read_text() == "front = 'tray'\nnotify = [\nx\n"


def test_a_value_that_does_not_fit_is_complained_about(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("front = 'nowhere'\n")
    found = yourturn(tmp_path, "config", "front")
    assert (found.returncode, found.stdout) == (0, '"auto"\n')
    assert "'nowhere' is not one of auto, menubar, tray, terminal; the default is used" in found.stderr


def test_a_form_that_only_a_person_can_change_is_left_to_one(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("notify = 3\n")
    found = yourturn(tmp_path, "config", "notify.sound", "on")
    assert found.returncode == 1
    assert [one.name for one in tmp_path.iterdir()] == ["config.toml"], "the lock was left behind"
    assert "edit the file by hand" in found.stderr
    assert path.read_text() == "notify = 3\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "yourturn.toml"
    real.parent.mkdir()
    real.write_text("# mine\n")
    (tmp_path / "config.toml").symlink_to(real)
    assert yourturn(tmp_path, "config", "front", "tray").returncode == 0
    assert (tmp_path / "config.toml").is_symlink()
    assert real.read_text() == '# mine\nfront = "tray"\n'


def test_those_who_change_at_the_same_moment_lose_nothing(tmp_path: Path) -> None:
    changes = {"front": "tray", "notify.sound": "on", "notify.after_s": "7", "notify.quiet_to": "8:00"}
    threads = [threading.Thread(target=yourturn, args=(tmp_path, "config", *pair)) for pair in changes.items()]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found = settings.load(environ(tmp_path))
    assert (found.front, found.sound, found.after_s, found.quiet_to) == ("tray", True, 7, "8:00")


# The sound


@pytest.mark.parametrize(
    ("word", "value"),
    [("on", "true"), ("Off", "false"), ("1", "true"), ("bell-terminal", '"bell-terminal"'), ("Ping", '"Ping"')],
)
def test_a_sound_is_on_or_off_or_has_a_name(word: str, value: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, "config", "notify.sound", word)
    assert (found.returncode, found.stdout) == (0, f"{value}\n")


@pytest.mark.parametrize("word", ["ture", "../x-y", "bell-terminal\n", "x-" * 40, "a-b; rm", ""])
def test_what_cannot_be_a_sound_is_refused_with_an_example(word: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, "config", "notify.sound", word)
    assert found.returncode == 2
    assert "it must be on, off or the name of a sound, such as bell-terminal (on macOS: Ping)" in found.stderr
    assert not (tmp_path / "config.toml").exists()


def test_a_sound_in_the_file_that_is_none_is_off_and_named() -> None:
    found = settings.settings({"notify": {"sound": 3}})
    assert found.sound is False
    assert found.trouble == (
        "notify.sound: '3' is not on, off or the name of a sound, such as bell-terminal (on macOS: Ping)",
    )
    assert settings.settings({"notify": {"sound": "bell-terminal"}}).sound == "bell-terminal"
