"""Our entries in the text of somebody's settings: everything that was not written by yourturn stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st

from contract.clients.claude import EVENTS
from installer.hooks import entries, settings
from installer.hooks.program import Program
from installer.hooks.settings import UnfitError

WANTED = entries.entries(entries.command_of(Program("/v/bin/python", "/p/hook.py")))
MOVED = entries.entries(entries.command_of(Program("/new place/python", "/p/hook.py")))
OTHERS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}], "Setup": []}}

words = st.text(max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
others_hook = st.fixed_dictionaries(
    {"type": st.just("command"), "command": words}, optional={"timeout": st.integers(1)}
)
groups = st.lists(
    st.fixed_dictionaries({"hooks": st.lists(others_hook, max_size=2)}, optional={"matcher": words}),
    max_size=2,
)
somebodys_hooks = st.dictionaries(st.sampled_from([*EVENTS, "Setup", "FileChanged"]), groups, max_size=3)
somebodys = st.dictionaries(words.filter(lambda key: key != "hooks"), values, max_size=4).flatmap(
    lambda rest: st.one_of(st.just(rest), somebodys_hooks.map(lambda found: {"hooks": found, **rest}))
)
layouts = st.sampled_from([None, 1, 2, 4, "\t"])


def written(value: Any, indent: int | str | None, newline: str, end: str) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text.replace("\n", newline) + end


def without_ours(value: dict[str, Any]) -> dict[str, Any]:
    """What the client sees of everybody else: a group or event without hooks says nothing."""
    found = {
        event: [one | {"hooks": rest} for one in many if (rest := [h for h in one["hooks"] if not entries.is_ours(h)])]
        for event, many in value.get("hooks", {}).items()
    }
    kept = {event: many for event, many in found.items() if many}
    return {**{key: one for key, one in value.items() if key != "hooks"}, **({"hooks": kept} if kept else {})}


@settings_of_hypothesis(max_examples=50, deadline=None)
@given(somebodys, layouts, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n", "\n\n", " "]))
def test_what_goes_in_comes_out_and_leaves_the_text_as_it_was(
    value: dict[str, Any], indent: int | str | None, newline: str, end: str
) -> None:
    text = written(value, indent, newline, end)
    merged = settings.merge(text, WANTED)
    assert without_ours(json.loads(merged)) == without_ours(value)
    assert {one.event for one in entries.found_in(json.loads(merged))} == set(EVENTS)
    assert settings.merge(merged, WANTED) == merged
    assert settings.unmerge(merged, settings.containers(text)) == text


@settings_of_hypothesis(max_examples=50, deadline=None)
@given(somebodys, layouts)
def test_a_moved_interpreter_changes_our_entries_and_nothing_else(
    value: dict[str, Any], indent: int | str | None
) -> None:
    text = written(value, indent, "\n", "\n")
    assert settings.merge(settings.merge(text, WANTED), MOVED) == settings.merge(text, MOVED)


def test_the_indentation_of_the_file_is_taken_up() -> None:
    merged = settings.merge('{\n\t"model": "opus"\n}', WANTED)
    assert merged.startswith('{\n\t"model": "opus",\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{\n\t\t\t\t"hooks": [')
    assert merged.endswith("\n\t}\n}")


def test_every_new_line_of_a_windows_file_ends_as_the_old_ones() -> None:
    merged = settings.merge('{\r\n  "model": "opus"\r\n}\r\n', WANTED)
    assert merged.count("\n") == merged.count("\r\n") > 100


def test_a_file_on_one_line_stays_on_one_line() -> None:
    assert "\n" not in settings.merge('{"model": "opus"}', WANTED)


def test_numbers_and_escapes_stay_as_they_were_written() -> None:
    text = '{"a": 1.0, "b": 1E+2, "c": "\\u00e9\\/", "d": 12345678901234567890123, "e": ' + "7" * 5000 + "}"
    merged = settings.merge(text, WANTED)
    assert merged.startswith(text[:-1] + ", ")
    assert settings.unmerge(merged) == text


def test_our_group_follows_those_of_other_tools() -> None:
    merged = json.loads(settings.merge(json.dumps(OTHERS), WANTED))
    assert list(merged["hooks"])[:2] == ["Stop", "Setup"]
    assert merged["hooks"]["Stop"] == [*OTHERS["hooks"]["Stop"], {"hooks": [WANTED["Stop"]]}]


def test_only_the_exact_mark_makes_an_entry_ours() -> None:
    lookalikes = [
        "hook.py # yourturn-hook2",
        "# yourturn-hook ",
        "yourturn-hook",
        "#yourturn-hook",
        "echo # yourturn-hook\n",
    ]
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": one} for one in lookalikes]}]}})
    assert settings.ours(text) == []
    assert settings.unmerge(text) == text


def test_entries_of_an_older_version_are_updated_in_place_or_go() -> None:
    old = {"type": "command", "command": "old # yourturn-hook"}
    before = {
        "Stop": [{"hooks": [old]}, {"matcher": "x", "hooks": [old, {"type": "command", "command": "a"}]}],
        "Setup": [{"hooks": [old]}],
    }
    merged = json.loads(settings.merge(json.dumps({"hooks": before}, indent=2), WANTED))["hooks"]
    assert merged["Stop"] == [
        {"hooks": [WANTED["Stop"]]},
        {"matcher": "x", "hooks": [{"type": "command", "command": "a"}]},
    ]
    assert "Setup" not in merged


def test_uninstalling_without_memory_prunes_what_became_empty() -> None:
    text = '{\n  "model": "opus"\n}\n'
    assert settings.unmerge(settings.merge(text, WANTED)) == text


def test_a_hook_that_somebody_put_beside_ours_survives() -> None:
    value = json.loads(settings.merge("{}", WANTED))
    value["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "mine"})
    left = json.loads(settings.unmerge(json.dumps(value)))
    assert left == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}


def test_entries_that_a_second_key_hides_are_taken_out_too() -> None:
    hidden = settings.merge("{}", WANTED).strip()
    assert (
        settings.unmerge(f'{{"hooks": {hidden[hidden.index("{", 1) : -1].strip()}, "hooks": {{}}}}') == '{"hooks": {}}'
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}', 2, 3, "Expecting property name"),
        ('{"a": 1', 1, 8, "Expecting"),
        ("[1, 2]", 1, 1, "expects an object"),
        ('\n "text"', 2, 2, "expects an object"),
        ('{"a": "NaN",\n "b": NaN}', 2, 7, "NaN is not JSON"),
        ('{"a": -Infinity}', 1, 7, "-Infinity is not JSON"),
        ('{"a": "tab\there"}', 1, 11, "control character"),
        ('{"a":' + "[" * 100_000, 1, 1, "Nested too deeply"),
        ('{"hooks": []}', 1, 11, '"hooks" is .*, but Claude Code expects an object'),
        ('{"hooks": {"Stop": {}}}', 1, 20, '"Stop" is an object, but Claude Code expects an array'),
        ('{"hooks": null}', 1, 11, '"hooks" is .*, but Claude Code expects an object'),
        ('{"hooks": {},\n "hooks": {}}', 2, 2, 'a second "hooks"'),
        ('{"hooks": {"Stop": [], "Stop": []}}', 1, 24, 'a second "Stop"'),
    ],
)
def test_a_text_that_cannot_be_edited_safely_is_refused_with_its_place(
    text: str, line: int, column: int, why: str
) -> None:
    with pytest.raises(UnfitError, match=why) as refused:
        settings.merge(text, WANTED)
    assert (refused.value.line, refused.value.column) == (line, column)


def test_a_trailing_comma_is_refused_near_its_place() -> None:
    with pytest.raises(UnfitError) as refused:
        settings.merge('{\n  "a": 1,\n}\n\n', WANTED)
    assert refused.value.line in (2, 3)  # newer Pythons point at the comma


@pytest.mark.parametrize(
    "text", ['{"hooks": {"Stop": [7, {"hooks": 3}, {}]}}', '{"hooks": {"Setup": 3}}', '{"env": 1, "env": 2}']
)
def test_odd_things_that_are_not_ours_are_none_of_our_business(text: str) -> None:
    merged = settings.merge(text, WANTED)
    assert len(settings.ours(merged)) == len(WANTED)
    assert settings.unmerge(merged, settings.containers(text)) == text
