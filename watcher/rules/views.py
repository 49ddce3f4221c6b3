"""From the evidence on a session to a view of each of its agents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from watcher.rules.view import NEVER, View, tick
from watcher.teams.idles import is_mate

if TYPE_CHECKING:
    from watcher.rules.evidence import Evidence
    from watcher.rules.requests import Ask


def views(evidence: Evidence, asks: tuple[Ask, ...]) -> dict[str, View]:
    """One for each agent, main first."""
    main = replace(
        _view("main", evidence, asks),
        said=evidence.said,
        asked=_asked(evidence),
        mates=evidence.mates,
        stops=_unheard(evidence),
        idles=_idles(evidence),
        starts=tuple(f.started[1] for key, f in evidence.facts.items() if key != "main" and f.started),
    )
    others = sorted((set(evidence.facts) | set(evidence.metas)) - {"main"})
    return {"main": main, **{key: _below(_view(key, evidence, asks), main, evidence) for key in others}}


def _asked(evidence: Evidence) -> tuple[tuple[float, float], ...]:
    if evidence.said is not None:
        return ()  # it says itself whether somebody is asked
    done = [call for fact in evidence.facts.values() for call in fact.done.values()]
    return tuple((call.asked[1], call.at[1]) for call in done if call.asked and call.at)


def _below(view: View, main: View, evidence: Evidence) -> View:
    parent = evidence.parents.get(view.key, "main")
    turn = evidence.turns.get(parent)
    below = [fact.stopped for key, fact in evidence.facts.items() if evidence.parents.get(key) == view.key]
    stops = tuple(stopped[1] for stopped in below if stopped) or _unreported(view, evidence)
    return replace(view, parent_open=main.is_open, parent_turn=turn, is_nested=parent != "main", stops=stops)


def _unreported(view: View, evidence: Evidence) -> tuple[float, ...]:
    """Without hooks: ends, or last signs, of its agents in the background whose end it has not been told of."""
    tasks = view.turn.tasks if view.turn and not view.has_hooks else ()
    turns = [turn for key in tasks if (turn := evidence.turns.get(key))]
    return tuple(turn.ended_at or turn.active_at or 0.0 for turn in turns)


def _view(key: str, evidence: Evidence, asks: tuple[Ask, ...]) -> View:
    main = evidence.facts.get("main")
    return View(
        key,
        evidence.now,
        fact=evidence.facts.get(key),
        turn=evidence.turns.get(key),
        meta=evidence.metas.get(key),
        began=evidence.began,
        stopped_at=evidence.stopped_at,
        place=evidence.place,
        asks=tuple(ask for ask in asks if ask.agent == key),
        all_asks=asks,
        listed=tick(main.listed) if main else None,
        listing=tuple(main.background) if main else (),
        told_idle=evidence.closed.get(key) or _own_idle(key, evidence),
        sent_at=_sent_at(key, evidence),
    )


def _sent_at(key: str, evidence: Evidence) -> float:
    """As its call told, or the client's list when it stopped. Teammates in panes have sessions of their own.

    What main's transcript tells may be of another process that has the same session.
    """
    fact, turn = evidence.facts.get(key), evidence.turns.get(key) if key != "main" else None
    sent = [(one.id, tick(one.at)) for one in fact.spawned if "@" not in one.id] if fact else []
    sent += [(one.id, tick(fact.listed)) for one in fact.background if one.type == "subagent"] if fact else []
    sent += [(name, task.at) for name, task in turn.tasks.items() if task.kind == "agent"] if turn else []
    known = {"", *evidence.facts, *evidence.turns}
    return max((at for name, at in sent if at is not None and name not in known), default=NEVER)


def _own_idle(key: str, evidence: Evidence) -> float | None:
    """A teammate in its lead's process tells it under its own name."""
    fact = evidence.facts.get(key)
    return tick(fact.idles[-1].at) if fact and fact.idles and key != "main" else None


def _unheard(evidence: Evidence) -> tuple[float, ...]:
    """Stops of main's sub-agents in the background, which the client tells it one by one.

    Of one in the foreground main's own call tells: its answer comes after the stop, not before. A teammate sends a
    message instead, which is nobody's news.
    """
    main = evidence.facts.get("main")
    launched = {spawn.id: spawn.at[1] for spawn in main.spawned if spawn.at} if main else {}
    found = []
    for key, at in launched.items():
        fact = evidence.facts.get(key)
        if is_mate(key, fact, evidence.metas.get(key)):
            continue
        stopped, heard = tick(fact.stopped) if fact else None, tick(main.heard.get(key)) if main else None
        if stopped is not None and at < stopped and (heard is None or heard < stopped):
            found.append(stopped)
    return tuple(found)


def _idles(evidence: Evidence) -> tuple[float, ...]:
    mates = [key for key, fact in evidence.facts.items() if is_mate(key, fact, evidence.metas.get(key))]
    told = [tick(evidence.facts[key].stopped) or _own_idle(key, evidence) for key in mates]
    return tuple(at for at in told if at is not None)
