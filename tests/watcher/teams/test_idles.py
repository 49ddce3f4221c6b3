"""The teammates of one lead: who is at work, who went idle, who asks."""

from contract.facts import Mark, Stamp, decode
from support.builders import event
from support.cases import facts_of
from support.team import TEAM, lead_of, told
from watcher.clients.claude.adapter import ADAPTER as CLAUDE
from watcher.clients.hooks_only import UNKNOWN
from watcher.rules.evidence import Shown
from watcher.teams.idles import Mate, arriving, closed, shown_by, unknown_idles


def test_each_spawn_of_a_name_waits_for_a_process_of_its_own_case_27() -> None:
    lead = lead_of("t", "mia", "mia", at=10.0)
    assert arriving(lead, [], 12.0) == 2
    assert arriving(lead, [("mia", 11.5)], 12.0) == 1
    assert arriving(lead, [("mia", 11.5), ("mia", 11.6)], 12.0) == 0
    assert arriving(lead, [("tom", 11.5)], 12.0) == 2
    assert arriving(lead, [], 30.0) == 0, "it will not come any more"
    assert arriving(None, [], 12.0) == 0


def test_a_teammate_older_than_a_later_spawn_cannot_be_the_one_case_27() -> None:
    assert arriving(lead_of("t", "mia", at=10.0), [("mia", 3.0)], 12.0) == 1


def test_a_teammate_whose_process_begins_before_the_call_for_it_has_ended_has_come_case_25() -> None:
    assert arriving(lead_of("t", "mia", at=10.0), [("mia", 9.7)], 12.0) == 0


def mark(at: float, name: str = "mia", team: str = TEAM) -> Mark:
    return Mark(at=Stamp((at, at)), word=name, team=team)


def test_an_idle_closes_the_oldest_open_teammate_of_its_name_case_27() -> None:
    mates = [Mate("late", "mia", TEAM, 7.0), Mate("early", "mia", TEAM, 5.0), Mate("tom", "tom", TEAM, 1.0)]
    assert closed(mates, [mark(9.0)]) == {"early": 9.0}
    assert closed(mates, [mark(9.0), mark(12.0)]) == {"early": 9.0, "late": 12.0}
    assert closed(mates, [mark(12.0), mark(9.0)]) == {"early": 9.0, "late": 12.0}, "in the order of their times"
    assert closed(mates, [mark(9.0, team="another")]) == {}


def test_one_that_is_idle_already_is_not_closed_again_case_27() -> None:
    assert closed([Mate("early", "mia", TEAM, None), Mate("late", "mia", TEAM, 7.0)], [mark(9.0)]) == {"late": 9.0}


def test_an_idle_that_is_told_twice_closes_nobody_else_case_27() -> None:
    mates = [Mate("early", "mia", TEAM, 5.0), Mate("late", "mia", TEAM, 7.0)]
    assert closed(mates, [mark(9.0), mark(9.02)]) == {"early": 9.0}
    assert closed(mates[:1], [mark(9.0), mark(12.0)]) == {"early": 9.0}


def test_an_idle_older_than_a_later_spawn_cannot_consume_it_case_27() -> None:
    assert closed([Mate("late", "mia", TEAM, 10.0)], [mark(9.0)]) == {}


def test_what_was_told_before_a_namesake_was_woken_is_spent_case_27() -> None:
    """The first idle was that of the one that has been woken since: it must not close the other one now."""
    mates = [Mate("woken", "mia", TEAM, 20.0, woken=20.0), Mate("other", "mia", TEAM, 6.0), Mate("t", "tom", TEAM, 1.0)]
    assert closed(mates, [mark(9.0)]) == {}
    assert closed(mates, [mark(9.0), mark(30.0)]) == {"other": 30.0}
    assert closed(mates, [mark(9.0, "tom")]) == {"t": 9.0}


def test_an_idle_under_the_lead_of_nobody_known_is_told_with_the_keys_that_are_known_case_26() -> None:
    mates = [Mate("one", "mia", TEAM, 5.0), Mate("two", "tom", TEAM, None)]
    assert unknown_idles(mates, [mark(9.0), mark(9.0, "tom")]) == ()
    assert unknown_idles(mates, [mark(9.0, "eve")]) == (
        f"“eve” of “{TEAM}” went idle: no such teammate is known; known: “mia of {TEAM}”, “tom of {TEAM}”",
    )
    assert unknown_idles([], [mark(9.0)])[0].endswith("known: none")


def test_a_request_shown_in_the_lead_is_the_members_case_28() -> None:
    lead = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), told("researcher", "Bash")])["main"]
    assert shown_by(lead, "researcher", CLAUDE) == (Shown("researcher", "Bash", 12.0),)
    assert shown_by(lead, "somebody", CLAUDE) == ()
    assert shown_by(None, "researcher", CLAUDE) == ()


def test_a_client_that_we_do_not_know_shows_no_requests_of_teammates_in_its_lead() -> None:
    lead = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), told("researcher", "Bash")])["main"]
    assert shown_by(lead, "researcher", UNKNOWN) == ()


def test_a_fact_that_version_1_wrote_still_tells_what_a_lead_shows_case_28() -> None:
    words = b"researcher needs permission for Bash"
    note = b'{"worker_permission_prompt: %b": {"at": [2.0, 12.0], "word": "%b"}}' % (words, words)
    lead = decode(b'{"v": 1, "session": "s", "agent": "main", "notes": %b}' % note)
    assert shown_by(lead, "researcher", CLAUDE) == (Shown("researcher", "Bash", 12.0),)
