"""Whom a word on the command line names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model import ids, targets
from statusbar.model.snapshot import Statuses
from statusbar.model.targets import Ambiguous, NoSuchTarget
from support.showing import HOSTILE, agent, hostile, session, statuses

KNOWN = statuses(session("aab", name="web"), session("aac", name="api"), session("x", name="apiary", hidden=True))
FAMILY = statuses(
    session(
        "9df7420c",
        name="shop",
        agents=(
            agent(),
            agent("a1f0aa", type="Explore"),
            agent("a1f0bb", type="Explore", state="joined"),
            agent("b2e1", kind="teammate", name="tester"),
        ),
    ),
    session("9df8", name="api"),
)


def found(there: Statuses, word: str) -> list[tuple[str, str]]:
    return [target.key for target in targets.find(there, word)]


@pytest.mark.parametrize(("wanted", "id_"), [("aab", "aab"), ("w", "aab"), ("api", "aac"), ("apia", "x"), ("x", "x")])
def test_a_session_is_found_by_the_beginning_of_its_id_or_name_and_a_whole_name_wins(wanted: str, id_: str) -> None:
    assert found(KNOWN, wanted) == [(id_, "")]


@pytest.mark.parametrize("wanted", ["aa", "ap"])
def test_a_word_that_fits_several_is_ambiguous_with_exit_code_three(wanted: str) -> None:
    with pytest.raises(Ambiguous, match=f"'{wanted}' matches several") as refused:
        targets.find(KNOWN, wanted)
    assert refused.value.exit_code == 3
    assert "  aac  api  working" in str(refused.value)


@pytest.mark.parametrize("wanted", ["zz", "", "/", "aab/zz", "@nobody", "shop/"])
def test_a_word_that_fits_nobody_names_those_who_are_there_with_exit_code_two(wanted: str) -> None:
    with pytest.raises(NoSuchTarget, match=f"no session or agent '{wanted}' found. Running sessions:") as refused:
        targets.find(KNOWN, wanted)
    assert refused.value.exit_code == 2
    assert "  aac  api  working" in str(refused.value)


def test_that_nobody_knows_is_not_said_as_if_there_were_nobody() -> None:
    with pytest.raises(NoSuchTarget, match=r"may be out of date \(state unknown\). Last known sessions:\n  aab  web"):
        targets.find(KNOWN, "zz", unknown="state unknown")
    with pytest.raises(NoSuchTarget, match=r"found: no agent is running\."):
        targets.find(statuses(), "zz")
    assert targets.find(KNOWN, "web", unknown="state unknown")


@pytest.mark.parametrize("word", ["9df7/a1f0aa", "9df7/a1f0a", "shop/Explore", "sho/Exp", "9df7420c/a1f0aa"])
def test_an_agent_is_named_behind_its_session(word: str) -> None:
    assert found(FAMILY, word) == [("9df7420c", "a1f0aa")]


def test_an_agent_that_has_ended_is_meant_only_if_no_other_one_is() -> None:
    assert found(FAMILY, "shop/a1f0bb") == [("9df7420c", "a1f0bb")]
    assert found(FAMILY, "shop/a1f0") == [("9df7420c", "a1f0aa")]
    assert found(FAMILY, "shop/main") == [("9df7420c", "main")]
    two = (agent("a1f0", type="One"), agent("a2f0", type="One"))
    with pytest.raises(Ambiguous, match=r"  9df7/a1f0  shop/One  working\n  9df7/a2f0  shop/One"):
        targets.find(statuses(session("9df7", name="shop", agents=two)), "shop/One")


def test_a_name_with_a_slash_is_a_name_and_what_could_be_both_is_ambiguous() -> None:
    both = statuses(session("a", name="shop", agents=(agent("x1"),)), session("b", name="shop/x2"))
    assert found(both, "shop/x2") == [("b", "")]
    assert found(both, "shop/x1") == [("a", "x1")]
    with pytest.raises(Ambiguous):
        targets.find(both, "shop/x")


def test_what_is_shown_can_be_typed() -> None:
    for there in (KNOWN, FAMILY, statuses(session("9df7"), session("9df7420c"), session("9df74"))):
        short = ids.of_sessions(there.sessions)
        for one in there.sessions:
            assert found(there, short[one.session_id]) == [(one.session_id, "")]
            for key, word in ids.of_agents(one, short).items():
                assert key == "main" or found(there, word) == [(one.session_id, key)]


def test_nobody_takes_the_place_of_another_one_by_its_name() -> None:
    """A name may come from an agent: it must not be able to look like the id of its neighbour."""
    honest = session("9df7420c")
    there = statuses(honest, session("bbbb", name="9df7420c"), session("cccc", name="9df7"))
    assert found(there, "9df7420c") == [("9df7420c", "")]
    with pytest.raises(Ambiguous, match="matches several"):
        targets.find(there, "9df7")
    main = statuses(session("dddd", agents=(agent(), agent("mainframe"))))
    assert found(main, "dddd/main") == [("dddd", "main")]
    assert ids.of_agents(main.sessions[0], {"dddd": "dddd"})["mainframe"] == "dddd/mainf"
    without = session("dddd", agents=(agent("mainframe"),))
    assert ids.of_agents(without, {"dddd": "dddd"}) == {"main": "dddd", "mainframe": "dddd/mainf"}


def test_groups_are_all_that_are_shown() -> None:
    there = statuses(
        session("a", NEEDS_APPROVAL, cwd="/p/shop"),
        session("b", WAITING, cwd="/p/shop"),
        session("c", WAITING, cwd="/p/api"),
        session("d", WAITING, cwd="/p/api", hidden=True),
    )
    assert found(there, "@blocked") == [("a", "")]
    assert sorted(found(there, "@waiting")) == [("b", ""), ("c", "")]
    assert found(there, "project:shop") == [("a", ""), ("b", "")]
    assert found(there, "project:api") == [("c", "")]
    with pytest.raises(NoSuchTarget):
        targets.find(there, "@working")
    with pytest.raises(NoSuchTarget, match=r"Projects: api, shop$"):
        targets.find(there, "project:web")


def test_two_projects_of_one_name_are_told_apart_as_they_are_shown() -> None:
    there = statuses(session("a", cwd="/one/shop"), session("b", cwd="/two/shop"))
    assert found(there, "project:two/shop") == [("b", "")]


def test_a_group_is_ambiguous_for_who_takes_one() -> None:
    two = statuses(session("a"), session("b"))
    with pytest.raises(Ambiguous, match=r"'@working' matches several sessions or agents:\n  a  a-name  working"):
        targets.one(two, "@working")
    assert targets.one(statuses(session("a")), "@working").key == ("a", "")
    assert targets.one(two, "a").key == ("a", "")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_listed_is_clean(text: str) -> None:
    there = statuses(hostile(text), hostile(f"{text}2"), session("good", agents=(agent(), agent(text))))
    for word in (f"zz{text}", f"{text}/zz", f"good/{text}zz", "@blocked", "project:zz"):
        with pytest.raises(targets.Unclear) as refused:
            targets.one(there, word)
        assert str(refused.value).replace("\n", "").isprintable()
        assert max(map(len, str(refused.value).splitlines())) < 500


def test_a_long_list_is_cut() -> None:
    there = statuses(*(session(f"s{k:03}") for k in range(300)))
    with pytest.raises(NoSuchTarget, match=r"… 280 more$"):
        targets.find(there, "zz")


@given(st.lists(st.text("ab", min_size=1, max_size=8), unique=True))
def test_short_ids_are_beginnings_that_differ(whole: list[str]) -> None:
    short = ids.short(whole)
    assert len(set(short.values())) == len(whole)
    assert all(one.startswith(short[one]) and len(short[one]) >= min(4, len(one)) for one in whole)


def test_all_sessions_of_a_client_are_a_group() -> None:
    there = statuses(session("a", client="claude"), session("b", client="codex"), session("c", client="codex"))
    assert found(there, "client:codex") == [("b", ""), ("c", "")]
    with pytest.raises(NoSuchTarget, match=r"'client:qwen' found\. Clients: claude, codex"):
        targets.find(there, "client:qwen")
