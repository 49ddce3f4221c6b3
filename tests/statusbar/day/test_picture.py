"""A day as a value."""

import time
from collections.abc import Iterator

import pytest

from statusbar.day import dates, sentences
from statusbar.day.history import History
from statusbar.day.log_lines import About, Stand, Watching
from statusbar.day.names import names
from statusbar.day.picture import Picture, Waited, picture
from statusbar.day.spans import UNKNOWN
from support.days import BLOCKED, GOES, HOUR, NOON, SHOP, WAITS, WORKS, at, lapse, stand, start, told
from support.showing import session

API = About("api", "/home/me/api")


@pytest.fixture(autouse=True)
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def drawn(found: History, date: str = "today", *, everything: bool = False, project: str | None = None) -> Picture:
    day = dates.day(date, found.until)
    return picture(found, day, names(found.courses, ()), everything=everything, project=project)


def busy(*more: Stand, now: float = 60) -> Picture:
    shop = [stand(0, WORKS, about=SHOP), stand(5, BLOCKED), stand(17, WORKS), stand(30, BLOCKED), stand(31, WAITS)]
    return drawn(told(start(-1), *sorted([*shop, *more], key=lambda line: line.at), now=now))


def test_it_says_how_long_people_were_waited_for() -> None:
    found = busy(stand(6, BLOCKED, "t", about=API), stand(9, WORKS, "t"))
    assert found.waited == Waited(16 * 60, 3, 12 * 60, "shop", at(5), 13 * 60)
    assert sentences.summary(found) == (
        "You were waited for: 16 min in 3 blocks, the longest 12 min (shop, 12:05). "
        "At least one agent was blocked for 13 min."
    )


def test_one_block_is_its_own_longest() -> None:
    found = drawn(told(start(0), stand(1, BLOCKED, about=SHOP), stand(3, WORKS)))
    assert sentences.summary(found) == "You were waited for: 2 min in 1 block (shop, 12:01)."


def test_never_is_said_only_of_the_time_in_which_somebody_watched() -> None:
    calm = drawn(told(start(-800), stand(1, WORKS, about=SHOP)))
    assert sentences.summary(calm) == "You were waited for: never."
    late = drawn(told(start(0), stand(1, WORKS, about=SHOP)))
    assert sentences.summary(late) == "You were waited for: never, as far as somebody watched."


def test_only_the_hours_in_which_something_happened_are_drawn() -> None:
    found = busy(now=100)
    assert (found.view.begin, found.view.end) == (NOON, NOON + 2 * HOUR), "today up to now"
    later = drawn(told(start(-1), stand(5, WORKS), stand(50, GOES), now=24 * 60), "2020-09-13")
    assert (later.view.begin, later.view.end) == (NOON, NOON + HOUR)


def test_a_night_in_which_the_machine_slept_does_not_take_half_of_the_picture() -> None:
    lines: list[Stand | Watching] = [
        start(-900),
        stand(-890, WAITS, about=SHOP),
        lapse(-60, since=-800),
        stand(5, WORKS),
    ]
    assert drawn(told(*lines)).view.begin == NOON
    at_work: list[Stand | Watching] = [
        start(-900),
        stand(-890, WORKS, about=SHOP),
        lapse(-60, since=-800),
        stand(5, WORKS),
    ]
    assert drawn(told(*at_work)).view.begin == NOON - 12 * HOUR, "it may have worked on"


def test_who_only_waited_is_left_out_and_counted() -> None:
    found = busy(stand(1, WAITS, "idle", about=API))
    assert ([row.session for row in found.rows], found.idle) == (["s"], 1)
    assert list(sentences.left_out(found)) == ["1 session only waited, as far as is known: --all shows it."]


def test_background_sessions_are_drawn_if_asked_for_and_never_counted() -> None:
    hidden = [stand(1, BLOCKED, "h", about=About("title", "/home/me/shop", hidden=True)), stand(9, WORKS, "h")]
    history = told(start(-1), stand(0, WORKS, about=SHOP), *hidden)
    assert [row.session for row in drawn(history).rows] == ["s"]
    everything = drawn(history, everything=True)
    assert [row.session for row in everything.rows] == ["s", "h"]
    assert everything.waited.blocks == 0


def test_sessions_of_a_project_stand_together_and_can_be_asked_for_alone() -> None:
    lines = [
        stand(0, WORKS, "a", about=SHOP),
        stand(1, WORKS, "b", about=API),
        stand(2, WORKS, "c", about=About("search", "/home/me/shop")),
    ]
    history = told(start(-1), *lines)
    assert [row.session for row in drawn(history).rows] == ["b", "a", "c"]
    assert [row.session for row in drawn(history, project="shop").rows] == ["a", "c"]


def test_a_session_over_midnight_is_on_both_days_and_each_has_its_part() -> None:
    history = told(start(0), stand(1, WORKS, about=SHOP), stand(11 * 60, BLOCKED), stand(13 * 60, WORKS), now=20 * 60)
    first, second = drawn(history, "2020-09-13"), drawn(history, "2020-09-14")
    assert (first.waited.seconds, second.waited.seconds) == (HOUR, HOUR)
    assert first.rows[0].spans[-1].end == second.rows[0].spans[0].begin == first.day.end


def test_the_time_before_the_log_is_not_watched() -> None:
    found = busy()
    assert found.unwatched == ((found.day.begin, at(-1)),)
    assert "The log begins Sun 13 Sep 11:59: nothing is known of the time before." in list(sentences.notes(found))


def test_what_nobody_watched_is_told_with_its_times() -> None:
    found = drawn(told(start(-720), stand(0, WORKS, about=SHOP), lapse(30, since=10), now=60))
    assert UNKNOWN in {span.status for span in found.rows[0].spans}
    assert list(sentences.notes(found)) == ["Not watched for 20 min: 12:10 to 12:30."]


def test_a_log_of_an_older_version_is_said_to_know_no_gaps() -> None:
    found = drawn(told(stand(0, WORKS, about=SHOP), stand(30, WAITS)))
    assert any("did not note when nobody watched" in note for note in sentences.notes(found))


def test_a_session_without_a_name_in_the_log_has_that_of_its_status_file() -> None:
    found = told(stand(0, WORKS), stand(1, WORKS, "9df7420c-3c33"))
    known = names(found.courses, [session("s", name="checkout", cwd="/home/me/shop")])
    assert [(one.project, one.name) for one in known] == [("shop", "checkout"), ("", "9df7420c")]
