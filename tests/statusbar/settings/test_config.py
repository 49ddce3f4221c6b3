"""`yourturn config`: the settings, shown and changed without losing a word of the file."""

import os
import threading
import tomllib
from pathlib import Path

import pytest

from statusbar.settings import settings
from statusbar.settings.settings import Settings
from support.command import yourturn
from support.config_files import FULL
from support.showing import environ


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
