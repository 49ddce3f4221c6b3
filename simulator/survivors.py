"""Broken laws that the simulator does not find, and why: the one list of what it cannot see."""

from __future__ import annotations

_TOLD_TWICE = "where a program has no hooks it has the registry, which tells the same"

SURVIVORS = {
    "a question that is only written is not asked": _TOLD_TWICE,
    "a goal opens no turn": _TOLD_TWICE,
    "what goes on at the end of a turn is not read": _TOLD_TWICE,
    "the registry is shown before the hook can tell": "the words of that moment are excused: they name no wrong agent",
    "a process elsewhere is looked for here": "all processes of the model run here; test_registry.py has others",
    "any process with its pid is the client": "each process of the model tells when it began, and no pid comes twice",
    "a second PreToolUse takes a request back": "the client waits for both before it asks; see test_changes.py",
    "a prompt is closed by an idle of before it": "the registry is behind for less than a light may take",
    "MAIN_RULES without dialog-notified": "no program loses a request where there is no registry; case 12 of the law",
    "MAIN_RULES without workflow-runs": "the model plays no workflow; case 18 of the law",
    "SUB_AGENT_RULES without question-of-a-server": "the client tells each question of a server as its main agent's",
    "SUB_AGENT_RULES without quiet": "no program leaves a sub-agent without any word of its end; case 21 of the law",
}
