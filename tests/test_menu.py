"""The menu of tray and menubar as a value, and the patches from one to the next."""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from showing import HOSTILE, NOW, agent, hostile, put, session, statuses, watcher
from statusbar import switches
from statusbar.board import board
from statusbar.follower import Follower
from statusbar.item import ROOT, Choice, Deed, Item, Menu, Tick, every
from statusbar.menu import WIDEST, menu
from statusbar.notify import Notifier
from statusbar.patches import Change, Insert, Move, Patch, Remove, diff, held
from statusbar.rows import Action
from statusbar.settings import Settings
from statusbar.statuses import Statuses
from statusbar.switches import Switches
from statusbar.text import width

LONG_AGO = NOW - 3 * 86400
AT_THE_END = ["", "Notifications", "Quit yourturn"]


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
    assert titles(found.items) == ["▲ api · fix · Bash: ls · 1 m", "● web · 1 m", *AT_THE_END]
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


def test_a_play_says_that_it_is_one() -> None:
    whole = board(statuses(session("a")), NOW)
    assert titles(menu(whole, Switches(is_play=True)).items)[0] == "A story is played: these are not your agents"
    assert "story" not in " ".join(titles(menu(whole).items))


def test_the_face_is_the_most_urgent_state_and_how_many_are_in_it() -> None:
    blocked = [session("a", NEEDS_APPROVAL), session("b", NEEDS_APPROVAL), session("c")]
    found = drawn(*blocked)
    assert (found.face, found.count, found.title) == (NEEDS_APPROVAL, 2, "▲2 ●1")
    assert found.words == "2 need approval, 1 working"
    assert (drawn().face, drawn().count) == ("calm", 0)
    assert drawn(session("c", WAITING)).look.symbol == "○"


def test_an_empty_board_says_so() -> None:
    assert titles(drawn().items) == ["No agent is running", *AT_THE_END]


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
    assert len([item for item in found.items if item.key[0] == "session"]) == 2


# What can be switched


def test_what_is_not_about_sessions_stands_below_them_and_quit_is_last() -> None:
    old = session("a", WAITING, since=LONG_AGO)
    whole = board(statuses(old), NOW, unfold=True)
    found = menu(whole, Switches(login=False), said="Said.", unfolded=True)
    assert titles(found.items)[1:] == [
        "", "✕ Said.", "", "Notifications", "Open at login", "Hide those of long ago", "Quit yourturn",
    ]  # fmt: skip


def ticks(item: Item) -> dict[str, bool]:
    return {one.title: one.tick.is_on for one in item.children if one.tick}


def test_notifications_are_ticked_as_they_stand() -> None:
    usual = switches.notifications(Settings(), WIDEST)
    assert ticks(usual) == {
        "Show notifications": True,
        "With a sound": False,
        "after 1 minute of work": True,
        "after 5 minutes of work": False,
        "after 15 minutes of work": False,
        "never": False,
    }
    assert "Quiet hours: none. To change them:" in titles(usual.children)
    assert "   yourturn config notify.quiet_from 22:00" in titles(usual.children)
    changed = Settings(enabled=False, sound=True, after_s=math.inf, quiet_from="22:00", quiet_to="8:00")
    other = switches.notifications(changed, WIDEST)
    assert titles([one for one in other.children if one.tick]) == list(ticks(usual))
    assert [*ticks(other).values()] == [False, True, False, False, False, True]
    assert "Quiet hours: 22:00 to 8:00. To change them:" in titles(other.children)
    assert {type(patch) for patch in diff([usual], [other])} == {Change}


def test_a_tick_that_moves_is_all_that_is_drawn_anew() -> None:
    before, after = (switches.notifications(Settings(after_s=one), WIDEST) for one in (60, 300))
    patches = list(diff([before], [after]))
    assert {type(patch) for patch in patches} == {Change}
    assert [patch.item.title for patch in patches] == ["after 1 minute of work", "after 5 minutes of work"]


def test_an_item_that_gains_a_tick_is_made_anew() -> None:
    plain, ticked = Item(("x",), "x"), Item(("x",), "x", tick=Tick(is_on=True))
    assert [type(patch) for patch in diff([plain], [ticked])] == [Remove, Insert]


@pytest.mark.parametrize(
    ("after_s", "place", "title"),
    [(0, 0, "after every turn"), (90, 1, "after 90 s of work"), (7200, 3, "after 120 minutes of work")],
)
def test_a_length_that_was_chosen_elsewhere_stands_among_the_others(after_s: float, place: int, title: str) -> None:
    found = switches.notifications(Settings(after_s=after_s), WIDEST)
    several = [one for one in found.children if one.tick and one.tick.is_one_of_several]
    assert (several[place].title, several[place].tick) == (title, Tick(is_on=True, is_one_of_several=True))
    assert len(several) == 5
    assert sum(ticks(found)[one.title] for one in several) == 1


def test_to_choose_is_to_have_the_opposite() -> None:
    found = switches.notifications(Settings(), WIDEST)
    assert find([found], "Show").choice == Choice(Deed.SET, setting="notify.enabled", value=False)
    assert find([found], "15").choice == Choice(Deed.SET, setting="notify.after_s", value=900)
    assert find([found], "never").choice == Choice(Deed.SET, setting="notify.after_s", value=math.inf)
    assert switches.login(is_on=True).choice == Choice(Deed.LOGIN, value=False)


def test_only_a_project_with_a_folder_can_be_muted() -> None:
    stand = Switches(muted={"a": True, "b": False})
    found = menu(board(statuses(*map(session, "abc")), NOW), stand)
    muted = [next((one.tick for one in item.children if "Mute" in one.title), None) for item in found.items[:3]]
    assert muted == [Tick(is_on=True), Tick(is_on=False), None]
    assert find(found.items[1:], "Mute").choice == Choice(Deed.MUTE, "b", value=True)


def test_what_is_wrong_with_the_settings_is_said_where_they_are() -> None:
    broken = Settings(trouble=("/x/config.toml: \x1b[31m" + "x" * 500,))
    last = switches.notifications(broken, WIDEST).children[-1]
    assert last.title.startswith("✕ /x/config.toml: [31mxxx")
    assert last.title.isprintable()
    assert width(last.title) <= WIDEST


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


class Rounds(Notifier):
    """Tells when the follower has looked and, if there was a reason, handed over."""

    def __init__(self) -> None:
        self.passed: Queue[bool] = Queue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def look(self, statuses: Statuses, now: float) -> None:
        self.passed.put(True)

    def heard(self, ready: Iterable[int]) -> None:
        pass

    def descriptors(self) -> list[int]:
        return []


def test_the_follower_does_not_hand_over_the_same_menu_again(tmp_path: Path) -> None:
    handed: list[Menu] = []
    rounds = Rounds()
    put(tmp_path, session("a", since=time.time()))
    with Follower(str(tmp_path), handed.append, notifier=lambda _: rounds) as follower:
        rounds.passed.get(timeout=10)
        for _ in range(3):
            follower.choose(Choice(Deed.FOLD))
            rounds.passed.get(timeout=10)
        assert len(handed) == 1
        follower.say("Said.")
        while len(handed) == 1:
            rounds.passed.get(timeout=10)
        assert ["Said." in str(one) for one in handed] == [False, True]


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
