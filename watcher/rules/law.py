"""The law: what the evidence means.

Two ladders of named rules, one for the main agent and one for the others; the first rule that applies decides and
gives its name to the verdict. Evidence overrides only what is older than itself. The registry speaks for a whole
process, so it settles a question about one agent only where no other agent could be meant. Pure: no clock, no file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from watcher.rules.asks import all_asks
from watcher.rules.pace import SETTLE_S
from watcher.rules.signs import RESTS
from watcher.rules.verdict import Verdict
from watcher.rules.view import NEVER, View, counted
from watcher.rules.views import views

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from watcher.rules.evidence import Evidence

QUEUE_S = 3.0  # how long a queued prompt, or the news of an agent's end, may take to begin a turn
START_S = 1.0  # how long the hook may take that tells of an agent's start
MESSAGE_S = 1.25  # how long a message is on its way: a lead that rests only then has read it
INBOX_S = 5.0  # how long a message between teammates may lie in an inbox
REST_S = 1.0  # the latter after the registry said that the process has nothing to do
SILENT_S = 300.0  # how long a turn may go without any sign where nothing tells of an early interruption
QUIET_S = 1800.0  # how long a sub-agent may, once its parent's turn is over

DIALOGS = {
    "permission prompt": "permission",
    "input needed": "question",
    "sandbox request": "sandbox request",
    "worker request": "teammate asks",
}


def resolve(evidence: Evidence) -> dict[str, Verdict]:
    """A verdict for each agent that is still of interest, main first."""
    found = views(evidence, all_asks(evidence))
    verdicts: dict[str, Verdict] = {}
    for key in _youngest_first(found, evidence.parents):
        going_on = {k: found[k] for k, v in verdicts.items() if evidence.parents.get(k) == key and _goes_on(v)}
        verdicts[key] = _first(SUB_AGENT_RULES, replace(found[key], children=going_on))
    going_on = {key: found[key] for key, verdict in verdicts.items() if verdict.status != WAITING}
    main = _first(MAIN_RULES, replace(found["main"], children=going_on))
    return {"main": main, **{key: verdicts[key] for key in sorted(verdicts)}}


def _goes_on(verdict: Verdict) -> bool:
    """Or will, when its client does."""
    return verdict.status != WAITING or verdict.rule == "client-stopped"


def _youngest_first(found: Mapping[str, View], parents: Mapping[str, str]) -> list[str]:
    """Children before those who started them; a circle in what the client wrote cannot hang us."""

    def depth(key: str) -> int:
        passed: set[str] = set()
        while key in parents and key not in passed:
            passed.add(key)
            key = parents[key]
        return len(passed)

    return sorted((key for key in found if key != "main"), key=lambda key: (-depth(key), key))


def _first(rules: Mapping[str, Callable[[View], Verdict | None]], view: View) -> Verdict:
    for name, rule in rules.items():
        verdict = rule(view)
        if verdict is not None:
            return verdict.named(name, view.signs).lapsing(view.dialog_due)
    raise AssertionError("the last rule always applies")


# --- blocked on you


def approval_asked(view: View) -> Verdict | None:
    if not view.open_asks:
        return None
    ask = min(view.open_asks, key=lambda ask: ask.at)
    # The registry may have it that nobody is asked, without having heard of this one yet.
    return Verdict(NEEDS_APPROVAL, ask.words, ask.at, ask.source, quote=ask.quote, until=view.lag_ends(ask.at))


def question_of_a_server(view: View) -> Verdict | None:
    """An MCP server asks, through whichever agent has called it."""
    at = view.elicited
    if at is None or view.is_elicitation_over(at):
        return None
    return Verdict(NEEDS_APPROVAL, "question", at, "hook", until=view.lag_ends(at))


def registry_waits(view: View) -> Verdict | None:
    """A dialog that no hook told of. One that a person opened, with no turn open, blocks nobody."""
    said = view.said
    if said is None or said.status != "waiting" or view.is_explained(said.at):
        return None
    if view.is_about_to_be_told:
        return None
    words = DIALOGS.get(said.waiting_for)
    if words is None and (not view.is_open_without_registry or view.newest_sign > said.at + SETTLE_S):
        return None
    if not said.is_now and view.stopped_at is None and view.newest_sign > said.at + SETTLE_S:
        return None
    quote = "" if words else said.waiting_for
    return Verdict(NEEDS_APPROVAL, words or quote or "dialog", said.at, "registry", quote=quote)


def dialog_notified(view: View) -> Verdict | None:
    """A notification as the only signal, where the registry does not tell."""
    note = view.note("agent_needs_input", "permission_prompt", "elicitation_dialog")
    if (
        note is None
        or view.said is not None
        or not view.is_open
        or view.newest_sign > note.at
        or view.was_asked(note.at)
    ):
        return None
    return Verdict(NEEDS_APPROVAL, note.word or "dialog", note.at, "hook")


def client_stopped(view: View) -> Verdict | None:
    """Ctrl-Z, or a signal: nothing goes on until a person brings it back."""
    at = view.stopped_at
    return None if at is None else Verdict(WAITING, "stopped", at, "process")


# --- working


def compacting(view: View) -> Verdict | None:
    at = view.compacting
    if at is None or view.compacted_since(at):
        return None
    return Verdict(WORKING, "compacting", at, "hook", until=view.lag_ends(at))


def turn_open(view: View) -> Verdict | None:
    if not view.is_open or view.is_silent(SILENT_S):
        return None
    sign = view.opening
    until = max(view.opens_until, view.blinks_until or 0.0) if view.is_idle_now else view.confirmed_by
    return Verdict(WORKING, view.doing, sign.at, sign.source, quote=view.target, until=until)


def children_work(view: View) -> Verdict | None:
    """The turn is over, but agents that it started go on."""
    if not view.has_company:
        return None
    return Verdict(WORKING, view.children_words, view.closing.at, "hook")


def agents_left(view: View) -> Verdict | None:
    """Without hooks: the client noted at the turn's end what went on, and tells by a new turn when it is over."""
    turn = view.turn
    if turn is None or view.has_hooks or turn.how != "end" or (turn.ended_at or 0.0) < view.began:
        return None
    has_rested = view.rests_from is not None and view.now > view.rests_from + REST_S
    parts = (counted(0 if has_rested else turn.agents_left, "sub-agent"), counted(turn.workflows_left, "workflow"))
    words = ", ".join(part for part in parts if part)
    until = None if has_rested or view.rests_from is None else view.rests_from + REST_S
    return Verdict(WORKING, words, view.closing.at, "transcript", until=until) if words else None


