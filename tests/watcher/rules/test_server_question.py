"""The law: the question of an MCP server."""

from support.builders import call, event
from support.cases import ASKING, PRE, PROMPT, STOP, SUB, WAITING, WORKING, launched, stop, verdict
from watcher.rules.past_reports import PastReport


def test_an_mcp_servers_question_asks_until_it_is_answered() -> None:
    seen = (PROMPT, PRE, (12.0, event("Elicitation")))
    assert verdict(*seen, now=13) == (ASKING, "question")
    assert verdict(*seen, (15, event("ElicitationResult")), now=16)[0] == WORKING
    assert verdict(*seen, STOP, now=30)[0] == WAITING


def test_a_servers_question_to_a_sub_agent_asks_though_its_main_agent_has_stopped() -> None:
    """The client tells of it as if it were main's."""
    seen = (*launched(SUB)[:-1], (12.0, event("Elicitation")), stop(13, ("a1", "subagent")))
    assert verdict(*seen, now=30) == (ASKING, "question")
    assert verdict(*seen, now=30, report=("waiting", 12.1, "input needed"))[0] == ASKING
    assert verdict(*seen, now=30, report=("busy", 20.0))[0] == WORKING, "its result was lost, but no dialog is open"
    assert verdict(*seen, (20, event("SubagentStop", **SUB)), now=30)[0] == WAITING, "nobody is left to ask"
    prompt = (20, event("UserPromptSubmit", prompt="y", prompt_id="q"))
    assert verdict(*seen, prompt, now=30)[0] == WORKING, "nobody writes while a form is open"


FORM = event("Elicitation", mcp_server_name="s")
REPLY = event("ElicitationResult", mcp_server_name="s")


def test_an_answered_question_of_a_server_is_not_asked_again_while_the_registry_still_shows_it() -> None:
    dialog = ("waiting", 12.1, "input needed")
    seen = (PROMPT, PRE, (12.0, FORM), (14.0, REPLY))
    assert verdict(*seen[:3], now=14.0, report=dialog) == (ASKING, "question")
    assert verdict(*seen, now=14.3, report=dialog)[0] == WORKING
    assert verdict(*seen, now=16.1, report=dialog) == (ASKING, "question"), "another one"


def test_a_question_of_a_server_is_over_when_a_dialog_that_opened_after_it_was_closed() -> None:
    seen = (PROMPT, PRE, (12.0, FORM))
    assert verdict(*seen, now=13.0, report=("busy", 12.9), history=(PastReport("waiting", 12.1, 12.9),))[0] == WORKING
    theirs = (PastReport("waiting", 11.5, 12.1),)
    assert verdict(*seen, now=12.3, report=("busy", 12.1), history=theirs)[0] == ASKING, "that was another one's"
    assert verdict(*seen, now=14.1, report=("busy", 12.1), history=theirs)[0] == WORKING, "it would have opened by now"


def test_a_notification_of_a_servers_question_is_over_with_its_answer() -> None:
    server = {"mcp_server_name": "web"}
    repeated = event("Notification", notification_type="elicitation_dialog", message="Claude needs your input")
    calls = (11, call("PreToolUse", "t", "mcp__web__fetch"))
    seen = (PROMPT, calls, (12, event("Elicitation", **server)), (18, repeated))
    assert verdict(*seen, now=19)[0] == ASKING
    assert verdict(*seen, (20, event("ElicitationResult", **server)), now=20.5)[0] == WORKING
