"""Whether every light was right: compares what was shown with the truth, and knows nothing of how it came about."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from simulator.observation import NOON
from simulator.resting import Words, faults
from simulator.truth import ABSENT, NEEDS_APPROVAL, OVER, PROMPTLY, URGENCY, WAITING, WORKING, Change, Key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contract.status import AgentStatus, SessionStatus
    from simulator.truth import Deal, Rest, Truth
    from simulator.unknowable import Excuse
    from simulator.watching import Shown


OVERTAKEN_S = 0.5  # ends of calls are told by hooks that overtake each other


class Pace(NamedTuple):
    """How exactly something is known."""

    blink: float  # what is shown for less is seen by nobody as a state of its own
    early: float  # the client may say that something is over while its own hooks still run
    late: float  # how much longer the end of a call may take to be known


USUAL = Pace(0.1, 0.3, 0.0)
LATE = Pace(0.5, 1.0, 1.0)  # where hooks or lines are late on purpose, or two processes write to one transcript


class Light(NamedTuple):
    """What one agent, or one session, shows."""

    state: str
    detail: str = ""
    rule: str = ""


class Wrong(NamedTuple):
    at: float
    key: Key
    kind: str
    expected: str
    light: Light


@dataclass
class Findings:
    moments: int = 0
    wrong: list[Wrong] = field(default_factory=list)
    excused: dict[str, int] = field(default_factory=dict)
    slowest: float = 0.0  # right verdict


def check(truth: Truth, shown: Sequence[Shown], excuses: Sequence[Excuse], end: float) -> Findings:
    findings = Findings()
    for key in truth.changes:
        mine = [excuse for excuse in excuses if excuse.key in (key, (key[0], "")) or key == (excuse.key[0], "")]
        pace = LATE if truth.is_slow(key[0]) else USUAL
        known = mine if key[1] else [excuse for excuse in mine if not excuse.whose]
        subjects = {other: _Subject(other, truth.changes[other], known, findings, pace) for other in truth.changes}
        rows = [_Judge(subjects[other]) for other in subjects if other[0] == key[0] and other[1]]
        judge = _Judge(subjects[key]) if key[1] else _SessionJudge(subjects[key], rows)
        judge.hear(_lights(key, shown), end)
        deals = [deal for deal in truth.deals if deal.key == key or (key[1] == "" and deal.key[0] == key[0])]
        _check_details(subjects[key]._replace(excuses=mine), deals, _lights(key, shown))
        if (rests := truth.rests.get(key)) and not truth.is_shared(key[0]):
            _check_rest(subjects[key]._replace(excuses=mine), rests, _words(key, shown, truth.jumps), end)
    _check_phantoms(truth, shown, [excuse for excuse in excuses if excuse.key[1] == ""], findings)
    return findings


def _lights(key: Key, shown: Sequence[Shown]) -> list[tuple[float, Light]]:
    """Each time it changed."""
    lights: list[tuple[float, Light]] = []
    for at, sessions in shown:
        light = _light(key, sessions)
        if not lights or lights[-1][1] != light:
            lights.append((at, light))
    return lights


def _light(key: Key, sessions: dict[str, SessionStatus]) -> Light:
    session = sessions.get(key[0])
    if session is None:
        return Light(ABSENT)
    rows: list[SessionStatus | AgentStatus] = [agent for agent in session.agents if agent.key == key[1]]
    rows = rows if key[1] else [session]
    return next((Light(row.status, row.detail, row.rule) for row in rows), Light(ABSENT))


class _Subject(NamedTuple):
    """Whose light is judged, and by what."""

    key: Key
    changes: list[Change]
    excuses: list[Excuse]
    findings: Findings
    pace: Pace


class _Judge:
    """Walks along the truth: what is shown must be a state that it has lately been in, and never go back."""

    def __init__(self, subject: _Subject) -> None:
        self._key, self._changes, self._excuses, self._found, self._pace = subject
        self._starts = [change.at for change in self._changes]
        self._at = 0  # as far along as what was shown proves

    def hear(self, lights: list[tuple[float, Light]], end: float) -> None:
        for (begin, light), (until, _) in zip(lights, [*lights[1:], (end, Light(ABSENT))], strict=True):
            if until - begin < self._pace.blink:
                continue
            for moment in self._moments(begin, until):
                self._found.moments += 1
                if not self._is_right(moment, light):
                    return  # one wrong light is told once

    def _moments(self, begin: float, until: float) -> list[float]:
        """When it is shown, and while it stays so, each time that a bound passes."""
        passes = [change.at + change.bound + 0.001 for change in self._changes]
        passes += [excuse.until + 0.001 for excuse in self._excuses]
        return [begin, *sorted(moment for moment in passes if begin < moment < until)]

    def _is_right(self, at: float, light: Light) -> bool:
        newest = bisect_right(self._starts, at + self._pace.early) - 1
        oldest = max(i for i, change in enumerate(self._changes) if i == 0 or change.at + change.bound < at)
        fits = [i for i in range(min(oldest, newest), newest + 1) if _same(light.state, self._changes[i].state)]
        excuse = next((e for e in self._excuses if e.begin <= at <= e.until and light.state in e.states), None)
        ahead = [i for i in fits if i >= self._at]
        if ahead and not (excuse and self._starts[ahead[0]] > at):  # what is excused is not early
            self._move(ahead[0], at)
            return True
        if light.state == WAITING and self._goes(newest, at):
            return True
        if excuse:
            self._found.excused[excuse.name] = self._found.excused.get(excuse.name, 0) + 1
            return True
        expected = self._changes[bisect_right(self._starts, at) - 1].state
        kind = "goes back" if fits else self._kind(light, expected, at)
        self._found.wrong.append(Wrong(at, self._key, kind, expected, light))
        return False

    def allowed(self, at: float) -> set[str]:
        """What it may show at this moment."""
        newest = bisect_right(self._starts, at + self._pace.early) - 1
        oldest = max(i for i, change in enumerate(self._changes) if i == 0 or change.at + change.bound < at)
        states = {self._changes[i].state for i in range(min(oldest, newest), newest + 1)}
        states |= {WAITING, ABSENT} if OVER in states else set()
        states |= {WAITING} if self._goes(newest, at) else set()
        return states.union(*(excuse.states for excuse in self._excuses if excuse.begin <= at <= excuse.until))

    def _goes(self, newest: int, at: float) -> bool:
        """Whether it is gone in a moment: then it may be said to be at rest early, though it never came to that."""
        return self._changes[newest].state == ABSENT and self._starts[newest] > at

    def _kind(self, light: Light, expected: str, at: float) -> str:
        before = {change.state for change in self._changes if change.at <= at}
        is_late = any(_same(light.state, state) for state in before)
        return f"{light.state} for {expected}" + ("" if is_late else ", never true")

    def _move(self, to: int, at: float) -> None:
        if to > self._at:
            self._found.slowest = max(self._found.slowest, at - self._changes[to].at)
        self._at = to


class _SessionJudge(_Judge):
    """A session shows the most urgent of its agents, each of which may be a little behind."""

    def __init__(self, subject: _Subject, rows: list[_Judge]) -> None:
        super().__init__(subject)
        self._rows = rows

    def _is_right(self, at: float, light: Light) -> bool:
        allowed = [row.allowed(at) for row in self._rows]
        is_somebodys = any(light.state in states for states in allowed)
        urgency = URGENCY.index(light.state)
        if is_somebodys and all(any(URGENCY.index(state) >= urgency for state in states) for states in allowed):
            return True
        expected = self._changes[bisect_right(self._starts, at) - 1].state
        self._found.wrong.append(Wrong(at, self._key, self._kind(light, expected, at), expected, light))
        return False


def _same(shown: str, true: str) -> bool:
    return shown == true or (true == OVER and shown in (ABSENT, WAITING))


def _check_details(subject: _Subject, deals: list[Deal], lights: list[tuple[float, Light]]) -> None:
    """Nobody works on, or asks for, a call that is over."""
    ends = [at for at, _ in lights[1:]] + [float("inf")]
    for (begin, light), until in zip(lights, ends, strict=True):
        named = [deal for deal in deals if light.detail in (deal.words, f"{deal.key[1]}: {deal.words}")]
        if light.state not in (WORKING, NEEDS_APPROVAL) or not named:
            continue
        latest = max(deal.asked[1] if light.state == NEEDS_APPROVAL else deal.ended for deal in named)
        stale = max(begin, latest + PROMPTLY + subject.pace.late)
        if until - stale > OVERTAKEN_S and not _excused(stale, light, subject.excuses):
            subject.findings.wrong.append(Wrong(stale, subject.key, "detail of a call that is over", "", light))
            return


def _check_rest(subject: _Subject, rests: list[Rest], words: list[Words], end: float) -> None:
    """Who rests says why, and nobody says so of something that is over."""
    bound = max((change.bound for change in subject.changes), default=PROMPTLY) + subject.pace.late
    for fault in faults(rests, words, bound, end):
        light = Light(WAITING, fault.words.detail)
        if not _excused(fault.at, light, subject.excuses):
            subject.findings.wrong.append(Wrong(fault.at, subject.key, fault.kind, fault.expected, light))
            return


def _words(key: Key, shown: Sequence[Shown], jumps: bool) -> list[Words]:
    """Each time they changed."""
    words: list[Words] = []
    for at, sessions in shown:
        rows = sessions[key[0]].agents if key[0] in sessions else ()
        row = next((agent for agent in rows if agent.key == key[1]), None)
        since = row.since - NOON if row and row.since and not jumps else 0.0
        current = Words(at, row.status, row.detail, since) if row else Words(at, ABSENT, "", 0.0)
        if not words or words[-1][1:] != current[1:]:
            words.append(current)
    return words


def _excused(at: float, light: Light, excuses: list[Excuse]) -> bool:
    return any(excuse.begin <= at <= excuse.until and light.state in excuse.states for excuse in excuses)


def _check_phantoms(truth: Truth, shown: Sequence[Shown], excuses: list[Excuse], findings: Findings) -> None:
    """Rows of agents that never were; where a whole session may be out of date, so may they."""
    ends = [at for at, _ in shown[1:]] + [float("inf")]
    for (at, sessions), until in zip(shown, ends, strict=True):
        if any(excuse.begin <= at for excuse in excuses):
            return
        if until - at < USUAL.blink:
            continue
        for label, session in sessions.items():
            for agent in session.agents:
                is_history = agent.state in ("joined", "failed")
                if (label, agent.key) not in truth.changes and not is_history:
                    light = Light(agent.status, agent.detail, agent.rule)
                    findings.wrong.append(Wrong(at, (label, agent.key), "nobody's row", ABSENT, light))
                    return