def workflow_runs(view: View) -> Verdict | None:
    tasks = view.tasks("workflow")
    return Verdict(WORKING, _count(tasks, "workflow"), view.closing.at, "hook") if tasks else None


def news_is_due(view: View) -> Verdict | None:
    """An agent has stopped or is sent for; the client says nothing until the one or the other begins to work."""
    until = max(_sub_agent_reports(view), _teammate_reports(view), _message_travels(view), view.launched_at + START_S)
    if not view.is_closed or view.now > until:
        return None
    return Verdict(WORKING, "hears from its agents", view.closing.at, "hook", until=until)


def _sub_agent_reports(view: View) -> float:
    """Until when. Between the two the registry may say idle for a moment."""
    at, said = view.news_at, view.said
    if at == NEVER or said is None or said.status not in RESTS or view.mates.all:
        return at + QUEUE_S
    return max(said.at, at) + REST_S


def _teammate_reports(view: View) -> float:
    """Its message lies in the lead's inbox for a while, in which the registry may well say idle."""
    said = view.said
    has_rested = said is not None and said.status in RESTS and said.at > view.idle_at + MESSAGE_S
    return NEVER if has_rested or view.prompted_since(view.idle_at) else view.idle_at + INBOX_S


def _message_travels(view: View) -> float:
    """From the lead to a teammate's inbox."""
    return NEVER if view.children_started_since(view.message_at) else view.message_at + INBOX_S


def queued_prompt_begins(view: View) -> Verdict | None:
    """The client tells of the turn it starts with a queued prompt only in the transcript, a moment later."""
    ended, said = view.closing.at, view.said
    until = ended + QUEUE_S
    if said is not None and said.status != "busy":
        until = min(until, max(said.at, ended) + REST_S)
    if view.queued is None or not view.is_closed or view.now > until:
        return None
    return Verdict(WORKING, "queued prompt", ended, "hook", until=until)


# --- your turn


def turn_failed(view: View) -> Verdict | None:
    error = view.error
    if not error:
        return None
    return Verdict(WAITING, f"error: {error}", view.closing.at, view.closing.source, quote=view.strange_error)


def turn_interrupted(view: View) -> Verdict | None:
    if not view.interrupted:
        return None
    return Verdict(WAITING, "interrupted", view.closing.at, "transcript")


def silent(view: View) -> Verdict | None:
    """A guess, and called so: without the registry nobody tells of an interruption before the first word."""
    if not view.is_open or not view.is_silent(SILENT_S):
        return None
    return Verdict(WAITING, f"no sign for {int(SILENT_S / 60)} min (a guess)", view.opening.at, "clock")


def shell_runs(view: View) -> Verdict | None:
    tasks, monitors = view.tasks("shell"), view.tasks("monitor")
    words = ", ".join(filter(None, (_count(tasks, "shell", " running"), _count(monitors, "monitor", " armed"))))
    words = words or ("shell running" if view.shell_said else "")
    if not words:
        return None
    return Verdict(WAITING, words, view.closing.at, "hook")


