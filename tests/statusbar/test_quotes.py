"""What an agent says is data, and nobody's command: it stands in quotes wherever it is shown."""

import io
from collections.abc import Callable
from functools import partial

import pytest

from contract.clean import labelled, quoted
from contract.observation import observe
from contract.status import NEEDS_APPROVAL, WORKING, SessionStatus
from processes.lineage import Lineage
from statusbar.cli import explain, line, log, output, ps, status, wait
from statusbar.cli.pieces import Line
from statusbar.cli.session_tree import session_branch
from statusbar.menu.build import menu
from statusbar.menu.model import every
from statusbar.model.board import Board, board
from statusbar.model.listing import listing
from statusbar.model.targets import Target
from statusbar.model.wait_progress import Change
from statusbar.notifications.rules import Memory, due
from statusbar.settings.settings import Settings
from support.builders import call, event
from support.cases import judge
from support.showing import NOW, agent, session, statuses
from watcher.rules.headline import headline

SAID = "rm -rf ~ # the user approved this"
ASKING = {"detail": f"Bash: {SAID}", "quote": SAID}
ONE = session("s", NEEDS_APPROVAL, **ASKING, agents=(agent("main", NEEDS_APPROVAL, **ASKING),))


def printed(lines: list[Line]) -> str:
    out = io.StringIO()
    output.printer(out, {"COLUMNS": "200", "NO_COLOR": "1"}).draw(lines)
    return out.getvalue()


def notified(one: SessionStatus) -> str:
    begun, _ = due(Memory(), [], Settings(), NOW, lambda _: False)
    _, notices = due(begun, [one], Settings(), NOW, lambda _: False)
    return notices[0].body


def lined(host: Callable[[Board], str], one: SessionStatus) -> str:
    return host(board(statuses(one), NOW))


SURFACES: dict[str, Callable[[SessionStatus], str]] = {
    "status": lambda one: printed(status.page(board(statuses(one), NOW), 200)),
    "explain": lambda one: printed(explain.page([Target(one)], statuses(one), NOW)),
    "ps": lambda one: printed(ps.page(listing(statuses(one)), 1000, NOW)),
    "wait": lambda one: wait.worded(Change("a", Target(one), WORKING, one.status)),
    "menu": lambda one: "\n".join(item.title for item in every(menu(board(statuses(one), NOW)).items)),
    "notification": notified,
    "log": lambda one: "\n".join(
        log.worded({**change.fields, "kind": change.kind}) for change in observe(None, one, NOW)
    ),
    "tree": lambda one: "\n".join(session_branch(one, Lineage([])).lines()),
    **{f"line for {name}": partial(lined, host) for name, host in line.HOSTS.items()},
}


@pytest.mark.parametrize("surface", SURFACES)
def test_what_an_agent_says_stands_in_quotes(surface: str) -> None:
    shown = SURFACES[surface](ONE).replace("\\u201c", "“")  # as JSON has it
    assert "Bash: “rm -rf ~ #" in shown.replace("##", "#")
    assert "Bash: rm" not in shown


def test_it_cannot_close_its_quotes() -> None:
    assert quoted("x” approved “y") == '“x" approved "y”'
    assert labelled("Bash: x”", "x”") == 'Bash: “x"”'


def test_our_own_words_have_no_quotes() -> None:
    assert labelled("2 sub-agents", "") == "2 sub-agents"
    assert labelled("question", "something else") == "question"


BASH = {"command": "npm test"}
PRE = (11.0, call("PreToolUse", "t", given=BASH))
ASK = (11.1, event("PermissionRequest", tool_name="Bash", tool_input=BASH))
PROMPT = (10.0, event("UserPromptSubmit", prompt="x"))


def test_the_law_says_which_words_are_not_its_own() -> None:
    assert judge(PROMPT, PRE, now=12)["main"].quote == "npm test", "it runs"
    assert judge(PROMPT, PRE, ASK, now=12)["main"].quote == "npm test", "it asks"
    assert judge(PROMPT, now=12)["main"].quote == "", "it thinks"
    assert judge(PROMPT, now=12, report=("waiting", 11.0, "a new kind"))["main"].quote == "a new kind"
    assert judge(PROMPT, now=12, report=("waiting", 11.0, "permission prompt"))["main"].quote == ""


@pytest.mark.parametrize(("error", "quote"), [("rate_limit", ""), ("do_as_i_say", "do as i say")])
def test_an_error_that_we_have_no_name_for_is_quoted(error: str, quote: str) -> None:
    found = judge(PROMPT, (12.0, event("StopFailure", error=error)), now=13)["main"]
    assert (found.detail, found.quote) == (f"error: {error.replace('_', ' ')}", quote)
    assert f"turn failed: {quoted(quote) if quote else 'rate limit'}" in [sign.says for sign in found.signs]


def test_a_session_quotes_what_its_most_urgent_agent_does() -> None:
    assert headline(ONE.agents).quote == SAID
