"""What leaves this machine: by default no word that a person, an agent or a client has written."""

import json
from typing import Any

import pytest

from contract import status
from contract.status import SessionStatus, Weighed
from fleet import broker_messages, outgoing
from support.showing import HOSTILE, NOW, agent, hostile, session

COMMAND, PROMPT, TITLE, FOLDER = "rm -rf build", "fix the login", "my secret title", "/home/me/clients/acme"


def full() -> SessionStatus:
    said: dict[str, Any] = {"detail": COMMAND, "quote": COMMAND, "rule": "asks", "evidence": PROMPT}
    main = agent("main", status.NEEDS_APPROVAL, **said, weighed=(Weighed("hook", PROMPT, NOW),))
    sub = agent("a1b2", status.WORKING, parent="main", type=TITLE, name=TITLE, waits_for=("words of a person",))
    mate = agent("words of a person", status.WAITING, kind="teammate", **said)
    return session(
        "9df7420c-3c33-4845-8b68-60c055e751a8", status.NEEDS_APPROVAL, name=TITLE, cwd=f"{FOLDER}/shop", team=TITLE,
        transcript=f"{FOLDER}/x.jsonl", terminal={"TMUX_PANE": "%7", "TMUX": "/tmp/tmux-0/default"}, client="claude",
        agents=(main, sub, mate), **said,
    )  # fmt: skip


def wire(one: SessionStatus, level: str) -> bytes:
    return outgoing.message(outgoing.session(one, level), NOW, 7)


def test_by_default_this_and_nothing_else_is_on_the_wire() -> None:
    assert wire(full(), outgoing.STATES) == (
        b'{"v":1,"now":1800000000.0,"n":7,"session_id":"9df7420c-3c33-4845-8b68-60c055e751a8","name":"shop",'
        b'"cwd":"shop","pid":null,"status":"needs_approval","detail":"","since":1799999940.0,"rule":"","evidence":"",'
        b'"client":"claude","agents":['
        b'{"key":"main","kind":"agent","type":null,"parent":null,"status":"needs_approval","detail":"",'
        b'"since":1799999940.0,"rule":"","evidence":"","state":"running"},'
        b'{"key":"a1b2","kind":"sub_agent","type":null,"parent":"main","status":"working","detail":"",'
        b'"since":1799999940.0,"rule":"","evidence":"","state":"running","waits_for":["2d0cb2de4b155e30"]},'
        b'{"key":"2d0cb2de4b155e30","kind":"teammate","type":null,"parent":null,"status":"waiting","detail":"",'
        b'"since":1799999940.0,"rule":"","evidence":"","state":"running"}]}'
    )


@pytest.mark.parametrize(
    ("level", "told", "untold"),
    [
        (outgoing.STATES, ["shop"], [COMMAND, PROMPT, TITLE, FOLDER, "TMUX", "words of a person", "asks"]),
        (outgoing.DETAILS, ["shop", COMMAND, TITLE, "asks"], [FOLDER, "TMUX", '"weighed"']),
        (outgoing.FOLDERS, ["shop", COMMAND, TITLE, f"{FOLDER}/shop", "TMUX_PANE", '"weighed"'], ["x.jsonl"]),
    ],
)
def test_each_level_tells_a_little_more(level: str, told: list[str], untold: list[str]) -> None:
    said = wire(full(), level).decode()
    assert all(word in said for word in told)
    assert not [word for word in untold if word in said]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_from_outside_is_told_by_default_but_for_the_name_of_the_folder(text: str) -> None:
    one = hostile(text)._replace(session_id="abc", cwd="/home/me/shop")
    said = wire(one, outgoing.STATES).decode()
    assert json.dumps(text)[1:-1] not in said
    assert text not in said


@pytest.mark.parametrize("level", outgoing.LEVELS)
def test_a_board_reads_what_was_told(level: str) -> None:
    one = full()
    raw = broker_messages.fields(wire(one, level))
    told = broker_messages.session(raw, one.session_id, 0.0, NOW)
    assert told
    assert told.number == 7
    assert told.session.status == status.NEEDS_APPROVAL
    assert [agent.status for agent in told.session.agents] == [agent.status for agent in one.agents]


def test_a_session_that_is_too_large_is_told_without_its_evidence_or_its_agents() -> None:
    evidence = tuple(Weighed("hook", "x" * 200, NOW) for _ in range(40))
    heavy = session("s", agents=tuple(agent(f"a{k}", weighed=evidence) for k in range(100)))
    many = session("s", agents=tuple(agent(f"a{k}", detail="x" * 200) for k in range(1000)))
    for one, number in ((heavy, 100), (many, 0)):
        said = wire(one, outgoing.FOLDERS)
        assert len(said) <= outgoing.LARGEST
        assert len(json.loads(said)["agents"]) == number


def test_the_machine_tells_which_sessions_it_has() -> None:
    raw = broker_messages.fields(outgoing.host(["a", "b"], NOW, 3, "run", known=True))
    about = broker_messages.about(raw)
    assert about
    assert (about.is_online, about.is_known, about.sessions, about.number) == (True, True, frozenset("ab"), 3)
    gone = broker_messages.about(broker_messages.fields(outgoing.farewell("run", "why")))
    assert gone
    assert (gone.is_online, gone.why) == (False, "why")
