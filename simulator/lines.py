"""Lines as the client writes them into a transcript, without what no reader looks at."""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]

REJECTED = "User rejected tool use"
WITH_FEEDBACK = (
    "Error: The user doesn't want to proceed with this tool use. The tool use was rejected. The user said: no"
)
DENIED = "Error: Permission for this tool use was denied. The tool use was rejected."
BY_HOOK = "Error: Permission denied by hook"
BY_AUTO_MODE = "Error: Permission for this action has been denied. Reason: scripted"
INTERRUPTED = "[Request interrupted by user]"
INTERRUPTED_TOOL = "[Request interrupted by user for tool use]"


def user(content: Any, **more: Any) -> Record:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def prompt(text: str, prompt_id: str, source: str = "typed") -> Record:
    human = {"permissionMode": "default", "origin": {"kind": "human"}, "turnOrigin": "human"}
    return user(text, promptId=prompt_id, promptSource=source, **human)


def it_is_done(task: str, call_id: str) -> str:
    """What an agent is told of something in the background that has ended."""
    return (
        f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call_id}</tool-use-id>\n"
        "<status>completed</status>\n<summary>it is done</summary>\n</task-notification>"
    )


def it_tells(task: str) -> str:
    """Of a monitor that has seen something and goes on."""
    about = '<summary>Monitor event: "it"</summary>\n<event>one</event>'
    return f"<task-notification>\n<task-id>{task}</task-id>\n{about}\n</task-notification>"


def news(text: str, prompt_id: str) -> Record:
    """A prompt that no person gave."""
    origin = {"kind": "task-notification", "producer": "session-task"}
    return user(text, promptId=prompt_id, origin=origin, promptSource="system", turnOrigin="task_notification")


def news_for_sub_agent(text: str, prompt_id: str) -> Record:
    words = f"[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated background-task event.\n\n{text}"
    origin = {"kind": "task-notification", "producer": "session-task"}
    return user(words, promptId=prompt_id, isMeta=True, origin=origin)


def tools_used(tools: list[str], prompt_id: str) -> Record:
    """Comes before the news of a sub-agent that has used tools which its parent has not."""
    return reminder(f"<tools-used-before-summary>{' '.join(tools)}</tools-used-before-summary>", promptId=prompt_id)


def reminder(text: str, **more: Any) -> Record:
    return user(f"<system-reminder>\n{text}\n</system-reminder>", isMeta=True, **more)


def message(name: str, prompt_id: str) -> Record:
    """From a teammate; no hook tells of it."""
    idle = f'{{"type":"idle_notification","from":"{name}"}}'
    text = f'<teammate-message teammate_id="{name}">\n{idle}\n</teammate-message>'
    return user(f"Another Claude session sent a message:\n{text}", promptId=prompt_id, turnPosition={"turnIndex": 2})


def order(prompt_id: str) -> Record:
    """What a teammate in a pane is told to do."""
    text = '<teammate-message teammate_id="team-lead">\nplease do it\n</teammate-message>'
    return user(text, promptId=prompt_id, turnPosition={"promptIndex": 0, "turnIndex": 1})


def first_of_sub_agent(text: str, prompt_id: str) -> Record:
    return user(text, promptId=prompt_id)


def assistant(block: Record, stop_reason: str | None, **more: Any) -> Record:
    message = {"type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": [block]}
    return {"type": "assistant", "message": {**message, "stop_reason": stop_reason}, "madeBy": "model", **more}


def words(stop_reason: str | None) -> Record:
    return assistant({"type": "text", "text": "some words"}, stop_reason)


def aborted() -> Record:
    return assistant({"type": "text", "text": "some wo"}, None, isAbortedMidStream=True)


def call(call_id: str, tool: str, given: Record) -> Record:
    return assistant({"type": "tool_use", "id": call_id, "name": tool, "input": given}, "tool_use")


def result(call_id: str, prompt_id: str, outcome: Any, **more: Any) -> Record:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": "some output"}
    return user([block], promptId=prompt_id, toolUseResult=outcome, **more)


