"""The law: what the evidence means.

Two ladders of named rules, one for the main agent and one for the others; the first rule that applies decides and
gives its name to the verdict. Evidence overrides only what is older than itself. The registry speaks for a whole
process, so it settles a question about one agent only where no other agent could be meant. Pure: no clock, no file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from contract.status import WAITING, WORKING
from watcher.rules import blocked, compaction, dialog_owner, ending, news, queued_prompt
from watcher.rules.background import counted, listed
from watcher.rules.commands_seen import by_command
from watcher.rules.dialogs import by_registry
from watcher.rules.pace import READY_S, REST_S
from watcher.rules.requests import requests
from watcher.rules.verdict import Verdict
from watcher.rules.view_builder import build_views

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from watcher.rules.evidence import Evidence
    from watcher.rules.view import View

SILENT_S = 300.0  # how long a turn may go without any sign where nothing tells of an early interruption
QUIET_S = 1800.0  # the same for a sub-agent, once the main agent's turn is over


def resolve(evidence: Evidence) -> dict[str, Verdict]:
    """A verdict for each agent that is still of interest, main first."""
    asks = by_command(by_registry(requests(evidence), evidence), evidence)
    views = build_views(evidence, tuple(asks))
    verdicts: dict[str, Verdict] = {}
    for key in _youngest_first(views, evidence.parents):
        below = [child for child in verdicts if evidence.parents.get(child) == key and _goes_on(verdicts[child])]
        verdicts[key] = _first(SUB_AGENT_RULES, _with_children(views[key], below, views))
    going_on = [key for key, verdict in verdicts.items() if verdict.status != WAITING]
    main = _first(MAIN_RULES, _with_children(views["main"], going_on, views))
    return {"main": main, **{key: verdicts[key] for key in sorted(verdicts)}}


def _with_children(view: View, children: list[str], views: Mapping[str, View]) -> View:
    return replace(view, children=tuple(views[key].agent for key in children)) if children else view


def _goes_on(verdict: Verdict) -> bool:
    """It works or asks, or does nothing only because its client is stopped."""
    return verdict.status != WAITING or verdict.rule == "client-stopped"


def _youngest_first(views: Mapping[str, View], parents: Mapping[str, str]) -> list[str]:
    """Children before those who started them; parents that form a circle must not make it endless."""

    def depth(key: str) -> int:
        passed: set[str] = set()
        while key in parents and key not in passed:
            passed.add(key)
            key = parents[key]
        return len(passed)

    return sorted((key for key in views if key != "main"), key=lambda key: (-depth(key), key))


def _first(rules: Mapping[str, Callable[[View], Verdict | None]], view: View) -> Verdict:
    for name, rule in rules.items():
        verdict = rule(view)
        if verdict is not None:
            believed_from = view.registry.believed_from if view.registry else None
            lapses = (verdict.until, dialog_owner.known_better_at(view), believed_from)
            until = min((at for at in lapses if at is not None), default=None)
            newest_first = tuple(sorted(view.signs, key=lambda sign: -sign.at))
            return replace(verdict, rule=name, signs=newest_first, until=until)
    raise AssertionError("the last rule always applies")


# --- working


def compacting(view: View) -> Verdict | None:
    at = compaction.begun_at(view.agent)
    if at is None or compaction.is_over(view, at):
        return None
    return Verdict(WORKING, "compacting", at, "hook", until=view.registry_must_know_by(at))


def turn_open(view: View) -> Verdict | None:
    if not view.is_open or view.is_silent(SILENT_S):
        return None
    sign = view.opening
    return Verdict(WORKING, view.agent.doing, sign.at, sign.source, quote=view.agent.target, until=view.open_until)


def children_work(view: View) -> Verdict | None:
    """The turn is over, but agents that it started go on."""
    if not view.background.has_agents:
        return None
    return Verdict(WORKING, view.background.agents_in_words, view.closing.at, "hook")


def agents_left(view: View) -> Verdict | None:
    """Without hooks: the client noted at the turn's end what went on, and tells by a new turn when it is over."""
    turn = view.agent.turn
    if turn is None or view.agent.has_hooks or turn.how != "end" or (turn.ended_at or 0.0) < view.agent.began:
        return None
    rests = view.rests_from
    has_rested = rests is not None and view.now > rests + REST_S
    agents = 0 if has_rested else turn.agents_left
    words = listed(counted(agents, "sub-agent"), counted(turn.workflows_left, "workflow"))
    until = None if rests is None or has_rested else rests + REST_S
    return Verdict(WORKING, words, view.closing.at, "transcript", until=until) if words else None


def workflow_runs(view: View) -> Verdict | None:
    words = view.background.workflows_in_words
    return Verdict(WORKING, words, view.closing.at, "hook") if words else None


def news_is_due(view: View) -> Verdict | None:
    """An agent has stopped or was launched, and nothing tells of it until this agent or the other begins to work."""
    until = news.due_until(view)
    if not view.is_closed or view.now > until:
        return None
    return Verdict(WORKING, "reading its agents' results", view.closing.at, "hook", until=until)


def queued_prompt_begins(view: View) -> Verdict | None:
    """The client tells of the turn it starts with a queued prompt only in the transcript, a moment later."""
    until = queued_prompt.begins_by(view)
    if queued_prompt.waits_since(view) is None or not view.is_closed or view.now > until:
        return None
    return Verdict(WORKING, "queued prompt", view.closing.at, "hook", until=until)


# --- your turn


def turn_failed(view: View) -> Verdict | None:
    error = view.agent.error
    if not error:
        return None
    return Verdict(WAITING, f"error: {error}", view.closing.at, view.closing.source, quote=view.agent.unknown_error)


def turn_interrupted(view: View) -> Verdict | None:
    return Verdict(WAITING, "interrupted", view.closing.at, "transcript") if view.is_interrupted else None


