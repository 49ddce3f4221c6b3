"""Settings with comments: our entries come and go, and nobody else's character does."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer.clients import qwen
from installer.hooks import settings
from installer.hooks.jsoncomments import blanked
from installer.hooks.program import Program

EDITOR = qwen.editor(Program("/v/bin/python", "/p/hook.py"))
TEXTS = {
    "behind the last item": '{\n  "a": 1 // why\n}\n',
    "behind the last item, as a block": '{\n  "a": 1 /* why */\n}\n',
    "a block that ends on another line": '{\n  "a": 1 /* why\n  not */\n}\n',
    "before the first item": '{ // these\n  "a": 1\n}\n',
    "in an empty object": "{\n  // nothing\n}\n",
    "in an empty object on one line": "{ /* nothing */ }",
    "in empty hooks": '{\n  "hooks": {\n    // none\n  },\n  "a": 1\n}\n',
    "on one line": '{"a": 1 /* why */}',
    "between items": '{\n  "a": 1, // one\n  // two\n  "b": 2\n}\n',
    "before a comma": '{\n  "a": 1 // one\n  , "b": 2\n}\n',
    "before and after it all": '// mine\n{\n  "a": 1\n} // end\n',
    "in an event of others": '{\n  "hooks": {\n    "Stop": [ // stops\n      {"hooks": []} // x\n    ] // y\n  }\n}\n',
    "what looks like one": '{\n  "url": "https://x/*y*/", "q": "\\"// no"\n}\n',
    "Windows line ends": '{\r\n  "a": 1 // why\r\n}\r\n',
    "on one line, and then a break": '{"a": 1 // why\n}',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_last_text_equals_the_first(text: str) -> None:
    merged = EDITOR.put(text)
    assert set(EDITOR.parts(merged)) == set(EDITOR.names)
    assert EDITOR.put(merged) == merged
    assert (
        settings.parse(merged, qwen.SHAPE).items()
        >= {key: value for key, value in settings.parse(text, qwen.SHAPE).items() if key != "hooks"}.items()
    )
    assert said(merged) == said(text)
    left = EDITOR.take(merged, text)
    assert left is not None
    assert settings.parse(left, qwen.SHAPE) == settings.parse(text, qwen.SHAPE)
    assert said(left) == said(text)
    assert left.split() == text.split()


@pytest.mark.parametrize("name", [name for name in TEXTS if "one line" not in name])
def test_also_its_spaces_are_the_same(name: str) -> None:
    assert EDITOR.take(EDITOR.put(TEXTS[name]), TEXTS[name]) == TEXTS[name]


def said(text: str) -> list[str]:
    """The comments, in order: what is not blank in the text, but is in the blanked one."""
    return [
        part
        for part in "".join(a if a != b else "\0" for a, b in zip(text, blanked(text), strict=True)).split("\0")
        if part
    ]


def test_a_comment_before_the_only_item_does_not_swallow_what_follows() -> None:
    entry = json.dumps(EDITOR.parts(EDITOR.put(""))["Stop"][0])
    text = '{"a": 1, "hooks": {"Stop": [ // mine\n' + entry.join(['{"hooks": [', "]}"]) + "]}}"
    assert EDITOR.take(text, '{"hooks": {"Stop": []}}') == '{"a": 1, "hooks": {"Stop": [ // mine\n]}}'


def test_a_comment_is_blanked_and_nothing_moves() -> None:
    text = '{"a": "//", /* b\r\n */ "c": 1} // d'
    assert blanked(text) == '{"a": "//",     \r\n    "c": 1}     '
    assert json.loads(blanked(text)) == {"a": "//", "c": 1}


REFUSED = {
    "a comma before a closing bracket": ('{\n  "a": 1,\n}\n', 3, "no comma before a closing bracket"),
    "a comment without an end": ('{\n  "a": 1 /* x\n}\n', 2, "comments may stay"),
    "nothing but a comment": ("// nothing\n", 2, "comments may stay"),
    "two hooks keys": ('{"hooks": {},\n"hooks": {} // x\n}', 2, "merge it with the first"),
}


@pytest.mark.parametrize(("text", "line", "remedy"), REFUSED.values(), ids=REFUSED)
def test_what_the_client_could_not_read_either_is_refused(text: str, line: int, remedy: str) -> None:
    with pytest.raises(settings.UnfitError) as refused:
        EDITOR.put(text)
    assert (refused.value.line, remedy in refused.value.remedy) == (line, True)


SPACES = st.lists(st.sampled_from([" ", "\n", "  ", "// c\n", "/* c */", "/*\n*/", "\t"]), max_size=3).map("".join)


@st.composite
def commented(draw: st.DrawFn) -> str:
    """A valid text with comments wherever they may be."""
    value = draw(
        st.dictionaries(
            st.sampled_from(["a", "hooks", "//"]),
            st.dictionaries(st.sampled_from(["Stop", "x"]), st.just([{"hooks": [{"command": "x"}]}]), max_size=2),
            max_size=3,
        )
    )
    tokens = json.JSONEncoder(separators=("\0,\0", "\0:\0")).encode(value).replace("{", "{\0").replace("}", "\0}")
    return "".join(part + draw(SPACES) for part in tokens.replace("[", "[\0").replace("]", "\0]").split("\0"))


@given(commented())
def test_wherever_comments_are_they_stay_and_the_values_come_back(text: str) -> None:
    merged = EDITOR.put(text)
    assert set(EDITOR.parts(merged)) == set(EDITOR.names)
    assert EDITOR.put(merged) == merged
    left = EDITOR.take(merged, text)
    assert left is not None
    assert settings.parse(left, qwen.SHAPE) == settings.parse(text, qwen.SHAPE)
    assert said(left) == said(text)
