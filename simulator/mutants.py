"""The law with something broken in it: each rule left out, each event unheard, and wrong lights of the past put back.

`python -m simulator.power` counts after how many programs the simulator finds each of them. What survives names what
the simulator cannot see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from processes.place import Place
from recorder import calls, changes, receive
from simulator.mutant import Mutant
from watcher import loop
from watcher.clients import followed
from watcher.clients.claude import transcript
from watcher.clock import SKEW_S, Span
from watcher.rules import (
    agent,
    commands_seen,
    compaction,
    dialog_owner,
    dialogs,
    ending,
    law,
    news,
    queued_prompt,
    requests,
    server_question,
    turn,
    turn_events,
    view_builder,
)
from watcher.rules.agent import Agent
from watcher.rules.background import Background
from watcher.rules.kinds import INFERRED, NOW
from watcher.rules.news import News
from watcher.rules.pace import SETTLE_S
from watcher.rules.registry import Registry
from watcher.rules.times import NEVER
from watcher.rules.view import View
from watcher.sessions import client_process, listings, registry_reports
from watcher.sessions.client_process import ClientProcess
from watcher.sessions.session import Session
from watcher.teams import membership, team_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from contract.facts import Fact, Stamp
    from recorder.change import Change, Kind
    from watcher.clients.base import Entry
    from watcher.rules.evidence import Evidence, RegistryReport
    from watcher.rules.requests import Ask
    from watcher.rules.signs import Sign
    from watcher.rules.turn import Turn

    Event = dict[str, Any]

SIGNS = {
    "hook_signs": ("started", "turn opened", "prompt", "turn ended", "turn failed", "called", "stopped"),
    "transcript_signs": ("prompt", "activity", "turn ended", "interrupted", "error"),
}


def mutants() -> dict[str, Mutant]:
    ladders = {"MAIN_RULES": law.MAIN_RULES, "SUB_AGENT_RULES": law.SUB_AGENT_RULES}
    broken = dict(PAST | MORE)
    for ladder, rules in ladders.items():  # the last rule of each always applies
        broken |= {f"{ladder} without {rule}": _never(rules, rule) for rule in list(rules)[:-1]}
    for source, kinds in SIGNS.items():
        broken |= {f"{source} without “{says}”": Mutant(agent, source, _without_sign(says)) for says in kinds}
    for kind in get_args(turn_events.Event):
        broken[f"transcript without {kind.__name__}"] = Mutant(followed, "fold", _deaf_to(kind))
    broken |= {f"hooks without “{kind}”": _unheard(kind) for kind in changes.CHANGES}
    broken |= {
        f"no request is answered by “{words}”": Mutant(requests, "_unless_over", _unsettled(words)) for words in ANSWERS
    }
    return broken


# --- ways to break something


def _says(owner: Any, name: str, value: Any) -> Mutant:
    """Whatever it is asked."""
    return Mutant(owner, name, lambda _: lambda *_args, **_more: value)


def _never(rules: dict[str, Any], rule: str) -> Mutant:
    return _says(rules, rule, None)


def _unheard(kind: Kind) -> Mutant:
    return Mutant(changes.CHANGES, kind, lambda _: lambda *_args: None, is_pure=False)


def _without_sign(says: str) -> Callable[[Any], Any]:
    def breaks(real: Callable[..., tuple[Sign, ...]]) -> Any:
        return lambda *args, **more: tuple(sign for sign in real(*args, **more) if says not in sign.says)

    return breaks


def _deaf_to(kind: type) -> Callable[[Any], Any]:
    return lambda real: lambda known, event: known if isinstance(event, kind) else real(known, event)


ANSWERS = ("of an earlier process", "newer turn", "result in transcript", "interrupted", "newer prompt")


def _unsettled(words: str) -> Callable[[Any], Any]:
    def breaks(real: Callable[..., Ask]) -> Any:
        def settled(ask: Ask, evidence: Evidence) -> Ask:
            answered = real(ask, evidence)
            return ask if answered.answered == words else answered

        return settled

    return breaks


# --- wrong lights of the past


def _any_command(_: Any) -> Any:
    """Another agent's command is taken for the one that was asked for, whatever the registry says."""

    def guess(asked: list[Ask], evidence: Evidence) -> list[Ask]:
        waiting = [ask for ask in asked if ask.name == "Bash" and not ask.answered]
        if len(waiting) != 1 or not any(command.began >= waiting[0].at for command in evidence.commands):
            return asked
        return [ask.answer("a command", ask.at, INFERRED) if ask is waiting[0] else ask for ask in asked]

    return guess


def _only_one(real: Callable[..., list[Ask]]) -> Any:
    """The registry answers one open request, never several."""

    def alone(asked: list[Ask], evidence: Evidence) -> list[Ask]:
        return real(asked, evidence) if sum(not ask.answered for ask in asked) == 1 else asked

    return alone


