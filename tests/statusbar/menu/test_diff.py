"""The patches from one menu to the next."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, SessionStatus
from statusbar.menu import settings_items
from statusbar.menu.build import WIDEST, menu
from statusbar.menu.diff import Change, Insert, Move, Patch, Remove, diff, while_open
from statusbar.menu.model import ROOT, Choice, Item, Menu, Tick
from statusbar.model.board import board
from statusbar.model.rows import Action
from statusbar.settings.settings import Settings
from support.showing import NOW, agent, session, statuses


def drawn(*sessions: SessionStatus, now: float = NOW, **more: object) -> Menu:
    return menu(board(statuses(*sessions, beat=now), now), **more)  # type: ignore[arg-type]


def test_a_tick_that_moves_is_all_that_is_drawn_anew() -> None:
    before, after = (settings_items.notifications(Settings(after_s=one), WIDEST) for one in (60, 300))
    patches = list(diff([before], [after]))
    assert {type(patch) for patch in patches} == {Change}
    assert [patch.item.title for patch in patches] == ["after at least 1 minute", "after at least 5 minutes"]


def test_an_item_that_gains_a_tick_is_made_anew() -> None:
    plain, ticked = Item(("x",), "x"), Item(("x",), "x", tick=Tick(is_on=True))
    assert [type(patch) for patch in diff([plain], [ticked])] == [Remove, Insert]


def applied(items: Sequence[Item], patches: Sequence[Patch]) -> tuple[Item, ...]:
    """What a front end has drawn after the patches."""
    for patch in patches:
        parent = ROOT if isinstance(patch, Change) else patch.parent
        items = _with(items, patch, is_here=parent == ROOT)
    return tuple(items)


def _with(items: Sequence[Item], patch: Patch, *, is_here: bool) -> tuple[Item, ...]:
    if isinstance(patch, Change):
        new = patch.item
        changed = (replace(new, children=one.children) if one.key == new.key else one for one in items)
        return tuple(replace(one, children=_with(one.children, patch, is_here=False)) for one in changed)
    if not is_here:
        return tuple(
            replace(one, children=_with(one.children, patch, is_here=one.key == patch.parent)) for one in items
        )
    rest = [one for one in items if one.key != patch.item.key]
    if isinstance(patch, Insert):
        rest.insert(patch.place, patch.item)
    elif isinstance(patch, Move):
        rest.insert(patch.place, next(one for one in items if one.key == patch.item.key))
    return tuple(rest)


LEAVES = st.builds(
    Item,
    st.sampled_from([("leaf", name) for name in "abcdef"]),
    st.sampled_from(["", "one", "two"]),
    tick=st.sampled_from([None, Tick(is_on=True), Tick(is_on=False)]),
)
TREES = st.recursive(
    st.lists(LEAVES, max_size=5, unique_by=lambda item: item.key),
    lambda below: st.lists(
        st.builds(Item, st.sampled_from([("tree", name) for name in "abcdef"]), st.just("tree"), children=below),
        max_size=5,
        unique_by=lambda item: item.key,
    ),
    max_leaves=10,
)


def unique(items: Sequence[Item], above: tuple[str, ...] = ()) -> tuple[Item, ...]:
    return tuple(
        replace(one, key=(*above, *one.key), children=unique(one.children, (*above, *one.key))) for one in items
    )


@given(TREES, TREES)
def test_the_patches_lead_from_any_menu_to_any_other(old: list[Item], new: list[Item]) -> None:
    before, after = unique(old), unique(new)
    assert applied(before, list(diff(before, after))) == after


def test_nothing_new_is_no_patch() -> None:
    one = session("a", agents=(agent(), agent("p")))
    assert list(diff(drawn(one).items, drawn(one).items)) == []


def test_an_age_is_a_change_of_the_titles_that_tell_it() -> None:
    one = session("a")
    patches = list(diff(drawn(one).items, drawn(one, now=NOW + 60).items))
    assert {type(patch) for patch in patches} == {Change}
    assert [patch.item.title for patch in patches] == ["● a · a-name · 2 m", "working · 2 m"]


def test_one_that_becomes_blocked_moves_up_and_is_not_made_anew() -> None:
    a, b = session("a"), session("b")
    patches = list(diff(drawn(a, b).items, drawn(a, b._replace(status=NEEDS_APPROVAL)).items))
    moves = [patch for patch in patches if isinstance(patch, Move)]
    assert [(move.place, move.item.key) for move in moves] == [(3, ("session", "b", ""))]
    new = [patch.item.key for patch in patches if isinstance(patch, Insert | Remove) and patch.parent == ROOT]
    assert new == [("first", "b"), ("line", "first")]


def test_an_open_menu_gets_new_words_but_keeps_its_places() -> None:
    a, b = session("a"), session("b")
    before, after = drawn(a, b), drawn(a, b._replace(status=NEEDS_APPROVAL, detail="Bash: ls"), session("c"))
    shown = while_open(before, after)
    assert [item.title for item in shown.items][1:3] == ["● a · a-name · 1 m", "▲ b · b-name · Bash: ls · 1 m"]
    assert {type(patch) for patch in diff(before.items, shown.items)} == {Change}
    assert (shown.title, shown.face) == (after.title, after.face)


def test_the_first_row_of_an_open_menu_does_not_become_the_way_to_another_session() -> None:
    a, b = session("a", NEEDS_APPROVAL, since=NOW - 90), session("b", NEEDS_APPROVAL)
    before, after = drawn(a, b), drawn(b)
    assert after.items[0].choice == Choice(Action.GO, "b")
    assert while_open(before, after).items[0] == before.items[0]