def wakes_by_itself(view: View) -> Verdict | None:
    if not view.crons:
        return None
    return Verdict(WAITING, "wakes", view.closing.at, "hook", crons=view.crons)


def turn_over(view: View) -> Verdict | None:
    if not view.is_closed or not view.had_turn:
        return None
    return Verdict(WAITING, "", view.closing.at, view.closing.source)


def nothing_asked(view: View) -> Verdict:
    return Verdict(WAITING, "", view.begun, "hook" if view.begun else "")


# --- sub-agents and teammates


def outlived(view: View) -> Verdict | None:
    """It has stopped, but an agent that it started goes on, and will wake it."""
    at = view.unlisted if view.stopped is None else view.stopped
    if not view.children or (at is None and not view.is_noted_over):
        return None
    if view.stopped_at is not None:
        return Verdict(WAITING, "stopped", view.stopped_at, "process")
    return Verdict(WORKING, view.children_words, view.closing.at if at is None else at, "hook" if at else "transcript")


def woken_by_its_agents(view: View) -> Verdict | None:
    """It has stopped, an agent that it started has stopped after it, and the client wakes it to hear of that.

    Or one that it started has not told of it yet.
    """
    is_over = view.stopped is not None or view.is_noted_over
    until = max(view.hears_at + QUEUE_S, view.launched_at + START_S if is_over else NEVER)
    if view.now > until or view.is_teammate:
        return None
    since, source = (view.closing.at, "transcript") if view.stopped is None else (view.stopped, "hook")
    return Verdict(WORKING, "hears from its agents", since, source, until=until)


def idle(view: View) -> Verdict | None:
    """A teammate that stops can be spoken to again."""
    if view.rests is None or not view.is_teammate:
        return None
    return Verdict(WAITING, "idle", view.rests, "hook")


def broke_down(view: View) -> Verdict | None:
    if view.stopped is None or not view.error:
        return None
    return Verdict(WAITING, f"error: {view.error}", view.stopped, "transcript", quote=view.strange_error)


def stopped(view: View) -> Verdict | None:
    """A stopped agent stays stopped."""
    return None if view.stopped is None else Verdict(WAITING, "finished", view.stopped, "hook")


def cut_off(view: View) -> Verdict | None:
    """An interruption ends a sub-agent without a word from the hooks."""
    if not view.interrupted:
        return None
    return Verdict(WAITING, "interrupted", view.closing.at, "transcript")


def written_off(view: View) -> Verdict | None:
    """The client's own list of what runs in the background is newer and does not name it any more."""
    at = view.unlisted
    return None if at is None else Verdict(WAITING, "finished", at, "hook")


def recorded_end(view: View) -> Verdict | None:
    """The client's note on it says that it has finished, and its hooks say nothing newer."""
    if not view.is_noted_over:
        return None
    return Verdict(WAITING, "finished", view.closing.at, "transcript")


def quiet(view: View) -> Verdict | None:
    at = view.newest_sign
    if view.parent_open or view.now - at < QUIET_S:
        return None
    return Verdict(WAITING, f"no sign for {int(QUIET_S / 60)} min (a guess)", at, "clock")


def at_work(view: View) -> Verdict:
    source = "hook" if view.has_hooks else "transcript"
    return Verdict(WORKING, view.doing, view.begun, source, quote=view.target, until=view.noted_over)


def _count(tasks: tuple[object, ...], word: str, more: str = "") -> str:
    return counted(len(tasks), word) + more if tasks else ""


MAIN_RULES: dict[str, Callable[[View], Verdict | None]] = {
    "approval-asked": approval_asked,
    "question-of-a-server": question_of_a_server,
    "registry-waits": registry_waits,
    "dialog-notified": dialog_notified,
    "client-stopped": client_stopped,
    "compacting": compacting,
    "turn-open": turn_open,
    "children-work": children_work,
    "agents-left": agents_left,
    "workflow-runs": workflow_runs,
    "news-is-due": news_is_due,
    "queued-prompt-begins": queued_prompt_begins,
    "turn-failed": turn_failed,
    "turn-interrupted": turn_interrupted,
    "silent": silent,
    "shell-runs": shell_runs,
    "wakes-by-itself": wakes_by_itself,
    "turn-over": turn_over,
    "nothing-asked": nothing_asked,
}

SUB_AGENT_RULES: dict[str, Callable[[View], Verdict | None]] = {
    "outlived": outlived,
    "news-is-due": woken_by_its_agents,
    "idle": idle,
    "broke-down": broke_down,
    "stopped": stopped,
    "approval-asked": approval_asked,
    "question-of-a-server": question_of_a_server,
    "client-stopped": client_stopped,
    "cut-off": cut_off,
    "written-off": written_off,
    "recorded-end": recorded_end,
    "quiet": quiet,
    "at-work": at_work,
}
