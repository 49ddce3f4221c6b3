"""The menu of tray and menubar as a value, and the patches from one to the next."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from showing import HOSTILE, NOW, agent, hostile, put, session, statuses, watcher
from statusbar.board import board
from statusbar.follower import Follower
from statusbar.menu import (
    ROOT,
    WIDEST,
    Change,
    Choice,
    Deed,
    Insert,
    Item,
    Menu,
    Move,
    Patch,
    Remove,
    diff,
    every,
    held,
    menu,
)
from statusbar.rows import Action
from statusbar.statuses import Statuses
from statusbar.text import width

LONG_AGO = NOW - 3 * 86400


def drawn(*sessions: SessionStatus, now: float = NOW, **more: object) -> Menu:
    return menu(board(statuses(*sessions, beat=now), now), **more)  # type: ignore[arg-type]


def titles(items: Sequence[Item]) -> list[str]:
    return [item.title for item in items]


def find(items: Sequence[Item], words: str) -> Item:
    return next(item for item in every(items) if words in item.title)


# From a board


def test_each_session_is_an_item_with_its_agents_and_actions_below() -> None:
    plan = agent("p", NEEDS_APPROVAL, type="Plan", parent="main", detail="Bash: ls")
    one = session("a", NEEDS_APPROVAL, cwd="/p/api", name="fix", detail="Bash: ls", agents=(agent(), plan))
    found = drawn(one, session("b", cwd="/p/web", name="web"))
    assert titles(found.items) == ["▲ api · fix · Bash: ls · 1 m", "● web · web · 1 m", "", "Quit yourturn"]
    assert titles(found.items[0].children) == [
        "needs approval · 1 m",
        "Bash: ls",
        "● main · working · 1 m",
        "▲ Plan · Bash: ls · 1 m",
        "",
        "Go to the terminal",
        "Explain",
        "Copy the session id",
        "Open the project",
    ]
    assert find(found.items, "Copy").choice == Choice(Action.COPY_ID, "a")
    assert find(found.items, "Plan").choice == Choice(Action.GO, "a", "p")


def test_the_face_is_the_most_urgent_state_and_how_many_are_in_it() -> None:
    blocked = [session("a", NEEDS_APPROVAL), session("b", NEEDS_APPROVAL), session("c")]
    found = drawn(*blocked)
    assert (found.face, found.count, found.title) == (NEEDS_APPROVAL, 2, "▲2 ●1")
    assert found.words == "2 needs approval, 1 working"
    assert (drawn().face, drawn().count) == ("calm", 0)
    assert drawn(session("c", WAITING)).look.symbol == "○"


def test_an_empty_board_says_so() -> None:
    assert titles(drawn().items) == ["No agent is running", "", "Quit yourturn"]


def test_a_dead_watcher_is_the_face_and_says_the_remedy() -> None:
    found = menu(board(statuses(session("a"), locked=False), NOW))
    assert found.face == "trouble"
    assert "Start it: yourturn up" in " ".join(titles(found.items))
    assert all(width(item.title) <= WIDEST for item in every(found.items))


def test_an_answer_to_what_was_chosen_stands_in_the_menu() -> None:
    found = drawn(said="There is no program xclip here\x1b[31m.")
    item = find(found.items, "xclip")
    assert item.title == "✕ There is no program xclip here [31m."
    assert not item.is_enabled


def test_sessions_of_long_ago_are_one_item_that_unfolds_and_folds_again() -> None:
    old = session("a", WAITING, since=LONG_AGO, cwd="/p/old")
    folded = find(drawn(old).items, "1 session")
    assert folded.choice == Choice(Action.UNFOLD)
    open_ = menu(board(statuses(old), NOW, unfold=True), unfolded=True)
    assert find(open_.items, "Hide").choice == Choice(Deed.FOLD)


def test_a_long_detail_does_not_push_the_age_away() -> None:
    found = drawn(session("a", detail="x" * 500, name="n" * 300)).items[0]
    assert found.title.endswith("… · 1 m")
    assert width(found.title) == WIDEST


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_names_become_one_clean_line_with_keys_of_their_own(what: str) -> None:
    found = drawn(hostile(HOSTILE[what]), session("good"), said=HOSTILE[what])
    everything = [*every(found.items)]
    assert len({item.key for item in everything}) == len(everything)
    assert all(item.title.isprintable() and width(item.title) <= WIDEST + 6 for item in everything)
    assert len([item for item in found.items if item.children]) == 2


# From one menu to the next


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


LEAVES = st.builds(Item, st.sampled_from([("leaf", name) for name in "abcdef"]), st.sampled_from(["", "one", "two"]))
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
    assert [(move.place, move.item.key) for move in moves] == [(0, ("session", "b", ""))]
    assert not [patch for patch in patches if isinstance(patch, Insert | Remove) and patch.parent == ROOT]


def test_an_open_menu_gets_new_words_but_keeps_its_places() -> None:
    a, b = session("a"), session("b")
    before, after = drawn(a, b), drawn(a, b._replace(status=NEEDS_APPROVAL, detail="Bash: ls"), session("c"))
    shown = held(before, after)
    assert titles(shown.items)[:2] == ["● a · a-name · 1 m", "▲ b · b-name · Bash: ls · 1 m"]
    assert {type(patch) for patch in diff(before.items, shown.items)} == {Change}
    assert (shown.title, shown.face) == (after.title, after.face)


# As it changes


def until(menus: "Queue[Menu]", words: str) -> Menu:
    while True:
        found = menus.get(timeout=10)
        if any(words in item.title for item in every(found.items)):
            return found


def test_the_follower_hands_over_each_new_menu_and_an_answer(tmp_path: Path) -> None:
    menus: Queue[Menu] = Queue()
    put(tmp_path, session("a", WORKING, since=time.time()), session("old", WAITING, since=time.time() - 3 * 86400))
    with (
        watcher(tmp_path, time.time()),
        Follower(str(tmp_path), menus.put, do=lambda *_: "It is not there.") as follower,
    ):
        assert until(menus, "a-name").face == WORKING
        put(tmp_path, session("a", NEEDS_APPROVAL, since=time.time()))
        assert until(menus, "▲").face == NEEDS_APPROVAL
        follower.choose(Choice(Action.OPEN_PROJECT, "a"))
        until(menus, "It is not there.")
        follower.choose(Choice(Action.GO, "nobody"))
        until(menus, "This session has ended.")
        follower.choose(Choice(Action.UNFOLD))
        until(menus, "old-name")
        follower.choose(Choice(Deed.FOLD))
        assert "old-name" not in str(until(menus, "1 session"))


def test_the_follower_does_not_hand_over_the_same_menu_again(tmp_path: Path) -> None:
    menus: Queue[Menu] = Queue()
    put(tmp_path, session("a"))
    with Follower(str(tmp_path), menus.put) as follower:
        first = menus.get(timeout=10)
        follower.choose(Choice(Deed.FOLD))
        follower.say("Said.")
        until_said = menus.get(timeout=10)
        assert first != until_said
        assert "Said." in str(until_said)


def test_a_deed_that_breaks_is_reported_and_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    menus: Queue[Menu] = Queue()

    def broken(*_: object) -> str:
        raise ValueError("broken on purpose")

    put(tmp_path, session("a"))
    with Follower(str(tmp_path), menus.put, do=broken) as follower:
        until(menus, "a-name")
        follower.choose(Choice(Action.GO, "a"))
        until(menus, "That went wrong: ValueError")
    assert "broken on purpose" in capsys.readouterr().err


def test_a_follower_that_must_give_up_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed: Queue[bool] = Queue()

    def show(_: Menu) -> None:
        raise ValueError("cannot be drawn")

    with Follower(str(tmp_path), show, lambda: failed.put(True)) as follower:
        assert failed.get(timeout=10)
        follower._thread.join(10)
        assert not follower.is_alive()
    assert "cannot be drawn" in capsys.readouterr().err


class Herald:
    """In the place of a notifier: writes down what it was shown."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks = breaks
        self.seen: Queue[str] = Queue()

    def __enter__(self) -> None:
        self.seen.put("begins")

    def __exit__(self, *_: object) -> None:
        self.seen.put("ends")

    def look(self, found: Statuses, _now: float) -> None:
        if self.breaks:
            raise ValueError("no voice")
        self.seen.put(",".join(f"{one.session_id} {one.status}" for one in found.sessions))

    def descriptors(self) -> list[int]:
        return []

    def heard(self, _ready: object) -> None:
        pass


def test_the_follower_lets_the_notifier_see_every_change(tmp_path: Path) -> None:
    herald = Herald()
    put(tmp_path, session("a"))
    with Follower(str(tmp_path), lambda _: None, notifier=lambda _: herald):  # type: ignore[arg-type,return-value]
        assert herald.seen.get(timeout=10) == "begins"
        assert herald.seen.get(timeout=10) == "a working"
        put(tmp_path, session("a", NEEDS_APPROVAL))
        while herald.seen.get(timeout=10) != "a needs_approval":
            pass
    assert [*herald.seen.queue][-1] == "ends"


def test_a_notifier_that_breaks_does_not_take_the_bar_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    menus: Queue[Menu] = Queue()
    put(tmp_path, session("a"))
    with Follower(str(tmp_path), menus.put, notifier=lambda _: Herald(breaks=True)) as follower:  # type: ignore[arg-type,return-value]
        until(menus, "Notifications have stopped: ValueError")
        assert follower.is_alive()
    assert "no voice" in capsys.readouterr().err
