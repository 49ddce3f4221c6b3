"""`yourturn requests`, `allow`, `deny` and `answer`, with a hook that really waits."""

from __future__ import annotations

import itertools
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from answers import open_requests, word
from support.asking import BASH, QUESTION, Asking, decision
from support.builders import SESSION
from support.orphan import orphan
from support.patience import until
from support.project import PROJECT
from support.showing import put, session, terminal

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from answers.request import Request

YOURTURN = [sys.executable, str(PROJECT / "yourturn.py")]
NUMBER = itertools.count()


class Desk(Asking):
    def type(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        folder = self.config.parent / "typed" / str(next(NUMBER))
        return orphan(folder, [*YOURTURN, *words], {**self.env, "YOURTURN_NO_WATCHER": "1", **env})

    def goes_on(self, hook: subprocess.Popen[bytes]) -> dict[str, Any]:
        """As the client does when the hook has spoken."""
        found = decision(hook)
        self.says("busy")
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk(tmp_path) as made:
        yield made


def test_what_is_open_is_listed_whole_with_how_to_answer_it(desk: Desk) -> None:
    assert desk.type("requests").stdout == "No request can be answered from here.\n"
    desk.hook()
    request = desk.open()
    found = desk.type("requests").stdout
    assert request.id in found
    assert "    touch made\n" in found
    assert f"allow {request.id}" in found
    (listed,) = json.loads(desk.type("requests", "--json").stdout)["requests"]
    assert (listed["id"], listed["input"], listed["can_allow"]) == (request.id, BASH["tool_input"], True)


def test_a_request_is_named_by_its_id_the_beginning_of_it_or_its_session(desk: Desk, tmp_path: Path) -> None:
    put(tmp_path / "state", session(SESSION, name="shop", client="claude"))
    for name in ("id", "beginning", "session"):
        desk.says("waiting")
        hook = desk.hook()
        request = desk.open()
        named = {"id": request.id, "beginning": request.id[:6], "session": "shop"}[name]
        done = desk.type("deny", named, "--json")
        assert json.loads(done.stdout)["id"] == request.id
        assert desk.goes_on(hook) == {"behavior": "deny", "message": word.NO}


def test_who_names_none_without_a_terminal_has_not_said_what_they_saw(desk: Desk) -> None:
    hook = desk.hook()
    desk.open()
    done = desk.type("allow")
    assert (done.returncode, done.stdout) == (2, "")
    assert "say which request is meant" in done.stderr
    assert hook.poll() is None


def test_who_names_none_at_a_terminal_is_shown_it_and_asked(desk: Desk, tmp_path: Path) -> None:
    hook = desk.hook()
    desk.open()
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "allow", size="100x30")
        one.until("touch made", "Allow it? [y/N]")
        one.keys("n", "Enter")
        one.until("nothing was sent", "left with 3")
        assert hook.poll() is None
        one.keys("clear; " + " ".join([*YOURTURN, "allow"]), "Enter")
        one.until("touch made", "Allow it? [y/N]")
        one.keys("y", "Enter")
        assert desk.goes_on(hook) == {"behavior": "allow"}
        one.until("allowed")


@pytest.mark.parametrize("name", ["CLAUDECODE", "AGENT_MODE", "COPILOT_CLI"])
def test_an_agent_may_not_answer_for_a_person(desk: Desk, name: str) -> None:
    hook = desk.hook()
    done = desk.type("allow", desk.open().id, **{name: "1"})
    assert (done.returncode, done.stdout) == (3, "")
    assert "an agent may not answer for a person" in done.stderr
    assert hook.poll() is None
    assert desk.outcomes() == []


def test_several_are_listed_and_nothing_is_guessed(desk: Desk) -> None:
    (desk.config.parent / "state" / "config.toml").write_text("[answers]\nagents = 3600\n")
    desk.hook({**BASH, "agent_id": "a1"})
    first = desk.open()
    desk.hook({**BASH, "agent_id": "a2"})
    until(lambda: len(open_requests.requests(desk.home)) == 2, "the second request")
    done = desk.type("deny")
    assert (done.returncode, first.id in done.stderr) == (3, True)


def two(desk: Desk, **more: Any) -> list[Request]:
    """Two sub-agents that ask, the second perhaps for something else."""
    (desk.config.parent / "state" / "config.toml").write_text("[answers]\nagents = 3600\n")
    desk.hook({**BASH, "agent_id": "a1"})
    desk.hook({**BASH, "agent_id": "a2", **more})
    until(lambda: len(open_requests.requests(desk.home)) == 2, "both requests")
    return open_requests.requests(desk.home)


