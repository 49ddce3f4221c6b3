"""News that is due: an agent has stopped, gone idle, been launched or been sent a message.

Until the agent that the news is for begins to work, no source tells that it will. Most functions here say how long
that may take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from watcher.rules import compaction
from watcher.rules.pace import QUEUE_S, REST_S
from watcher.rules.signs import RESTS
from watcher.rules.times import NEVER, latest, tick
from watcher.rules.vocabulary import MESSAGE, STARTS_AGENT

if TYPE_CHECKING:
    from contract.facts import Call, Ended, Fact
    from watcher.rules.agent import Agent
    from watcher.rules.view import View

START_S = 1.0  # how long the hook may take that tells of an agent's start
MESSAGE_S = 1.25  # how long a message takes: a lead that goes idle later has read it
INBOX_S = 5.0  # how long a message between teammates may lie in an inbox
TOGETHER_S = 1.0  # the start of a teammate may be recorded so long before the message to it


@dataclass(frozen=True)
class News:
    stops: tuple[float, ...] = ()  # when sub-agents stopped of which this agent has not been told yet
    idles: tuple[float, ...] = ()  # when its teammates told that they have nothing to do
    starts: tuple[float, ...] = ()  # when all agents of the process began
    launched_at: float = NEVER  # when this agent last launched one whose start is not recorded yet

    @property
    def stopped_at(self) -> float:
        return latest(self.stops)

    @property
    def idle_at(self) -> float:
        return latest(self.idles)


def due_until(view: View) -> float:
    """For a main agent."""
    return max(_stop_is_told(view), _idle_is_read(view), _message_is_read(view), _agent_starts(view))


def wakes_until(view: View, *, is_over: bool) -> float:
    """For a sub-agent, which the client wakes to tell it of agents of its own."""
    return max(_stop_told_to_ended(view) + QUEUE_S, _agent_starts(view) if is_over else NEVER)


def _stop_is_told(view: View) -> float:
    """Between the stop and its news the registry may say idle for a moment."""
    at, report = _stop_told_from(view), view.report
    if at == NEVER or report is None or report.status not in RESTS or view.mates.all:
        return at + QUEUE_S
    return max(report.at, at) + REST_S


def _stop_told_from(view: View) -> float:
    """Of an agent that stops in mid-turn the client tells after the turn, and after a compaction."""
    stopped, turn = view.news.stopped_at, view.agent.hook_turn
    if stopped == NEVER:
        return NEVER
    opened = tick(turn.opened) if turn else None
    is_queued = opened is not None and opened <= stopped and view.is_closed
    return max(stopped, view.closing.at if is_queued else NEVER, compaction.ended_at(view.agent))


def _idle_is_read(view: View) -> float:
    """A teammate's message waits in the lead's inbox for a while, in which the registry may say idle."""
    idle, report = view.news.idle_at, view.report
    has_rested = report is not None and report.status in RESTS and report.at > idle + MESSAGE_S
    return NEVER if has_rested or _had_turn_since(idle, view.agent) else idle + INBOX_S


def _had_turn_since(at: float, agent: Agent) -> bool:
    """A prompt that a hook refused has begun none, and is not in the transcript."""
    refused = latest([agent.turn.refused_at if agent.turn else None])
    prompts = [sign for sign in agent.signs if sign.says == "prompt"]
    return latest(sign.at for sign in prompts if sign.source == "transcript" or sign.at > refused) > at


def _message_is_read(view: View) -> float:
    """A lead's message waits in a teammate's inbox."""
    sent = _message_sent_at(view.agent)
    has_begun = any(began > sent - TOGETHER_S for began in view.news.starts)
    return NEVER if has_begun else sent + INBOX_S


def _message_sent_at(agent: Agent) -> float:
    ended = agent.fact.done.values() if agent.fact else ()
    return latest(tick(call.at) for call in ended if call.name == MESSAGE)


def _agent_starts(view: View) -> float:
    return _launched_at(view) + START_S


def _launched_at(view: View) -> float:
    """When it last launched an agent whose start is not recorded yet.

    An interruption refuses the calls that it ends: a call for an agent that is not refused has started one.
    """
    agent, launched = view.agent, view.news.launched_at
    results = agent.turn.results if agent.turn else {}
    refused = {key for key, result in results.items() if result.denied}
    calls: dict[str, Call | Ended] = {**agent.fact.calls, **_ended_untold(view, agent.fact)} if agent.fact else {}
    going = [call for key, call in calls.items() if call.name in STARTS_AGENT and key not in refused]
    is_left = any((tick(call.began) or 0.0) < agent.interrupted_at for call in going)
    return max(launched, agent.interrupted_at) if is_left else launched


def _ended_untold(view: View, fact: Fact) -> dict[str, Ended]:
    """Calls whose end was told with others', after the interruption, before the hook that names the agent."""
    told, since = {spawn.call for spawn in fact.spawned}, view.agent.interrupted_at
    ended = {key: call for key, call in fact.done.items() if key not in told and latest([tick(call.at)]) > since}
    return {key: call for key, call in ended.items() if latest(view.news.starts) < (tick(call.began) or 0.0)}


def _stop_told_to_ended(view: View) -> float:
    """When an agent of its own stopped, after it was over itself."""
    agent, stop = view.agent, view.news.stopped_at
    if agent.stopped is not None:
        return stop if stop > agent.stopped else NEVER
    turn = agent.turn
    if turn is None or agent.has_hooks:
        return NEVER
    is_over = agent.meta is not None and agent.meta.over and not turn.open
    is_of_this_process = (turn.prompted_at or 0.0) >= agent.began
    return stop if is_over and is_of_this_process and stop > (turn.ended_at or 0.0) else NEVER