def _takes_back(real: Callable[[Fact, Change, Stamp], None]) -> Any:
    def begin(fact: Fact, change: Change, stamp: Stamp) -> None:
        real(fact, change, stamp)
        if call := fact.calls.get(change.call):
            call.asked = None

    return begin


def _ends_all_equal(real: Callable[[Fact, Change, Stamp], None]) -> Any:
    def end(fact: Fact, change: Change, stamp: Stamp) -> None:
        same = calls._call(change, stamp)  # noqa: SLF001 - as the recorder knows it
        real(fact, change, stamp)
        fact.calls = {key: call for key, call in fact.calls.items() if call.digest != same.digest}

    return end


def _unless_quick(ask: Ask, report: RegistryReport, *_: Any) -> Ask:
    is_counted = report.status == "busy" and report.at > ask.at + SETTLE_S
    return ask.answer("registry: busy", report.at, NOW) if is_counted else ask


def _keeps_calls(real: Callable[[Fact, Change, Stamp], None]) -> Any:
    def prompt(fact: Fact, change: Change, stamp: Stamp) -> None:
        before = dict(fact.calls)
        real(fact, change, stamp)
        fact.calls = {**before, **fact.calls}

    return prompt


def _newest_of_all(agent: Agent) -> Any:
    begun = agent.fact.calls.values() if agent.fact else ()
    return max(begun, key=lambda call: call.began or (0.0, 0.0), default=None)


def _by_its_hook(view: View, at: float) -> bool:
    fact = view.agent.fact
    return bool(fact and fact.compacted and fact.compacted[1] > at)


def _without_time(real: Callable[..., Turn]) -> Any:
    return lambda known, event: replace(real(known, event), active_at=known.active_at)


def _last_of_each(entries: Iterable[Entry], _: Any) -> dict[str, Entry]:
    return {entry.session_id: entry for entry in entries if entry.session_id}


def _no_goal(real: Callable[..., bool]) -> Any:
    def opens(record: Event, text: str, *, interrupted: bool) -> bool:
        return not text.startswith(transcript.GOAL_IS_SET) and real(record, text, interrupted=interrupted)

    return opens


def _asks_at_once(real: Callable[[View], float | None]) -> Any:
    """A menu that a person has opened is taken for a dialog that the client has."""

    def told_by(view: View) -> float | None:
        is_menu = view.report is not None and view.report.waiting_for not in dialog_owner.DIALOGS
        return None if is_menu else real(view)

    return told_by


def _only_while_listed(real: Callable[..., RegistryReport | None]) -> Any:
    return lambda reports, entry, *args, **more: real(reports, entry, *args, **more) if entry else None


def _by_either_clock(real: Callable[[Span, float, float], bool]) -> Any:
    return lambda span, wall, _skew=0.0: real(span, wall, SKEW_S)


PAST: dict[str, Mutant] = {
    "another one's command answers a request": Mutant(law, "by_command", _any_command),
    "a Stop hook that continues is an end": Mutant(
        Registry,
        "is_busy_now",
        lambda _: lambda _: False,
        beside=Mutant(followed, "fold", _deaf_to(turn_events.Continued)),
    ),
    "a Stop hook reopens a turn without a time": Mutant(turn, "_by_hooks", _without_time),
    "a Stop hook that only has output has no say": Mutant(
        transcript, "_had_a_say", lambda _: lambda record: bool(record.get("hookErrors"))
    ),
    "a rejected call goes on": Mutant(
        Agent,
        "_newest_call",
        lambda _: _newest_of_all,
        beside=Mutant(changes.CHANGES, "prompted", _keeps_calls, is_pure=False),
    ),
    "a compaction only ends with its hook": Mutant(compaction, "is_over", lambda _: _by_its_hook),
    "a question that is only written is not asked": _says(requests, "_written", []),
    "a sub-agent without a word of its end goes on": _says(ending, "_is_reported", False),
    "a goal opens no turn": Mutant(transcript, "_opens", _no_goal),
    "what goes on at the end of a turn is not read": _says(transcript, "_number", 0),
    "the registry is shown before the hook can tell": _says(dialog_owner, "is_about_to_be_told", False),
    "a quick answer of a hook never counts": Mutant(dialogs, "_nobody_is_asked", lambda _: _unless_quick),
    "two requests are never cleared": Mutant(law, "by_registry", _only_one),
    "a process elsewhere is looked for here": _says(loop, "place_of", Place.HERE),
    "a second terminal wipes the requests of the first": _says(receive, "_has_its_own", False),
    "of two terminals the registry knows the last": Mutant(listings, "entries_by_session", lambda _: _last_of_each),
    "a second PreToolUse takes a request back": Mutant(changes.CHANGES, "call began", _takes_back, is_pure=False),
    "a late end of an equal call ends a request": Mutant(calls, "_end_call", _ends_all_equal, is_pure=False),
    "any process with its pid is the client": _says(Session, "_is_stranger", False),
    "a command goes to whoever asks for the same": Mutant(
        client_process, "first_seen", lambda _: lambda command, *_: command
    ),
    "a dialog that was closed does not settle what it was about": Mutant(
        dialogs, "_somebody_is_asked", lambda _: lambda asked, *_: asked
    ),
    "the registry is not believed when it says idle": _says(Registry, "is_idle_now", False),
    "a prompt is closed by an idle of before it": _says(View, "_opens_until", NEVER),
    "nobody waits for a prompt in the queue": _says(queued_prompt, "waits_since", None),
    "the client's note does not end a sub-agent": _says(ending, "noted_over", None),
    "a registry that is late opens a turn again": _says(Registry, "_is_late", False),
    "a hook of one's own holds nothing back": _says(dialogs, "_is_held_back", False),
    "a menu that a person has opened asks": Mutant(dialog_owner, "_told_by", _asks_at_once),
    "who has left the registry has never rested": Mutant(
        registry_reports.RegistryReports, "read", _only_while_listed, is_pure=False
    ),
    "a line of before is of the next second": Mutant(Span, "has", _by_either_clock),
    "a prompt that a hook refused has read the inbox": Mutant(
        news, "_had_turn_since", lambda _: lambda at, agent: agent.prompted_at > at
    ),
    "a cleared lead is not found": _says(membership, "_starters", []),
}

