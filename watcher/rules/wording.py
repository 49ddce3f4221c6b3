"""From verdicts to the status of a session, as it is written for people and programs. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from contract.life import ENDED
from contract.paths import MAIN
from contract.status import WAITING, AgentStatus, SessionStatus, Weighed
from watcher.rules.headline import headline
from watcher.rules.lifecycle import BY_RULE, JOIN
from watcher.rules.schedule import next_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Fact
    from watcher.clock import Clock
    from watcher.rules.evidence import Evidence
    from watcher.rules.verdict import Verdict

SAME_S = 1.0  # two start times that differ by less are the same start


class Belonging(NamedTuple):
    """What other sessions decide for this one."""

    hidden: bool = False
    team: str | None = None
    doubts: tuple[str, ...] = ()  # what of its team could not be settled


class About(NamedTuple):
    """What no rule decides: how a session is called, and where it runs."""

    id: str
    name: str
    cwd: str
    pid: int | None
    entrypoint: str
    transcript: str
    terminal: dict[str, str]
    client: str
    belonging: Belonging = Belonging()
    shown_by: int | None = None  # another process, in whose terminal it is shown; 0: it cannot be told which
    is_unseen: bool = False  # no terminal shows it


class Material(NamedTuple):
    """All that the words for one session are made of."""

    about: About
    facts: Mapping[str, Fact]  # by agent
    verdicts: Mapping[str, Verdict]  # by agent
    evidence: Evidence
    clock: Clock
    before: SessionStatus | None  # the status written last

    def fact(self, key: str) -> Fact | None:
        return self.facts.get(key)


def session_status(material: Material) -> SessionStatus:
    about, main = material.about, material.fact(MAIN)
    shown = [key for key, verdict in material.verdicts.items() if key == MAIN or not _is_past(verdict, main)]
    agents = _with_doubts(tuple(_agent_status(key, material) for key in shown), about.belonging.doubts)
    return SessionStatus(
        session_id=about.id,
        name=about.name,
        cwd=about.cwd,
        pid=about.pid,
        **headline(agents)._asdict(),
        entrypoint=about.entrypoint,
        human=main.human.wall if main and main.human else 0.0,
        team=about.belonging.team,
        hidden=about.belonging.hidden,
        transcript=about.transcript,
        spawned=bool(main and main.registered),
        parent=main.registered.parent if main and main.registered else "",
        terminal=about.terminal,
        client=about.client,
        shown_by=about.shown_by,
        unseen=about.is_unseen,
        agents=agents,
    )


def _with_doubts(agents: tuple[AgentStatus, ...], doubts: tuple[str, ...]) -> tuple[AgentStatus, ...]:
    """Told with the evidence on the main agent, for whoever asks why."""
    if not doubts:
        return agents
    main, *others = agents
    weighed = (*main.weighed, *(Weighed("team", doubt, main.since) for doubt in doubts))
    return (main._replace(weighed=weighed), *others)


def _is_past(verdict: Verdict, main: Fact | None) -> bool:
    """Whether the agent ended before the present turn or the present process began."""
    turn = main.turn if main else None
    opened = turn.opened.boot if turn and turn.opened and not turn.machine else 0.0
    started = main.started.boot if main and main.started else 0.0
    return BY_RULE[verdict.rule].state in ENDED and verdict.since < max(opened, started)


def _agent_status(key: str, material: Material) -> AgentStatus:
    verdict, evidence, clock = material.verdicts[key], material.evidence, material.clock
    fact, meta = material.fact(key), evidence.metas.get(key)
    is_teammate = key in evidence.mates_inside
    life = BY_RULE[verdict.rule]
    return AgentStatus(
        key=key,
        kind=_kind(key, fact, is_teammate=is_teammate),
        type=(fact.type if fact else "") or (meta.type if meta else "") or None,
        parent=evidence.parents.get(key),
        status=verdict.status,
        detail=_detail(verdict, clock.wall(evidence.now)),
        since=_since(key, material),
        rule=verdict.rule,
        evidence=verdict.source,
        state=life.state,
        reason=life.reason,
        how=life.how,
        waits_for=_working_below(key, material),
        denied=_denied(key, material),
        name=(meta.name if meta else "") or (fact.type if fact and is_teammate else ""),
        quote=verdict.quote,
        weighed=_weighed(verdict, clock),
    )


def _kind(key: str, fact: Fact | None, *, is_teammate: bool) -> str:
    if key == MAIN:
        return (fact.registered.kind if fact and fact.registered else "") or "agent"
    return "teammate" if is_teammate else "sub_agent"


def _working_below(key: str, material: Material) -> tuple[str, ...]:
    """The agents that this one waits for."""
    verdicts, parents = material.verdicts, material.evidence.parents
    if BY_RULE[verdicts[key].rule].reason != JOIN:
        return ()
    below = (agent for agent in verdicts if parents.get(agent) == key or (key == MAIN and agent != key))
    return tuple(agent for agent in below if verdicts[agent].status != WAITING)


def _denied(key: str, material: Material) -> float:
    """When a call was last refused, by auto mode or by a person."""
    fact, turn = material.fact(key), material.evidence.turns.get(key)
    by_client = fact.denied.at.wall if fact and fact.denied and fact.denied.at else 0.0
    refused = turn.denied if turn else None
    by_person = material.clock.wall(refused.at) if refused and refused.denied == "user" else 0.0
    return round(max(by_client, by_person), 1)


def _since(key: str, material: Material) -> float:
    """Rounded, and as written before if nothing else has changed: a file is written only for news."""
    verdict, before = material.verdicts[key], material.before
    since = round(material.clock.wall(verdict.since), 3) if verdict.since > 0 else 0.0
    known = next((agent for agent in before.agents if agent.key == key), None) if before else None
    if known is None or (known.status, known.rule) != (verdict.status, verdict.rule):
        return since
    return known.since if abs(known.since - since) < SAME_S else since


def _detail(verdict: Verdict, now: float) -> str:
    if not verdict.crons:
        return verdict.detail
    after = datetime.fromtimestamp(now)  # noqa: DTZ006 - cron lines and people mean local time
    times = [at for cron in verdict.crons if (at := next_time(cron.schedule, after))]
    return f"wakes {min(times):%H:%M}" if times else "wakes by itself"


def _weighed(verdict: Verdict, clock: Clock) -> tuple[Weighed, ...]:
    return tuple(
        Weighed(
            sign.source,
            sign.says,
            round(clock.wall(sign.at), 1),
            sign.overruled or ("" if sign.points in ("", verdict.status) else verdict.rule),
            sign.kind,
        )
        for sign in verdict.signs
    )
