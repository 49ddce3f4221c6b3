"""What an agent asks for, in the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from answers.asked import QUESTION, Request
from contract.status import NEEDS_APPROVAL
from statusbar.menu import answer_actions
from statusbar.menu.build import WIDEST, menu
from statusbar.menu.model import MenuAction, every
from statusbar.model.board import board
from statusbar.text.width import width
from support import asking
from support.asking import Asking, decision
from support.showing import NOW, session, statuses

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
    assert found[at : at + 5] == ["Asks for Bash:", "   make test && ", "   ls", "Deny", "Allow"]
    assert "Allow" not in titles()


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
