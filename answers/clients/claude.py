"""Claude Code: its PermissionRequest hook, what it takes for an answer, and what its registry says meanwhile.

Sent is nothing but allow, deny with a message, the answers to a question, and a plan as it is. What else the client
would take is left alone: rules for the future switch modes that the person did not ask for, another input runs while
the screen shows the first one, and an interruption swallows the message.
"""

from __future__ import annotations

from answers.asked import PERMISSION, PLAN, QUESTION, Request
from answers.word import ANSWER, DENY
from contract import store, wire
from contract.clients import claude
from recorder import surroundings
from recorder.calls import target
from recorder.clients.claude import process, translate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from answers.word import Word

KINDS = {"AskUserQuestion": QUESTION, "ExitPlanMode": PLAN}
EVENT = "PermissionRequest"
ASKS = "waiting"  # the registry's word for a client that shows a dialog
SCRIPTED = "sdk"  # how the entrypoint of a client begins that nobody sits at
LONGEST_PATH = 4096


def asked(payload: Any, env: Mapping[str, str]) -> Request | None:
    if not isinstance(payload, dict) or payload.get("hook_event_name") != EVENT:
        return None
    (change,) = translate(payload)
    client = surroundings.client(*process(env))
    texts = (change.session, change.agent, change.tool)
    is_fit = all(isinstance(text, str) and text for text in texts) and isinstance(change.given, dict)
    if client is None or not is_fit:
        return None
    if env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith(SCRIPTED):
        return None  # nobody is there who could be asked, and the call is denied only when the hook has ended
    request = Request(
        client="claude", kind=KINDS.get(change.tool, PERMISSION), session=change.session, agent=change.agent,
        turn=_text(change.turn), mode=_text(change.mode), tool=change.tool, target=target(change.about),
        input=change.given, cwd=_text(change.cwd), folder=claude.config_dir(env), client_pid=client.pid,
        client_start=client.start,
    )  # fmt: skip
    # Where the client keeps no registry, nobody knows whether its dialog is open.
    return request if _registry(request) else None


def is_shown(request: Request) -> bool:
    """The dialog of a sub-agent appears only when the hook has ended."""
    return request.agent == "main" and is_open(request)


def is_open(request: Request) -> bool:
    return _registry(request).get("status") == ASKS


def moment(request: Request) -> object:
    said = _registry(request)
    return said.get("status"), said.get("statusUpdatedAt")


def decision(request: Request, word: Word) -> bytes:
    made: dict[str, Any] = {"behavior": "allow"}
    if word.deed == DENY:
        made = {"behavior": "deny", "message": word.message}
    elif word.deed == ANSWER:
        made["updatedInput"] = {**request.input, "answers": _answers(request, word)}
    elif request.kind == PLAN:
        made["updatedInput"] = request.input  # without it the plan stays open
    return wire.encode({"hookSpecificOutput": {"hookEventName": EVENT, "decision": made}}) + b"\n"


def _answers(request: Request, word: Word) -> dict[str, str]:
    questions = [one.get("question") for one in request.input.get("questions", ()) if isinstance(one, dict)]
    return {question: text for question, text in zip(questions, word.texts, strict=False) if isinstance(question, str)}


def _registry(request: Request) -> dict[str, Any]:
    """What this very process says of this very session; {} if it says nothing."""
    try:
        said = wire.decode(store.read(f"{request.folder}/sessions/{request.client_pid}.json") or b"")
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) and said.get("sessionId") == request.session else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_PATH else ""
