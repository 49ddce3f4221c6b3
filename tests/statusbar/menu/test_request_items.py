"""What an agent asks for, in the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from answers import open_requests, record
from answers.request import QUESTION, Request
from contract import paths
from contract.status import NEEDS_APPROVAL
from statusbar.menu import answer_actions
from statusbar.menu.build import WIDEST, menu
from statusbar.menu.model import MenuAction, every
from statusbar.model.board import board
from statusbar.text.width import width
from support import asking
from support.asking import Asking, decision
from support.builders import SESSION
from support.patience import until
from support.showing import NOW, agent, session, statuses

if TYPE_CHECKING:
    from pathlib import Path

    from statusbar.menu.model import Item


def request(tool: str = "Bash", kind: str = "permission", **given: Any) -> Request:
    return Request(id="0" * 16, session="a", agent="main", tool=tool, kind=kind, input=given)


def drawn(*requests: Request) -> list[Item]:
    whole = board(statuses(session("a", NEEDS_APPROVAL), session("b")), NOW)
    return list(every(menu(whole, requests=requests).items))


def titles(*requests: Request) -> list[str]:
    return [item.title for item in drawn(*requests)]


def test_the_whole_command_stands_above_allow_and_deny() -> None:
    found = titles(request(command="make test && \nls"))
    at = found.index("Asks for Bash:")
    assert found[at : at + 3] == ["Asks for Bash:", "   make test && ", "   ls"]
    assert found[at + 4 : at + 6] == ["Deny", "Allow"]
    assert "Allow" not in titles()


def test_the_reason_of_the_light_stands_beside_it() -> None:
    found = titles(request(command="make test"))
    assert found[found.index("Deny") - 1] == "Why: some rule (from hook)"
    agents = (agent(rule="waits-for-agents"), agent("x", NEEDS_APPROVAL, rule="asks", evidence="registry"))
    whole = board(statuses(session("a", NEEDS_APPROVAL, agents=agents)), NOW)
    asked = Request(id="0" * 16, session="a", agent="x", tool="Bash", input={"command": "ls"})
    words = [item.title for item in every(menu(whole, requests=[asked]).items)]
    assert "Why: asks (from registry)" in words, "of the very agent"


def test_what_does_not_fit_can_only_be_denied() -> None:
    for given in ("x " * 900, "a\u202eb"):
        found = titles(request(command=given))
        assert "Allow" not in found
        assert "Deny" in found
        assert any("look at it in its terminal" in title for title in found)


def test_a_long_line_is_folded_and_not_cut() -> None:
    found = drawn(request(command="word " * 60))
    text = "".join(item.title[3:] for item in found if "text" in item.key)
    assert text == "word " * 60
    assert all(width(item.title) <= WIDEST for item in found)


def test_a_question_has_an_item_for_each_option() -> None:
    one = {"question": "Which?", "options": [{"label": "Red"}, {"label": "Green"}]}
    found = titles(request("AskUserQuestion", QUESTION, questions=[one]))
    assert [title for title in found if title.startswith(("Answer", "Deny", "Allow"))] == [
        "Deny", "Answer: Red", "Answer: Green",
    ]  # fmt: skip
    several = request("AskUserQuestion", QUESTION, **asking.QUESTION["tool_input"])
    assert not [title for title in titles(several) if title.startswith("Answer")]


def asked_by(agent: str, number: int, **more: Any) -> Request:
    given = {"session": "a", "tool": "Bash", "input": {"command": "ls"}, **more}
    return Request(**{"id": f"{number:016x}", "agent": agent, "client_pid": 7, **given})


def test_what_is_byte_for_byte_the_same_can_be_allowed_together_below_the_last_of_it() -> None:
    three = [asked_by(name, number) for number, name in enumerate(("x", "y", "z"))]
    found = drawn(*three, asked_by("w", 9, input={"command": "ls "}))
    (item,) = [item for item in found if item.title.startswith("Allow all")]
    assert item.title == "Allow all 3 equal requests"
    assert item.choice
    assert {item.choice.request, *(id_ for id_, _ in item.choice.others)} == {one.id for one in three}
    texts = [item.key for item in found if item.key[-2:-1] == ("text",)]
    assert sum(three[k].id in key for k in range(3) for key in texts) == 3, "each of them is drawn"
    above = [number for number, one in enumerate(found) if three[2].id in one.key and one.title == "Allow"]
    assert found.index(item) == above[0] + 1


@pytest.mark.parametrize(
    "more",
    [
        {"input": {"command": "ls", "timeout": 1}},
        {"tool": "Other"},
        {"cwd": "/elsewhere"},
        {"client_pid": 8},
        {"input": {"command": "ls", "n": 1.0}},
    ],
    ids=["another input", "another tool", "another folder", "another terminal", "another kind of number"],
)
def test_what_differs_in_anything_is_allowed_alone(more: dict[str, Any]) -> None:
    first = asked_by("x", 1, **({"input": {"command": "ls", "n": 1}} if "n" in more.get("input", {}) else {}))
    other = asked_by("y", 2)
    other.__dict__.update(more)
    assert not [title for title in titles(first, other) if title.startswith("Allow all")]


def test_neither_plans_nor_what_cannot_be_seen_are_allowed_together() -> None:
    for more in ({"kind": "plan", "input": {"plan": "x"}}, {"input": {"command": "a\u202eb"}}):
        both = [asked_by(name, number, **more) for number, name in enumerate("xy")]
        assert not [title for title in titles(*both) if title.startswith("Allow all")]


def test_a_click_allows_all_of_them_each_by_its_own_answer_or_none(tmp_path: Path) -> None:
    with Asking(tmp_path) as client:
        (tmp_path / "state" / "config.toml").write_text("[answers]\nagents = 3600\n")
        hooks = [client.hook({**asking.BASH, "agent_id": name}) for name in ("x", "y")]
        until(lambda: len(open_requests.requests(client.home)) == 2, "both requests")
        shown = {one.id: one for one in open_requests.requests(client.home)}
        whole = board(statuses(session(SESSION, NEEDS_APPROVAL)), NOW)
        found = every(menu(whole, requests=list(shown.values())).items)
        choice = next(item.choice for item in found if item.choice and item.choice.others)
        first = next(iter(shown))
        gone = {id_: one for id_, one in shown.items() if id_ != first}
        assert answer_actions.do(choice, gone, client.home) == answer_actions.OVER
        assert [hook.poll() for hook in hooks] == [None, None]
        assert answer_actions.do(choice, shown, client.home) == "Allowed 2 of 2."
        assert [decision(hook) for hook in hooks] == [{"behavior": "allow"}] * 2
        taken = [(entry["id"], entry["outcome"]) for entry in record.entries(client.home)]
        assert sorted(taken) == sorted((id_, "taken") for id_ in shown)


def test_the_request_of_a_second_terminal_of_one_session_is_in_its_own_row() -> None:
    whole = board(statuses(session("a", NEEDS_APPROVAL), session(paths.twin("a", 8), NEEDS_APPROVAL)), NOW)
    both = [asked_by("main", 1), asked_by("main", 2, client_pid=8)]
    items = menu(whole, requests=both).items
    rows = [[one.id for one in both if any(one.id in item.key for item in every(row.children))] for row in items]
    assert [ids for ids in rows if ids] == [[both[0].id], [both[1].id]]


def test_an_item_never_comes_to_mean_another_request() -> None:
    one, other = request(command="ls"), request(command="rm -rf /")
    keys = [{item.key for item in drawn(each) if item.title == "Allow"} for each in (one, other)]
    assert keys[0].isdisjoint(keys[1])


def chosen(asked: Request, action: MenuAction) -> Any:
    return next(item.choice for item in drawn(asked) if item.choice and item.choice.action is action)


def test_a_click_sends_what_the_menu_drew(tmp_path: Path) -> None:
    with Asking(tmp_path) as client:
        hook = client.hook()
        shown = client.open()
        shown.session = "a"  # the row's
        choice = chosen(shown, MenuAction.DENY)
        shown.session = client.open().session
        choice = choice._replace(digest=shown.digest())
        assert answer_actions.do(choice, {shown.id: shown}, client.home) != answer_actions.OVER
        assert decision(hook)["behavior"] == "deny"


def test_a_click_on_what_is_not_there_any_more_sends_nothing() -> None:
    one, other = request(command="ls"), request(command="rm -rf /")
    choice = chosen(one, MenuAction.ALLOW)
    assert answer_actions.do(choice, {}, "/nowhere") == answer_actions.OVER
    assert answer_actions.do(choice, {other.id: other}, "/nowhere") == answer_actions.OVER
