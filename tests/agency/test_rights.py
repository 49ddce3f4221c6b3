"""A child may do what its parent may, or less."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agency.rights import EVERYTHING, ExceededError, Rights, inherited

TOOLS = ["Bash", "Bash(git log:*)", "Read", "Edit", "WebFetch"]
some = st.lists(st.sampled_from(TOOLS), max_size=3)


@pytest.mark.parametrize(
    ("parent", "allow", "deny", "expected"),
    [
        (EVERYTHING, None, [], EVERYTHING),
        (EVERYTHING, ["Read"], ["Bash"], Rights(("Read",), ("Bash",))),
        (Rights(("Read", "Bash")), None, ["Bash"], Rights(("Read",), ("Bash",))),
        (Rights(("Bash",)), ["Bash(git log:*)"], [], Rights(("Bash(git log:*)",))),
        (Rights(None, ("Bash",)), None, ["Edit"], Rights(None, ("Bash", "Edit"))),
    ],
    ids=["nothing said", "first of its family", "less", "a part of a tool", "what is denied stays denied"],
)
def test_what_a_child_gets(parent: Rights, allow: list[str] | None, deny: list[str], expected: Rights) -> None:
    assert inherited(parent, allow, deny) == expected


@pytest.mark.parametrize(
    ("parent", "asked"),
    [
        (Rights(("Read",)), "Bash"),
        (Rights(("Bash(git log:*)",)), "Bash"),
        (Rights(None, ("Bash",)), "Bash"),
        (Rights(None, ("Bash",)), "Bash(git log:*)"),
    ],
    ids=["not on the list", "more than a part", "denied", "a part of what is denied"],
)
def test_to_ask_for_more_than_the_parent_has_is_refused_with_the_tool(parent: Rights, asked: str) -> None:
    with pytest.raises(ExceededError) as refusal:
        inherited(parent, [asked], [])
    assert asked in str(refusal.value)


@given(allow=st.none() | some, deny=some, wanted=st.none() | some, refused=some, tool=st.sampled_from(TOOLS))
def test_no_child_ever_has_what_its_parent_has_not(
    allow: list[str] | None, deny: list[str], wanted: list[str] | None, refused: list[str], tool: str
) -> None:
    parent = Rights(None if allow is None else tuple(allow), tuple(deny))
    try:
        child = inherited(parent, wanted, refused)
    except ExceededError:
        return
    assert parent.has(tool) or not child.has(tool)
