"""What outlives a session: a process that goes on under another id takes along what runs in its background."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from contract.facts import Spawn, Task, before
from contract.paths import MAIN
from watcher.rules.vocabulary import WORKFLOW
from watcher.sessions.same_objects import same_objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from contract.facts import Fact, Stamp

    Facts = Mapping[str, Fact]


class Carried:
    """Remembers what it made: a judgement holds as long as the facts are the very same objects."""

    def __init__(self) -> None:
        self._made_from: list[Facts] = []
        self._made: dict[str, Fact] = {}

    def over(self, facts: dict[str, Fact], earlier: Sequence[Facts]) -> dict[str, Fact]:
        """See `with_carried`."""
        told = [*earlier, facts]
        is_as_before = len(told) == len(self._made_from) and all(map(same_objects, told, self._made_from))
        if not is_as_before:
            self._made_from, self._made = [dict(one) for one in told], with_carried(facts, earlier)
        return dict(self._made)


def with_carried(facts: dict[str, Fact], earlier: Sequence[Facts]) -> dict[str, Fact]:
    """These facts, with what is left in the background of earlier sessions of the process, the oldest first.

    A session begins with an empty list of that: until it tells of another one, what they had on theirs is on it.
    """
    main = facts.get(MAIN)
    if main is None or not earlier:
        return facts
    known = _newest([*earlier, facts])
    left = {key for key in known if key in facts or _goes_on(known[key], earlier)}
    added = [known[key] for key in sorted(left - set(facts))]
    own = {spawn.id for spawn in main.spawned}
    spawned = [one for one in _spawned(earlier) if one.id in left - own and not one.apart]
    written = copy(main)
    written.spawned = [*spawned, *main.spawned]
    if main.listed == main.started:
        last = _last_told(earlier)
        written.background = [*(_tasks_left(last, earlier) if last else ()), *map(_task, added)]
        written.crons = last.crons if last else []
    if not added and written == main:
        return facts
    return {**facts, **{key: known[key] for key in left}, MAIN: written}


def _task(agent: Fact) -> Task:
    return Task(id=agent.agent, type="subagent", status="running", agent_type=agent.type)


def _last_told(earlier: Sequence[Facts]) -> Fact | None:
    """Whoever was the last to tell what runs in the background."""
    return next((main for main in reversed(_mains(earlier)) if main.listed != main.started), None)


def _tasks_left(last: Fact, earlier: Sequence[Facts]) -> list[Task]:
    """What its list names, apart from agents, and of whose end nobody has been told."""
    heard = {key for main in _mains(earlier) for key in main.heard}
    return [task for task in last.background if task.type not in ("subagent", "teammate") and task.id not in heard]


def _newest(told: Iterable[Facts]) -> dict[str, Fact]:
    """Of each agent but the main ones the fact with the newest event."""
    found: dict[str, Fact] = {}
    for facts in told:
        for key, fact in facts.items():
            if key != MAIN and (key not in found or not before(_last(fact), _last(found[key]))):
                found[key] = fact
    return found


def _last(fact: Fact) -> Stamp | None:
    return fact.last.at if fact.last else None


def _goes_on(agent: Fact, earlier: Sequence[Facts]) -> bool:
    """It was launched into the background, and neither its own stop nor a list since its last event says that it ended.

    Who is not in the background ends with the turn. A teammate that has stopped is idle, and no list names it.
    """
    mains, spawned = _mains(earlier), _spawned(earlier)
    if any(spawn.name for spawn in spawned if spawn.id == agent.agent):
        return True
    is_launched = any(_names(main, agent) for main in mains) or agent.agent in {spawn.id for spawn in spawned}
    newer = [main for main in mains if main.listed != main.started and before(_last(agent), main.listed)]
    return not agent.stopped and is_launched and all(_names(main, agent) for main in newer)


def _names(main: Fact, agent: Fact) -> bool:
    """Whether its list does; it names a workflow, but not its agents."""
    is_of_workflow = agent.type == WORKFLOW
    return any(task.id == agent.agent or (task.type == "workflow" and is_of_workflow) for task in main.background)


def _mains(earlier: Iterable[Facts]) -> list[Fact]:
    return [facts[MAIN] for facts in earlier if MAIN in facts]


def _spawned(earlier: Iterable[Facts]) -> list[Spawn]:
    return [spawn for facts in earlier for fact in facts.values() for spawn in fact.spawned]
