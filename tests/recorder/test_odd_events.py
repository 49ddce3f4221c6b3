"""Events that no client means, but that a tool's input can make: recorded as far as they can be read."""

import json
from pathlib import Path
from typing import Any

import pytest

from contract import wire
from support.builders import call, event, facts_in, run_hook

DEEP = 100_000  # deeper than any Python reads


def deep(told: dict[str, Any], levels: int) -> bytes:
    """The event with an input that is nested so deeply; brackets and quotes in a text are no nesting."""
    given = f'{{"note": "a \\"]}} b", "deep": {"[" * levels}{"]" * levels}}}'
    return json.dumps({**told, "tool_input": "MARK"}).replace('"MARK"', given).encode()


@pytest.mark.parametrize("levels", [900, 985, 1000, 5000, 100_000])
def test_a_call_whose_input_is_nested_too_deeply_is_recorded_and_asked_for(levels: int, tmp_path: Path) -> None:
    run_hook(tmp_path, deep(call("PreToolUse", "t"), levels))
    run_hook(tmp_path, deep(event("PermissionRequest", tool_name="Bash"), levels))
    fact = facts_in(tmp_path)["main"]
    assert [(name, one.name, bool(one.asked)) for name, one in fact.calls.items()] == [("t", "Bash", True)]


@pytest.mark.parametrize("digits", [4300, 5000, 100_000])
def test_a_call_with_a_number_of_thousands_of_digits_is_recorded(digits: int, tmp_path: Path) -> None:
    plain = json.dumps(call("PreToolUse", "t", given={"command": "npm test", "n": "MARK"}))
    run_hook(tmp_path, plain.replace('"MARK"', "7" * digits).encode())
    fact = facts_in(tmp_path)["main"]
    assert [(one.name, one.target) for one in fact.calls.values()] == [("Bash", "npm test")]


@pytest.mark.parametrize(
    "text", ["[" * DEEP, "[" * DEEP + "]" * DEEP, '{"a": ' + "[" * DEEP, "{" * DEEP, '{"a": [7, ' * DEEP]
)
def test_what_is_nested_too_deeply_and_is_no_event_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|nested|Expecting"):
        wire.decode(text.encode())


def test_of_an_object_only_what_is_nested_too_deeply_is_lost() -> None:
    deepest = "[" * DEEP + "]" * DEEP
    text = f' {{ "a" : {deepest} , "b":{{"c": "]}}"}}, "d" : 7, "e": {deepest}}} '
    assert wire.decode(text.encode()) == {"a": None, "b": {"c": "]}"}, "d": 7, "e": None}
