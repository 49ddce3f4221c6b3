"""The menu of tray and menubar as a value."""

import math
from collections.abc import Sequence

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, SessionStatus
from statusbar.menu import settings_items
from statusbar.menu.build import WIDEST, menu
from statusbar.menu.diff import Change, diff
from statusbar.menu.model import Choice, Item, Menu, MenuAction, Tick, every
from statusbar.menu.settings_items import Switches
from statusbar.model.board import board
from statusbar.model.rows import Action
from statusbar.settings.settings import Settings
from statusbar.text.width import width
from support.showing import HOSTILE, NOW, agent, hostile, session, statuses

LONG_AGO = NOW - 3 * 86400
AT_THE_END = ["", "yourturn", "Notifications", "Quit yourturn"]


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
    assert titles(found.items) == [
        "Go to api: Bash: ls", "", "1 needs you, 1 working", "▲ api · fix · Bash: ls · 1 m", "● web · 1 m", *AT_THE_END,
    ]  # fmt: skip
    assert titles(find(found.items, "▲ api").children) == [
        "needs approval · 1 m",
        "Bash: ls",
        "Go to the terminal",
        "Explain",
        "Copy the session id",
        "Open the project",
        "",
        "Agents",
        "● main · working · 1 m",
        "▲ Plan · Bash: ls · 1 m",
    ]
    assert titles(find(found.items, "● web").children)[-1] == "Open the project", "no heading above nothing"
    assert find(found.items, "Copy").choice == Choice(Action.COPY_ID, "a")
    assert find(found.items, "Plan").choice == Choice(Action.GO, "a", "p")


def test_the_first_row_goes_to_the_one_that_has_been_blocked_longest_and_can_be_reached() -> None:
    lost = session("lost", NEEDS_APPROVAL, since=NOW - 900, pid=None, detail="Bash: rm x")
    old = session("old", NEEDS_APPROVAL, since=NOW - 500, detail="Bash: “npm install”")
    first = drawn(session("new", NEEDS_APPROVAL), lost, old, session("busy", since=LONG_AGO)).items[0]
    assert (first.title, first.choice) == ("Go to old: Bash: “npm install”", Choice(Action.GO, "old"))


def test_a_request_without_words_is_a_way_all_the_same() -> None:
    assert drawn(session("a", NEEDS_APPROVAL, cwd="", name="fix")).items[0].title == "Go to fix"


def test_with_nobody_blocked_or_nobody_who_knows_there_is_no_first_thing_to_do() -> None:
    assert titles(drawn(session("a"), session("b", WAITING)).items)[:2] == [
        "1 working, 1 waiting",
        "● a · a-name · 1 m",
    ]
    blocked = session("a", NEEDS_APPROVAL)
    assert not [one for one in titles(menu(board(statuses(blocked, locked=False), NOW)).items) if "Go to" in one]
    assert not [one for one in titles(drawn(blocked._replace(pid=None)).items) if "Go to" in one]


def test_headings_and_lines_do_nothing_and_part_what_belongs_to_others() -> None:
    mates = (agent(), agent("p", NEEDS_APPROVAL, type="Plan"))
    found = drawn(session("a", NEEDS_APPROVAL, agents=mates), message="Said.")
    headings = [item for item in every(found.items) if item.key[-1] == "heading" or item.key[0] == "heading"]
    assert titles(headings) == ["1 needs you", "Agents", "yourturn"]
    assert not [item for item in headings if item.is_enabled]


def test_a_row_that_is_cut_closes_its_quote() -> None:
    said = f"Bash: “{'x' * 300}”"
    found = drawn(session("a", NEEDS_APPROVAL, detail=said))
    assert find(found.items, "▲ a").title.endswith("x…” · 1 m")
    assert found.items[0].title.endswith("x…”")
    assert all(item.title.count("“") == item.title.count("”") for item in every(found.items))


def test_a_play_says_that_it_is_one() -> None:
    whole = board(statuses(session("a")), NOW)
    assert titles(menu(whole, Switches(is_demo=True)).items)[0] == "Demo: not your agents"
    assert "story" not in " ".join(titles(menu(whole).items))


def test_the_face_is_the_most_urgent_state_and_how_many_are_in_it() -> None:
    blocked = [session("a", NEEDS_APPROVAL), session("b", NEEDS_APPROVAL), session("c")]
    found = drawn(*blocked)
    assert (found.face, found.count, found.title) == (NEEDS_APPROVAL, 2, "▲2 ●1")
    assert found.words == "2 need you, 1 working"
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
    found = drawn(message="xclip not found\x1b[31m.")
    item = find(found.items, "xclip")
    assert item.title == "✕ xclip not found [31m."
    assert not item.is_enabled


def test_sessions_of_long_ago_are_one_item_that_unfolds_and_folds_again() -> None:
    old = session("a", WAITING, since=LONG_AGO, cwd="/p/old")
    folded = find(drawn(old).items, "1 stale session")
    assert folded.choice == Choice(Action.UNFOLD)
    open_ = menu(board(statuses(old), NOW, unfold=True), unfolded=True)
    assert find(open_.items, "Hide").choice == Choice(MenuAction.FOLD)


