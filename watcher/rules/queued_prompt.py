"""A person's prompt that waits for the end of the turn, and then opens the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.rules import compaction
from watcher.rules.pace import HOOK_S, QUEUE_S, REST_S
from watcher.rules.past_reports import resumed_at
from watcher.rules.times import latest, tick

if TYPE_CHECKING:
    from watcher.rules.view import View

HASTE_S = 0.4  # nobody types a second prompt so soon


def waits_since(view: View) -> float | None:
    hooked = _hooked_at(view)
    return _written_at(view) if hooked is None else hooked


def begins_by(view: View) -> float:
    """When the turn that it opens must have begun: a compaction keeps it back like a turn."""
    ended, report = max(view.closing.at, compaction.ended_at(view.agent)), view.report
    if report is None or report.status == "busy":
        return ended + QUEUE_S
    return max(report.at, ended) + REST_S


def _hooked_at(view: View) -> float | None:
    """When its hook told of it; None if a turn has taken it since."""
    turn, hook_turn = view.agent.turn, view.agent.hook_turn
    queued = tick(hook_turn.queued) if hook_turn else None
    if queued is None or view.agent.prompted_at > queued:
        return None
    # A turn that was begun by news, not by a person, has not taken it.
    begun = turn.prompted_at if turn and not turn.machine else None
    taken = latest([begun, turn.taken_at if turn else None, _resumed_at(view)])
    # A line may be older than the hook that was started before it.
    return None if taken > queued - HASTE_S else queued


def _resumed_at(view: View) -> float | None:
    """When the registry told of a turn that no line tells of, as where two processes write to one transcript."""
    prompted = view.agent.turn.prompted_at if view.agent.turn else None
    resumed = resumed_at(view.history)
    return None if latest([prompted]) > resumed - HASTE_S else resumed


def _written_at(view: View) -> float | None:
    """When its line was written; None if that was before this process, or its turn has begun."""
    turn = view.agent.turn
    written = turn.queued_at if turn else None
    if turn is None or written is None or written < max(view.begun, view.agent.began):
        return None
    hooked = tick(view.agent.fact.human) if view.agent.fact else None
    # An old client runs the hook when the turn begins. It may also be that of a prompt before this one.
    return None if latest([hooked]) > latest([written, turn.prompted_at]) + HOOK_S else written
