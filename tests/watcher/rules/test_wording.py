"""From verdicts to the status of a session."""

from contract.status import WAITING, Weighed
from watcher.clock import Clock
from watcher.rules.evidence import Evidence
from watcher.rules.verdict import Verdict
from watcher.rules.wording import About, Belonging, Material, session_status

ABOUT = About("s", "proj", "/proj", 7, "cli", "/t.jsonl", {}, "claude")


def material(belonging: Belonging) -> Material:
    verdict = Verdict(WAITING, "", 5.0, "hook", rule="turn-over")
    return Material(ABOUT._replace(belonging=belonging), {}, {"main": verdict}, Evidence(now=9.0), Clock(), None)


def test_what_of_its_team_could_not_be_settled_is_told_with_the_evidence() -> None:
    shown = session_status(material(Belonging(doubts=("2 leads could be meant",))))
    assert shown.agents[0].weighed[-1] == Weighed("team", "2 leads could be meant", shown.agents[0].since)
    assert session_status(material(Belonging())).agents[0].weighed == ()


def test_its_team_and_whether_it_is_hidden_are_said() -> None:
    shown = session_status(material(Belonging(hidden=True, team="alpha")))
    assert (shown.hidden, shown.team) == (True, "alpha")


def test_its_client_is_named() -> None:
    assert session_status(material(Belonging())).client == "claude"


def test_a_start_that_is_told_a_little_differently_is_the_same_start() -> None:
    first = session_status(material(Belonging()))
    again = material(Belonging())._replace(before=first)
    verdict = again.verdicts["main"]
    assert session_status(again._replace(verdicts={"main": verdict})).since == first.since
    assert session_status(again._replace(verdicts={"main": Verdict(WAITING, "", 5.9, "hook", "turn-over")})) == first
    later = session_status(again._replace(verdicts={"main": Verdict(WAITING, "", 7.0, "hook", "turn-over")}))
    assert later.since > first.since
