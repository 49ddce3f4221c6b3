"""The language in which a prompt tells the scripted API what to answer.

A prompt holds ``SCRIPT:[...]``, a JSON list of steps, or ``play NAME`` where the test has given the API a script of
this name; step k answers the k-th request after it. A step has ``text``, ``tools`` or both. Any step may also have:

- ``hold``: a name; the answer waits until the test releases it
- ``pause``: a name; the same, but after the first word of the text and its white space
- ``delay``: seconds before the answer; ``drip``: seconds between the words of the text
- ``status``: an HTTP error instead of the answer, ``error``: its type, ``message``: its words, ``times``: only for
  that many requests
- ``tokens``: how long the answer says that the conversation is; when it nears the limit, the client compacts
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARK = "SCRIPT:"
PLAY = re.compile(r"\bplay ([a-z]\w*)")

Step = dict[str, Any]
Message = dict[str, Any]


def script(*steps: Step) -> str:
    return MARK + json.dumps(steps, separators=(",", ":"))


def text(words: str, **more: Any) -> Step:
    return {"text": words, **more}


def tool(name: str, /, **arguments: Any) -> Step:
    return {"tools": [{"name": name, "input": arguments}]}


def bash(command: str, **more: Any) -> Step:
    return tool("Bash", command=command, description="run it", **more)


def sleep(seconds: float, **more: Any) -> Step:
    """A Bash call that takes its time. The client refuses a plain ``sleep`` in the foreground."""
    return bash(f'python3 -c "import time; time.sleep({seconds})"', **more)


def stay(door: str) -> Step:
    """A Bash call that runs until the test lets it end (see ``e2e.harness.home.Home.door``).

    Not ``cat``: an old client then reads the file once more itself, and would wait at the door for ever.
    """
    return bash(f"wc {door}")


def spawn(description: str, *steps: Step, **more: Any) -> Step:
    """A sub-agent with a script of its own; with ``name`` it is a teammate where teams are switched on.

    In the background, as a new client has it anyway and an old one only when it is told so.
    """
    kind = {"subagent_type": "general-purpose", "run_in_background": True, **more}
    return tool("Agent", description=description, prompt=script(*steps), **kind)


def send(to: str, *steps: Step) -> Step:
    """A message that continues a sub-agent or teammate with a new script."""
    return tool("SendMessage", to=to, summary="go on", message=script(*steps))


def ask(question: str, *options: str) -> Step:
    choices = [{"label": option, "description": option} for option in options]
    return tool(
        "AskUserQuestion",
        questions=[{"question": question, "header": "pick", "multiSelect": False, "options": choices}],
    )


def together(*steps: Step) -> Step:
    """Several calls in one answer, and what the last step says of hold, text and the like."""
    return {
        **{k: v for step in steps for k, v in step.items()},
        "tools": [t for s in steps for t in s["tools"]],
    }


def play(name: str) -> str:
    return f"play {name}"


def place(messages: list[Message], named: Mapping[str, list[Step]] | None = None) -> tuple[list[Step], int]:
    """The newest script in a conversation, and how many answers it has had since. `named`: those with a name."""
    answers = 0
    for message in reversed(messages):
        steps = _script_in(message, named or {})
        if steps is not None:
            return steps, answers
        answers += message["role"] == "assistant"
    return [], 0


def _script_in(message: Message, named: Mapping[str, list[Step]]) -> list[Step] | None:
    # A workflow's agent is first told the prompt of the person, then its own: the last one counts.
    for words in reversed(list(_texts(message))):
        _, mark, rest = words.partition(MARK)
        steps = _decode(rest) if mark else _named(words, named)
        if steps is not None:
            return steps
    return None


def _named(words: str, named: Mapping[str, list[Step]]) -> list[Step] | None:
    return next((named[name] for name in reversed(PLAY.findall(words)) if name in named), None)


def _decode(rest: str) -> list[Step] | None:
    try:
        steps, _ = json.JSONDecoder().raw_decode(rest)
    except ValueError:
        return None
    return steps if isinstance(steps, list) else None


def _texts(message: Message) -> Iterator[str]:
    # What was queued in mid-turn comes from an old client as the system's word.
    content = message["content"] if message["role"] != "assistant" else []
    if isinstance(content, str):
        yield content
        return
    yield from (block["text"] for block in content if block["type"] == "text")
