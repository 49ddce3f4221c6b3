"""A session made of what was seen, for the law to judge: hook events, transcript lines, registry, commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recorder import changes
from watcher.evidence import Evidence, Said
from watcher.resolve import resolve
from watcher.shells import Command
from watcher.turn import Event, Turn, fold_all

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.facts import Fact
    from watcher.subagents import Meta
    from watcher.verdict import Verdict


def facts_of(events: Iterable[tuple[float, dict[str, Any]]], client: Any = None) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    for at, event in events:
        key = changes.agent_of(event)
        kept = changes.record(found.get(key), event, (at, at))
        if kept is not None:
            kept.client = client
            found[key] = kept
    return found


def judge(  # noqa: PLR0913 - one for each source
    *events: tuple[float, dict[str, Any]],
    now: float,
    lines: Iterable[Event] = (),
    sub_lines: dict[str, list[Event]] | None = None,
    metas: dict[str, Meta] | None = None,
    said: tuple[str, float] | tuple[str, float, str] | None = None,
    commands: Iterable[tuple[str, float]] = (),
    client: Any = None,
    parents: dict[str, str] | None = None,
    began: float = 0.0,
) -> dict[str, Verdict]:
    turns = {"main": fold_all(Turn(), lines), **{k: fold_all(Turn(), v) for k, v in (sub_lines or {}).items()}}
    word = Said(said[0], said[2] if len(said) > 2 else "", said[1]) if said else None
    return resolve(
        Evidence(
            now=now,
            facts=facts_of(events, client),
            turns={key: turn for key, turn in turns.items() if turn != Turn()},
            metas=metas or {},
            parents=parents or {},
            began=began,
            said=word,
            commands=tuple(Command(100 + k, str(k), at, text) for k, (text, at) in enumerate(commands)),
        )
    )


def verdict(*events: tuple[float, dict[str, Any]], **more: Any) -> tuple[str, str]:
    """Main's status and detail."""
    main = judge(*events, **more)["main"]
    return main.status, main.detail


def rule(*events: tuple[float, dict[str, Any]], **more: Any) -> str:
    return judge(*events, **more)["main"].rule
