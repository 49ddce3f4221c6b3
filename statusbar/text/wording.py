"""The words of status files as a person reads them. Scripts get them unchanged, with --json."""

from __future__ import annotations

from contract.clean import labelled, quoted
from contract.status import NEEDS_APPROVAL
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contract.status import AgentStatus, SessionStatus

AGENT_STATES = {"suspended": "paused", "joined": "finished"}  # the others are plain words already
# What is asked for, where the status file names only the kind of request.
REQUESTS = {
    "question": "a question",
    "plan": "a plan",
    "permission": "a permission",
    "dialog": "a dialog",
    "sandbox request": "a sandbox request",
    "teammate asks": "a teammate's request",
}
UNSEEN = "asks, no terminal open"
WAITS_FOR = {"approval": "approval", "sub_agent_join": "its agents", "user": "you", "wakeup": "its wake-up"}
ASKED = ("question", "plan")  # of these the agent's own words are in its transcript
QUESTIONS = ("question", "dialog")  # they need an answer, not an approval


def agent_state(state: str) -> str:
    return AGENT_STATES.get(state, state)


def spaced(word: str) -> str:
    return word.replace("_", " ")


def agent_kind(kind: str) -> str:
    return kind.replace("_", "-")


def detail(status: SessionStatus | AgentStatus, limit: int, question: str = "") -> str:
    """The detail, safe to draw. An agent's own text in it is quoted; `question` is what it asks, if that is known."""
    if status.status != NEEDS_APPROVAL:
        return tidy(labelled(status.detail, status.quote), limit)
    if not getattr(status, "unseen", False):
        return _asked(status, limit, question)
    return f"{UNSEEN}: {_asked(status, limit - len(UNSEEN) - 2, question)}"


def _asked(status: SessionStatus | AgentStatus, limit: int, question: str) -> str:
    if question and asks(status):
        return said(question, limit)
    return tidy(labelled(status.detail, status.quote) if status.quote else request(status.detail), limit)


def request(text: str) -> str:
    """The name of a teammate may come first: "tester: question"."""
    name, colon, kind = text.rpartition(": ")
    return name + colon + REQUESTS.get(kind, kind)


def said(words: str, limit: int) -> str:
    """An agent's own words, safe to draw, in quotes that they cannot close, also where they are cut."""
    shown = tidy(words, limit - 2)
    return quoted(shown) if shown else ""


def asks(status: SessionStatus | AgentStatus) -> bool:
    """Whether it is known only that it asks something or has a plan, and not a teammate of it."""
    return status.status == NEEDS_APPROVAL and not status.quote and status.detail in ASKED


def is_question(status: SessionStatus | AgentStatus) -> bool:
    is_kind_only = status.status == NEEDS_APPROVAL and not status.quote
    return is_kind_only and status.detail.rpartition(": ")[2] in QUESTIONS
