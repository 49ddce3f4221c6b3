"""Claude Code: its PermissionRequest hook, what it takes for an answer, and what its registry says meanwhile.

Sent is nothing but allow, deny with a message, the answers to a question, and a plan as it is. What else the client
would take is left alone: rules for the future switch modes that the person did not ask for, another input runs while
the screen shows the first one, and an interruption swallows the message.
"""

from __future__ import annotations

from answers.request import PERMISSION, PLAN, QUESTION, Request
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
    client = surroundings.client(*process(env))
    if client is None or env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith(SCRIPTED):
        return None  # nobody is there who could be asked, and the call is denied only when the hook has ended
    request = described(payload, env, client.pid, client.start)
    # Where the client keeps no registry, nobody knows whether its dialog is open.
    return request if request and _registry(request) else None


def described(payload: dict[str, Any], env: Mapping[str, str], pid: int, start: str) -> Request | None:
    """What a hook is told of a request, as a value; None for what is none. `pid`, `start`: of the client."""
    (change,) = translate(payload)
    texts = (change.session, change.agent, change.tool)
    if not all(isinstance(text, str) and text for text in texts) or not isinstance(change.given, dict):
        return None
    return Request(
        client="claude", kind=KINDS.get(change.tool, PERMISSION), session=change.session, agent=change.agent,
        turn=_text(change.turn), mode=_text(change.mode), tool=change.tool, target=target(change.about),
        input=change.given, cwd=_text(change.cwd), folder=claude.config_dir(env), client_pid=pid, client_start=start,
    )  # fmt: skip


def is_shown(request: Request) -> bool:
    """The dialog of a sub-agent appears only when the hook has ended."""
    return request.agent == "main" and is_open(request)


def is_open(request: Request) -> bool:
    return _registry(request).get("status") == ASKS


def moment(request: Request) -> object:
    said = _registry(request)
    return (said["status"], said.get("statusUpdatedAt")) if said.get("status") else None


def decision(request: Request, word: Word) -> bytes:
    made = decided(request, word)
    if request.kind == PERMISSION:
        made.pop("updatedInput", None)  # a hook says nothing of what it does not change; a plan would stay open
    return wire.encode({"hookSpecificOutput": {"hookEventName": EVENT, "decision": made}}) + b"\n"


def decided(request: Request, word: Word) -> dict[str, Any]:
    """With the input: as it is, but for the answers to a question."""
    if word.deed == DENY:
        return {"behavior": "deny", "message": word.message}
    answers = {"answers": _answers(request, word)} if word.deed == ANSWER else {}
    return {"behavior": "allow", "updatedInput": {**request.input, **answers}}


def _answers(request: Request, word: Word) -> dict[str, str]:
    """One for each question that was shown: what is none has no number there, and gets no answer here."""
    asked = [one.get("question") for one in request.input.get("questions", ()) if isinstance(one, dict)]
    return dict(zip([question for question in asked if isinstance(question, str)], word.texts, strict=False))


def _registry(request: Request) -> dict[str, Any]:
    """What this very process says of this very session; {} if it says nothing."""
    try:
        said = wire.decode(store.read(f"{request.folder}/sessions/{request.client_pid}.json") or b"")
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) and said.get("sessionId") == request.session else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_PATH else ""