def test_what_is_byte_for_byte_the_same_is_allowed_together_by_the_ids(desk: Desk) -> None:
    ids = [one.id for one in two(desk)]
    done = desk.type("allow", *ids)
    assert (done.returncode, done.stdout) == (0, "".join(f"{id_}  allowed\n" for id_ in ids))
    assert desk.outcomes() == ["taken", "taken"]


def test_what_differs_is_not_allowed_together(desk: Desk) -> None:
    ids = [one.id for one in two(desk, tool_input={"command": "touch made"})]
    done = desk.type("allow", *ids)
    assert (done.returncode, "byte for byte the same" in done.stderr) == (3, True)
    assert desk.outcomes() == []


def test_with_equal_all_are_shown_and_asked_about_once(desk: Desk, tmp_path: Path) -> None:
    ids = [one.id for one in two(desk)]
    unseen = desk.type("allow", "--equal", ids[0])
    assert (unseen.returncode, "by its id" in unseen.stderr) == (2, True)
    with terminal(tmp_path / "state", tmp_path) as one:
        one.start(*YOURTURN, "allow", "--equal", ids[0], size="100x30")
        one.until(*ids, "Allow all 2? [y/N]")
        one.keys("y", "Enter")
        one.until(*(f"{id_}  allowed" for id_ in ids))
    assert desk.outcomes() == ["taken", "taken"]


def test_of_several_each_outcome_is_told(desk: Desk) -> None:
    ids = [one.id for one in two(desk)]
    told = json.loads(desk.type("allow", "--json", *ids, ids[0]).stdout)
    assert (told["ok"], [(one["id"], one["words"]) for one in told["answers"]]) == (True, [(x, "allowed") for x in ids])


def test_who_names_the_session_has_not_said_what_they_saw(desk: Desk, tmp_path: Path) -> None:
    """Another request of it may be open by now than the one that they saw."""
    put(tmp_path / "state", session(SESSION, name="shop", client="claude"))
    hook = desk.hook()
    desk.open()
    done = desk.type("allow", "shop")
    assert (done.returncode, "by its id" in done.stderr) == (2, True)
    assert hook.poll() is None


def test_a_short_word_is_never_the_beginning_of_an_id(desk: Desk) -> None:
    hook = desk.hook()
    done = desk.type("deny", desk.open().id[:3])
    assert (done.returncode, "no open request" in done.stderr) == (2, True)
    assert hook.poll() is None


def test_a_question_is_answered_one_word_for_each(desk: Desk) -> None:
    hook = desk.hook(QUESTION)
    request = desk.open()
    few = desk.type("answer", request.id, "1")
    assert (few.returncode, "2 questions" in few.stderr) == (2, True)
    desk.type("answer", request.id, "green", "1,2")
    answers = {"Which colour?": "Green", "Which sizes?": "S, L"}
    assert desk.goes_on(hook)["updatedInput"]["answers"] == answers


@pytest.mark.parametrize(("command", "asked"), [("allow", QUESTION), ("answer", BASH)])
def test_the_wrong_kind_of_answer_says_which_is_right(desk: Desk, command: str, asked: dict[str, Any]) -> None:
    desk.hook(asked)
    request = desk.open()
    done = desk.type(command, request.id, *(["1"] if command == "answer" else []))
    assert done.returncode == 3
    assert f"{'answer' if command == 'allow' else 'allow'} {request.id}" in done.stderr


def test_what_cannot_be_seen_is_not_allowed(desk: Desk) -> None:
    hook = desk.hook({**BASH, "tool_input": {"command": "ls \u202egnp.exe"}})
    request = desk.open()
    assert "can only be denied" in desk.type("requests").stdout
    done = desk.type("allow", request.id)
    assert (done.returncode, "cannot be seen" in done.stderr) == (3, True)
    assert hook.poll() is None


def test_an_answer_that_is_too_long_is_refused_before_anything_is_sent(desk: Desk) -> None:
    hook = desk.hook()
    done = desk.type("deny", desk.open().id, "--message", "x" * 3000)
    assert (done.returncode, "2000 characters" in done.stderr) == (2, True)
    assert hook.poll() is None
