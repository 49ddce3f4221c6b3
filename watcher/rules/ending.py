"""How a sub-agent ends: it stopped, the client noted or reported its end, or does not list it any more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from watcher.rules.pace import LAG_S, MOMENT_S
from watcher.rules.signs import LAST_WORD_S
from watcher.rules.times import latest, tick
from watcher.rules.vocabulary import WORKFLOW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Ended, Task
    from watcher.rules.agent import Agent
    from watcher.rules.turn import Turn
    from watcher.rules.view import View


@dataclass(frozen=True)
class Parent:
    """Who started a sub-agent."""

    turn: Turn | None = None  # from its transcript; that of one that has stopped is read no more
    ended: Mapping[str, Ended] = field(default_factory=dict)  # calls of its own, as its hooks told
    is_main: bool = True
    is_main_open: bool = False  # whether the main agent's turn is, whoever started it
    launches: frozenset[str] = frozenset()  # those of its calls that ended as an agent began in the background


@dataclass(frozen=True)
class Listing:
    """What the client last told of what runs in the main agent's background."""

    at: float | None = None
    tasks: tuple[Task, ...] = ()


def resting_since(view: View) -> float | None:
    """It stopped, or its team was told that it is idle and nothing has happened since.

    An idle names a team and a name, which two teammates may share: it must never hide an agent that asks.
    """
    stopped = view.agent.stopped
    if stopped is not None or view.is_open or view.open_asks:
        return stopped
    return view.agent.idle_told_at


def cut_off_at(view: View) -> float | None:
    """When the call ended that waited for it, in the foreground, while a call of its own was open.

    The hook that names an agent in the background may come later than its first call, but by moments only.
    """
    agent, parent = view.agent, view.parent
    call_id = agent.meta.call_id if agent.meta else ""
    call = parent.ended.get(call_id)
    if call is None or call_id in parent.launches or agent.fact is None or not agent.fact.calls or agent.is_teammate:
        return None
    ended = latest([tick(call.at)])
    return ended if ended > agent.newest_sign + MOMENT_S else None


def unlisted_at(view: View) -> float | None:
    """When the client's list, newer than all signs of it, did not name it."""
    at, agent = view.listing.at, view.agent
    if at is None or at <= agent.newest_sign or agent.is_teammate or not view.parent.is_main:
        return None  # main's list names neither teammates nor agents that another sub-agent started
    return None if any(_means(task, agent) for task in view.listing.tasks) else at


def _means(task: Task, agent: Agent) -> bool:
    """The list names a workflow, but not its agents."""
    is_of_workflow = agent.fact is not None and agent.fact.type == WORKFLOW
    return task.id == agent.key or (task.type == "workflow" and is_of_workflow)


def is_noted_over(view: View) -> bool:
    """The client's note on it says so, and its hooks say nothing newer."""
    if not _is_finished(view):
        return False
    counts_from = noted_over(view)
    return not view.agent.has_hooks or (counts_from is not None and view.now >= counts_from)


def noted_over(view: View) -> float | None:
    """From when on a note or a report of its end is believed though its hooks tell of none: the last may be lost."""
    agent = view.agent
    ended = agent.turn.ended_at if agent.turn else None
    if ended is None or not (_has_note(agent) or _is_reported_to_parent(view)):
        return None
    is_woken = (tick(agent.fact.woken) or 0.0) > ended if agent.fact else False
    return None if is_woken else agent.newest_sign + LAG_S


def _is_finished(view: View) -> bool:
    """By the client's note on it, or by its parent's transcript; or it belongs to an earlier process."""
    agent, turn = view.agent, view.agent.turn
    is_woken = turn is not None and turn.is_of_news  # after its end was noted
    begun = turn.prompted_at if turn and not agent.has_hooks else None
    is_of_earlier_process = (begun or agent.newest_sign) < agent.began
    return (_has_note(agent) and not is_woken) or is_of_earlier_process or _is_reported(view)


def _has_note(agent: Agent) -> bool:
    return agent.meta is not None and agent.meta.over


def _is_reported(view: View) -> bool:
    turn = view.agent.turn
    has_last_word = turn is not None and turn.how == "said" and view.now - (turn.ended_at or 0.0) > LAST_WORD_S
    return has_last_word or _is_reported_to_parent(view)


def _has_ended_its_call(view: View) -> bool:
    """Whether its parent's call ended after its own last word. With that of a launch nobody has said a word yet."""
    agent, turn = view.agent, view.agent.turn
    call = view.parent.ended.get(agent.meta.call_id) if agent.meta else None
    if call is None or turn is None or turn.ended_at is None or agent.is_teammate:
        return False
    return latest([tick(call.at)]) >= turn.ended_at


def _is_reported_to_parent(view: View) -> bool:
    """Its parent was told of its end; in the foreground it ends with the call that started it."""
    agent, parent = view.agent, view.parent.turn
    if _has_ended_its_call(view):
        return True
    if parent is None:
        return False
    if agent.key in parent.finished:
        return parent.finished[agent.key] > ((agent.turn.prompted_at or 0.0) if agent.turn else 0.0)
    call = agent.meta.call_id if agent.meta else ""
    return call in parent.results and agent.key not in parent.tasks and not agent.is_teammate