def rejection(call_id: str, prompt_id: str, outcome: str = REJECTED) -> Record:
    kind = "permission-rule" if outcome in (BY_HOOK, BY_AUTO_MODE) else "user-rejected"
    return result(call_id, prompt_id, outcome, toolDenialKind=kind)


def amends(records: list[Record]) -> list[Record]:
    """For the last turn of a transcript that is taken up again, if calls or their results are where it ends."""
    blocks = [block for record in records for block in _blocks(record)]
    ended = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
    lost = [block["id"] for block in blocks if block["type"] == "tool_use" and block["id"] not in ended]
    if not blocks or blocks[-1]["type"] not in ("tool_use", "tool_result"):
        return []
    unknown = "[Tool call interrupted: the session ended before this call's result was recorded]"
    results = [result(call, "resumed", unknown, toolDenialKind="interrupted") for call in lost]
    words = assistant({"type": "text", "text": "No response requested."}, "stop_sequence", madeBy="other")
    return [*results, {**words, "message": {**words["message"], "model": "<synthetic>"}}]


def _blocks(record: Record) -> list[Record]:
    content = record.get("message", {}).get("content", [])
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def interruption(prompt_id: str, text: str = INTERRUPTED) -> Record:
    return user([{"type": "text", "text": text}], promptId=prompt_id)


def system(subtype: str, **more: Any) -> Record:
    return {"type": "system", "subtype": subtype, **more}


def stop_summary(*errors: str) -> Record:
    return system("stop_hook_summary", hookCount=1, hookErrors=list(errors), preventedContinuation=False)


def turn_duration(agents: int = 0) -> Record:
    """With how many sub-agents go on in the background."""
    more = {"pendingBackgroundAgentCount": agents} if agents else {}
    return system("turn_duration", durationMs=1000, isMeta=False, **more)


def failed(error: str) -> Record:
    block = {"type": "text", "text": "API Error: scripted"}
    more = {"isApiErrorMessage": True, "error": error, "apiErrorType": f"{error}_error"}
    record = assistant(block, "stop_sequence", **more)
    return {**record, "message": {**record["message"], "model": "<synthetic>"}}


def overloaded(attempt: int) -> Record:
    """Of an old client, which goes on trying."""
    more = {"level": "error", "error": {"status": 529}, "retryInMs": 500.0, "retryAttempt": attempt, "maxRetries": 10}
    return system("api_error", **more)


def compacted(trigger: str) -> list[Record]:
    summary: Record = {"isVisibleInTranscriptOnly": True, "isCompactSummary": True}
    if trigger == "auto":
        summary["turnOrigin"] = "human"  # of the turn that goes on
    return [
        system("compact_boundary", content="Conversation compacted", compactMetadata={"trigger": trigger}),
        user("This session is being continued from a previous conversation.", **summary),
    ]


def caveat() -> Record:
    return user("<local-command-caveat>The command below was run directly.</local-command-caveat>", isMeta=True)


def command(name: str) -> Record:
    return user(f"<command-name>/{name}</command-name>\n<command-message>{name}</command-message>")


def goal(prompt_id: str) -> list[Record]:
    """What the setting of a goal leaves behind: the prompt of the turn that it opens."""
    words = user("A session-scoped Stop hook is now active with condition: all is well", isMeta=True)
    records = [command("goal"), {**printed("Goal set: all is well"), "turnOrigin": "human"}, words]
    return [{**record, "promptId": prompt_id} for record in records]


def printed(text: str) -> Record:
    """What a command of the client's own says, where that becomes part of the conversation."""
    return user(f"<local-command-stdout>{text}</local-command-stdout>")


def local(text: str) -> Record:
    return system("local_command", content=f"<local-command-stdout>{text}</local-command-stdout>", isMeta=False)


def title() -> Record:
    """Comes minutes later, and says nothing."""
    return {"type": "ai-title", "aiTitle": "some words"}


def queue(operation: str, content: str | None = None) -> Record:
    more = {} if content is None else {"content": content}
    return {"type": "queue-operation", "operation": operation, **more}
