"""From the evidence on a session to a view of each of its agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contract.paths import MAIN
from watcher.rules.agent import Agent
from watcher.rules.dialog_owner import KnownRequests
from watcher.rules.ending import Listing, Parent
from watcher.rules.news import News
from watcher.rules.times import NEVER, latest, tick
from watcher.rules.view import View

if TYPE_CHECKING:
    from watcher.rules.evidence import Evidence
    from watcher.rules.requests import Ask


def build_views(evidence: Evidence, asks: tuple[Ask, ...]) -> dict[str, View]:
    """One for each agent, main first."""
    main = _main(evidence, asks)
    others = sorted((set(evidence.facts) | set(evidence.metas)) - {MAIN})
    is_open = main.is_open
    return {MAIN: main, **{key: _sub_agent(key, evidence, asks, is_main_open=is_open) for key in others}}


def _main(evidence: Evidence, asks: tuple[Ask, ...]) -> View:
    facts = evidence.facts
    news = News(
        stops=_unheard(evidence),
        idles=_idles(evidence),
        starts=tuple(fact.started.boot for key, fact in facts.items() if key != MAIN and fact.started),
        launched_at=_launched_at(MAIN, evidence),
    )
    return _view(
        _agent(MAIN, evidence),
        evidence,
        asks,
        report=evidence.report,
        requests=KnownRequests(asks, _ended_calls(evidence)),
        mates=evidence.mates,
        news=news,
        history=evidence.history,
        has_lead=evidence.has_lead,
    )


def _sub_agent(key: str, evidence: Evidence, asks: tuple[Ask, ...], *, is_main_open: bool) -> View:
    agent, parent = _agent(key, evidence), evidence.parents.get(key, MAIN)
    starter = evidence.facts.get(parent)
    return _view(
        agent,
        evidence,
        asks,
        news=News(stops=_stops_below(agent, evidence), launched_at=_launched_at(key, evidence)),
        parent=Parent(
            evidence.turns.get(parent),
            starter.done if starter else {},
            is_main=parent == MAIN,
            is_main_open=is_main_open,
            launches=frozenset(spawn.call for spawn in starter.spawned) if starter else frozenset(),
        ),
        listing=_listing(evidence),
    )


def _view(agent: Agent, evidence: Evidence, asks: tuple[Ask, ...], **own: Any) -> View:
    """With what main and the others have in common."""
    return View(
        agent,
        place=evidence.place,
        suspended_at=_suspended_at(evidence),
        headless=evidence.headless,
        asks=tuple(ask for ask in asks if ask.agent == agent.key),
        **own,
    )


def _suspended_at(evidence: Evidence) -> float | None:
    """`yourturn kill` stops a client for a moment before it ends it: nobody is to bring that back."""
    main = evidence.facts.get(MAIN)
    return None if main and main.killed else evidence.stopped_at


def _agent(key: str, evidence: Evidence) -> Agent:
    return Agent(
        key,
        evidence.now,
        fact=evidence.facts.get(key),
        turn=evidence.turns.get(key),
        meta=evidence.metas.get(key),
        began=evidence.began,
        idle_told_at=evidence.closed.get(key) or _own_idle(key, evidence),
        is_teammate=key in evidence.mates_inside,
    )


def _listing(evidence: Evidence) -> Listing:
    main = evidence.facts.get(MAIN)
    return Listing(tick(main.listed), tuple(main.background)) if main else Listing()


def _ended_calls(evidence: Evidence) -> tuple[tuple[float, float], ...]:
    """When calls that have ended were asked for, and when they ended."""
    if evidence.report is not None:
        return ()  # the registry says itself whether somebody is asked
    done = [call for fact in evidence.facts.values() for call in fact.done.values()]
    return tuple((call.asked.boot, call.at.boot) for call in done if call.asked and call.at)


# --- stops and idles


def _unheard(evidence: Evidence) -> tuple[float, ...]:
    """Stops of main's sub-agents in the background, which the client tells it one by one.

    A sub-agent in the foreground stops before the answer to main's own call, so that is no news.
    """
    main = evidence.facts.get(MAIN)
    if main is None:
        return ()
    launched = {spawn.id: spawn.at.boot for spawn in main.spawned if spawn.at and not spawn.quiet}
    stops = {key: at for key in launched if (at := _sub_agent_stop(key, evidence)) is not None}
    return tuple(at for key, at in stops.items() if at > latest([launched[key], tick(main.heard.get(key))]))


def _sub_agent_stop(key: str, evidence: Evidence) -> float | None:
    """None for a teammate, which sends a message instead."""
    fact = evidence.facts.get(key)
    return None if fact is None or key in evidence.mates_inside else tick(fact.stopped)


def _stops_below(agent: Agent, evidence: Evidence) -> tuple[float, ...]:
    """Of the agents that a sub-agent started."""
    below = [fact.stopped for key, fact in evidence.facts.items() if evidence.parents.get(key) == agent.key]
    return tuple(stopped.boot for stopped in below if stopped) or _unreported(agent, evidence)


def _unreported(agent: Agent, evidence: Evidence) -> tuple[float, ...]:
    """Without hooks: ends, or else last signs, of agents in its background of whose end it has not been told."""
    tasks = agent.turn.tasks if agent.turn and not agent.has_hooks else ()
    return tuple(_last_of(key, evidence) for key in tasks if key in evidence.turns)


def _last_of(key: str, evidence: Evidence) -> float:
    """A session has one queue for all news, of which main's transcript tells."""
    turn, meta, main = evidence.turns[key], evidence.metas.get(key), evidence.turns.get(MAIN)
    if main and key in main.finished:
        return main.finished[key]
    has_just_ended = meta is not None and meta.over and turn.open  # its last words are not written yet
    return evidence.now if has_just_ended else turn.ended_at or turn.active_at or 0.0


