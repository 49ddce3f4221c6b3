"""Broken laws that the simulator does not find, and why: the one list of what it cannot see."""

from __future__ import annotations

_TOLD_TWICE = "where a program has no hooks it has the registry, which tells the same"
_REALLY = f"{_TOLD_TWICE}; e2e/test_wrong_lights_without_hooks.py"
_BY_THE_LAW = f"{_TOLD_TWICE}; rules/test_without_hooks.py"

SURVIVORS = {
    "a question that is only written is not asked": _REALLY,
    "a goal opens no turn": _REALLY,
    "what goes on at the end of a turn is not read": _BY_THE_LAW,
    "the registry is shown before the hook can tell": "the words of that moment are excused: they name no wrong agent",
    "a process elsewhere is looked for here": (
        "all processes of the model run here; e2e: a_client_in_a_container_that_shares_the_home"
    ),
    "any process with its pid is the client": "each process of the model tells when it began, and no pid comes twice",
    "a second PreToolUse takes a request back": "the client waits for both before it asks; see test_changes.py",
    "a prompt is closed by an idle of before it": "the registry is behind for less than a light may take",
    "the registry is not believed when it says idle": (
        "each idle of the model is newer than what it ends; e2e: a_prompt_that_a_hook_holds_back, a_refused_compaction"
    ),
    "a hook of one's own holds nothing back": (
        "while a hook thinks either light is excused; e2e: a_sub_agent_that_asks_while_a_slow_hook_of_yours_looks_on"
    ),
    "an open dialog is never a server's or a teammate's": (
        "only where the hooks that run cannot be seen, as in a container; rules/test_dialogs.py:"
        " the_dialog_of_a_server_or_of_a_teammate_brings_no_request_back"
    ),
    "MAIN_RULES without dialog-notified": "no program loses a request where there is no registry; case 12 of the law",
    "MAIN_RULES without agents-left": _BY_THE_LAW,
    "MAIN_RULES without workflow-runs": "the model plays no workflow; e2e: a_workflow_keeps_the_session_working",
    "SUB_AGENT_RULES without question-of-a-server": "the client tells each question of a server as its main agent's",
    "SUB_AGENT_RULES without written-off": (
        "its parent hears of each end that no hook told, so recorded-end says it two seconds later; case 21 of the law"
    ),
    "SUB_AGENT_RULES without quiet": "no program leaves a sub-agent without any word of its end; case 21 of the law",
}