def silent(view: View) -> Verdict | None:
    """A guess, and called so: without the registry nobody tells of an interruption before the first word."""
    if not view.is_open or not view.is_silent(SILENT_S):
        return None
    return Verdict(WAITING, f"probably waiting: quiet for {int(SILENT_S / 60)} min", view.opening.at, "clock")


def shell_runs(view: View) -> Verdict | None:
    words = view.background.shells_in_words
    return Verdict(WAITING, words, view.closing.at, "hook") if words else None


def wakes_by_itself(view: View) -> Verdict | None:
    crons = view.background.crons
    return Verdict(WAITING, "wakes", view.closing.at, "hook", crons=crons) if crons else None


def turn_over(view: View) -> Verdict | None:
    if not view.is_closed or not view.had_turn:
        return None
    return Verdict(WAITING, "", view.closing.at, view.closing.source)


def task_is_on_its_way(view: View) -> Verdict | None:
    """A teammate reads its task from its inbox when its process is ready, which may take a while."""
    agent, until = view.agent, view.begun + READY_S
    was_idle = view.had_turn or agent.idle_told_at is not None
    if not view.has_lead or was_idle or agent.fact is None or agent.fact.source != "startup" or view.now > until:
        return None
    return Verdict(WORKING, "getting ready", view.begun, "hook", until=until)


def nothing_asked(view: View) -> Verdict:
    return Verdict(WAITING, "", view.begun, "hook" if view.begun else "")


# --- sub-agents and teammates


def outlived(view: View) -> Verdict | None:
    """It is over, but an agent that it started goes on, and will wake it."""
    at = ending.unlisted_at(view) if view.agent.stopped is None else view.agent.stopped
    if not view.children or (at is None and not ending.is_noted_over(view)):
        return None
    if view.suspended_at is not None:
        return Verdict(WAITING, "stopped", view.suspended_at, "process")
    since, source = (view.closing.at, "transcript") if at is None else (at, "hook")
    return Verdict(WORKING, view.background.agents_in_words, since, source)


def woken_by_its_agents(view: View) -> Verdict | None:
    """It is over, an agent that it started has stopped after it, and the client wakes it to hear of that.

    Or it has launched an agent whose start is not recorded yet.
    """
    stopped = view.agent.stopped
    until = news.wakes_until(view, is_over=stopped is not None or ending.is_noted_over(view))
    if view.now > until or view.agent.is_teammate:
        return None
    since, source = (view.closing.at, "transcript") if stopped is None else (stopped, "hook")
    return Verdict(WORKING, "reading its agents' results", since, source, until=until)


def idle(view: View) -> Verdict | None:
    """A teammate that stops can be spoken to again."""
    since = ending.resting_since(view)
    return Verdict(WAITING, "idle", since, "hook") if since is not None and view.agent.is_teammate else None


def broke_down(view: View) -> Verdict | None:
    """It is over, and its last word is an error. An interruption of main may come before the hook of its end."""
    at, error = view.agent.stopped, view.agent.error
    if at is None and ending.is_noted_over(view):
        at = view.closing.at
    if at is None or not error:
        return None
    return Verdict(WAITING, f"error: {error}", at, "transcript", quote=view.agent.unknown_error)


def stopped(view: View) -> Verdict | None:
    """A stopped agent stays stopped."""
    at = view.agent.stopped
    return None if at is None else Verdict(WAITING, "finished", at, "hook")


def cut_off(view: View) -> Verdict | None:
    """No hook tells that an interruption has ended a sub-agent."""
    if view.is_interrupted:
        return Verdict(WAITING, "interrupted", view.closing.at, "transcript")
    at = ending.cut_off_at(view)
    return None if at is None else Verdict(WAITING, "interrupted", at, "hook")


def written_off(view: View) -> Verdict | None:
    """The client's own list of what runs in the background is newer and does not name it any more."""
    at = ending.unlisted_at(view)
    return None if at is None else Verdict(WAITING, "finished", at, "hook")


def recorded_end(view: View) -> Verdict | None:
    """The client's note on it says that it has finished, and its hooks say nothing newer."""
    return Verdict(WAITING, "finished", view.closing.at, "transcript") if ending.is_noted_over(view) else None


def quiet(view: View) -> Verdict | None:
    at = view.agent.newest_sign
    if view.parent.is_main_open or view.now - at < QUIET_S:
        return None
    return Verdict(WAITING, f"probably waiting: quiet for {int(QUIET_S / 60)} min", at, "clock")


def at_work(view: View) -> Verdict:
    agent, source = view.agent, "hook" if view.agent.has_hooks else "transcript"
    return Verdict(WORKING, agent.doing, view.begun, source, quote=agent.target, until=ending.noted_over(view))


MAIN_RULES: dict[str, Callable[[View], Verdict | None]] = {
    "approval-asked": blocked.approval_asked,
    "question-of-a-server": blocked.question_of_a_server,
    "registry-waits": blocked.registry_waits,
    "dialog-notified": blocked.dialog_notified,
    "client-stopped": blocked.client_stopped,
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
    "task-is-on-its-way": task_is_on_its_way,
    "nothing-asked": nothing_asked,
}

SUB_AGENT_RULES: dict[str, Callable[[View], Verdict | None]] = {
    "outlived": outlived,
    "news-is-due": woken_by_its_agents,
    "idle": idle,
    "broke-down": broke_down,
    "stopped": stopped,
    "approval-asked": blocked.approval_asked,
    "question-of-a-server": blocked.question_of_a_server,
    "client-stopped": blocked.client_stopped,
    "cut-off": cut_off,
    "written-off": written_off,
    "recorded-end": recorded_end,
    "quiet": quiet,
    "at-work": at_work,
}