MORE: dict[str, Mutant] = {
    # what was lately answered or told
    "what the registry has said is forgotten": _says(registry_reports, "with_past", ()),
    "a request whose call has ended is forgotten": _says(requests, "_lately_ended", []),
    "a dialog that has just closed is another one's": _says(dialogs, "has_just_ended", False),
    "a dialog of before this one settles nothing": _says(dialogs, "_has_passed", False),
    "every dialog had time to be shown": _says(dialogs, "_had_time", True),
    "no dialog is known to be a request's own": _says(dialogs, "_was_its_dialog", False),
    "a command may belong to a call that is made later": _says(commands_seen, "_may_run", True),
    "equal commands stay undecided": _says(commands_seen, "_alike", {}),
    "a command that a hook changed answers nothing": _says(commands_seen, "_rewritten", {}),
    "commands that nobody was asked for are unknown": _says(commands_seen, "_unasked", []),
    "a dialog that was answered is asked again": _says(dialog_owner, "is_known", False),
    "a notification repeats nothing": _says(dialog_owner, "is_repetition", False),
    # between two turns
    "idle between two turns is believed": _says(View, "_between_turns_until", None),
    "a Stop is believed at once": _says(View, "_stop_confirmed_by", None),
    "busy is believed after an interruption": _says(Registry, "_predates_interruption", False),
    "busy after a clear is believed": _says(Registry, "_is_of_clear", False),
    "an agent that was launched before Esc is not expected": _says(news, "_launched_at", NEVER),
    "shells go on when the client is idle": _says(Background, "_shells_ended", False),
    # panes and teammates
    "busy always means the main agent": _says(Registry, "_busy_means_main", True),
    "a lead shows no requests of its teammates": _says(requests, "_shown_by_lead", []),
    "a lead's request is answered before a refusal is written": _says(dialogs, "_may_be_refused", False),
    "a teammate's dialog says nothing of before it": Mutant(
        dialogs, "_unless_before_a_mate", lambda _: lambda ask, _: ask
    ),
    "a teammate's dialog in its lead says nothing of before it": _says(dialogs, "_has_given_way", False),
    "no word of the registry is ever missed": Mutant(
        registry_reports, "with_missed", lambda _: lambda history, *_: history
    ),
    "nobody waits for the hook that tells whose dialog it is": _says(dialogs, "_may_be_anothers", False),
    "an open dialog is never a server's or a teammate's": _says(dialogs, "_is_of_others", False),
    "teammates that were sent for are not expected": _says(team_evidence, "arriving", 0),
    "idles that a lead tells close nobody": _says(team_evidence, "closed", {}),
    "a teammate rests only when it has stopped": Mutant(
        ending, "resting_since", lambda _: lambda view: view.agent.stopped
    ),
    "no teammate's idle is news": _says(News, "idle_at", NEVER),
    "no message travels": _says(news, "_message_sent_at", NEVER),
    # servers
    "a server's question is over only when that is told": _says(server_question, "is_over", False),
    # several processes, and without hooks
    "two processes of a session share all lines": Mutant(
        Session, "_turns", lambda _: lambda session: session.following.turns if session.following else {}
    ),
    "the beginning of a process is unknown": _says(ClientProcess, "began", 0.0),
    "the registry does not tell of a beginning": _says(registry_reports.RegistryReports, "began", 0.0),
    "the end of a sub-agent is no news": _says(view_builder, "_unheard", ()),
    "without hooks the end of a sub-agent is no news": _says(view_builder, "_unreported", ()),
    "one that is over hears of no agent": _says(news, "_stop_told_to_ended", NEVER),
}