def _idles(evidence: Evidence) -> tuple[float, ...]:
    """When each teammate in main's own process went idle, and the last time that one in a pane did.

    It stops, tells that it is idle, and sends its message only then.
    """
    mates = {key: fact for key, fact in evidence.facts.items() if key in evidence.mates_inside}
    times = [latest([tick(fact.stopped), _own_idle(key, evidence)]) for key, fact in mates.items()]
    return tuple(at for at in (*times, evidence.mates.idle_at) if at is not None and at > NEVER)


def _own_idle(key: str, evidence: Evidence) -> float | None:
    """A teammate in its lead's process tells that it is idle under its own name."""
    fact = evidence.facts.get(key)
    return tick(fact.idles[-1].at) if fact and fact.idles and key != MAIN else None


# --- agents that were launched


def _launched_at(key: str, evidence: Evidence) -> float:
    """When the agent last launched another one, in this process, that has no fact and no transcript yet."""
    launched = [*_launched_by_hooks(key, evidence), *_launched_by_lines(key, evidence)]
    if not launched:
        return NEVER
    known, main = {"", *evidence.facts, *evidence.turns}, evidence.facts.get(MAIN)
    last = latest(at for name, at in launched if name not in known)
    return last if last > latest([tick(main.started) if main else None]) else NEVER


def _launched_by_hooks(key: str, evidence: Evidence) -> list[tuple[str, float | None]]:
    """As its calls told, or the client's list when it stopped. Teammates in panes have sessions of their own."""
    fact = evidence.facts.get(key)
    if fact is None:
        return []
    spawned = [(spawn.id, tick(spawn.at)) for spawn in fact.spawned if not spawn.apart]
    return spawned + [(task.id, tick(fact.listed)) for task in fact.background if task.type == "subagent"]


def _launched_by_lines(key: str, evidence: Evidence) -> list[tuple[str, float | None]]:
    """What main's transcript tells may be of another process that has the same session."""
    turn = evidence.turns.get(key)
    if turn is None or key == MAIN:
        return []
    return [(name, task.at) for name, task in turn.tasks.items() if task.kind == "agent"]
