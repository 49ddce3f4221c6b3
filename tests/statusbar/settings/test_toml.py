"""The text of config.toml: one value is changed, and every other word stays."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statusbar.settings import settings, toml
from statusbar.settings.settings import KEYS
from support.config_files import FULL


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