def test_a_long_detail_does_not_push_the_age_away() -> None:
    found = drawn(session("a", detail="x" * 500, name="n" * 300)).items[1]
    assert found.title.endswith("… · 1 m")
    assert width(found.title) == WIDEST


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_names_become_one_clean_line_with_keys_of_their_own(what: str) -> None:
    found = drawn(hostile(HOSTILE[what]), session("good"), message=HOSTILE[what])
    everything = [*every(found.items)]
    assert len({item.key for item in everything}) == len(everything)
    assert all(item.title.isprintable() and width(item.title) <= WIDEST + 6 for item in everything)
    assert len([item for item in found.items if item.key[0] == "session"]) == 2


# What can be switched


def test_what_is_not_about_sessions_stands_below_them_and_quit_is_last() -> None:
    old = session("a", WAITING, since=LONG_AGO)
    whole = board(statuses(old), NOW, unfold=True)
    found = menu(whole, Switches(login=False), message="Said.", unfolded=True)
    assert titles(found.items)[2:] == [
        "", "✕ Said.", "", "yourturn", "Notifications", "Open at login", "Hide stale sessions", "Quit yourturn",
    ]  # fmt: skip


def ticks(item: Item) -> dict[str, bool]:
    return {one.title: one.tick.is_on for one in item.children if one.tick}


def test_notifications_are_ticked_as_they_stand() -> None:
    usual = settings_items.notifications(Settings(), WIDEST)
    assert ticks(usual) == {
        "Show notifications": True,
        "Play a sound": False,
        "after at least 1 minute": True,
        "after at least 5 minutes": False,
        "after at least 15 minutes": False,
        "never": False,
    }
    assert "Quiet hours: none. To change them:" in titles(usual.children)
    assert "   yourturn config notify.quiet_from 22:00" in titles(usual.children)
    changed = Settings(enabled=False, sound=True, after_s=math.inf, quiet_from="22:00", quiet_to="8:00")
    other = settings_items.notifications(changed, WIDEST)
    assert titles([one for one in other.children if one.tick]) == list(ticks(usual))
    assert [*ticks(other).values()] == [False, True, False, False, False, True]
    assert "Quiet hours: 22:00 to 8:00. To change them:" in titles(other.children)
    assert {type(patch) for patch in diff([usual], [other])} == {Change}


@pytest.mark.parametrize(
    ("after_s", "place", "title"),
    [(0, 0, "after every turn"), (90, 1, "after at least 90 s"), (7200, 3, "after at least 120 minutes")],
)
def test_a_length_that_was_chosen_elsewhere_stands_among_the_others(after_s: float, place: int, title: str) -> None:
    found = settings_items.notifications(Settings(after_s=after_s), WIDEST)
    several = [one for one in found.children if one.tick and one.tick.is_one_of_several]
    assert (several[place].title, several[place].tick) == (title, Tick(is_on=True, is_one_of_several=True))
    assert len(several) == 5
    assert sum(ticks(found)[one.title] for one in several) == 1


def test_a_sound_that_has_a_name_is_ticked_and_named() -> None:
    found = settings_items.notifications(Settings(sound="bell-terminal"), WIDEST)
    assert ticks(found)["Play a sound: bell-terminal"] is True
    assert find([found], "Play").choice == Choice(MenuAction.SET, setting="notify.sound", value=False)


def test_to_choose_is_to_have_the_opposite() -> None:
    found = settings_items.notifications(Settings(), WIDEST)
    assert find([found], "Show").choice == Choice(MenuAction.SET, setting="notify.enabled", value=False)
    assert find([found], "15").choice == Choice(MenuAction.SET, setting="notify.after_s", value=900)
    assert find([found], "never").choice == Choice(MenuAction.SET, setting="notify.after_s", value=math.inf)
    assert settings_items.login(is_on=True).choice == Choice(MenuAction.LOGIN, value=False)


def test_only_a_project_with_a_folder_can_be_muted() -> None:
    stand = Switches(muted={"a": True, "b": False})
    found = menu(board(statuses(*map(session, "abc")), NOW), stand)
    muted = [next((one.tick for one in item.children if "Mute" in one.title), None) for item in found.items[1:4]]
    assert muted == [Tick(is_on=True), Tick(is_on=False), None]
    assert find(found.items[2:], "Mute").choice == Choice(MenuAction.MUTE, "b", value=True)


def test_what_is_wrong_with_the_settings_is_said_where_they_are() -> None:
    broken = Settings(trouble=("/x/config.toml: \x1b[31m" + "x" * 500,))
    last = settings_items.notifications(broken, WIDEST).children[-1]
    assert last.title.startswith("✕ /x/config.toml: [31mxxx")
    assert last.title.isprintable()
    assert width(last.title) <= WIDEST


def test_where_there_are_several_kinds_of_client_a_session_says_which_it_is() -> None:
    mixed = titles(drawn(session("a", client="claude", detail="Edit: a"), session("b", client="codex")).items)
    assert "● a · a-name · claude · Edit: a · 1 m" in mixed
    assert not any("claude" in title for title in titles(drawn(session("a", client="claude")).items))
