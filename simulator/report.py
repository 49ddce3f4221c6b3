"""What many programs have shown, added up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.judgement import Judgement

MOST_SEEDS = 40  # of a kind are printed


@dataclass
class Report:
    programs: int = 0
    moments: int = 0
    slowest: float = 0.0
    wrong: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    seeds: dict[str, list[int]] = field(default_factory=dict)  # by kind of wrong

    def add(self, judgement: Judgement) -> None:
        self.programs += 1
        self.moments += judgement.findings.moments
        self.slowest = max(self.slowest, judgement.findings.slowest)
        self.excused.update(judgement.findings.excused)
        self.rules.update(rules_of(judgement))
        for kind in {wrong.kind for wrong in judgement.findings.wrong}:
            self.wrong[kind] += 1
            self.seeds.setdefault(kind, []).append(judgement.program.seed)

    def fell(self, seed: int, error: Exception) -> None:
        kind = f"the watcher fell: {type(error).__name__}: {error}"[:100]
        self.programs += 1
        self.wrong[kind] += 1
        self.seeds.setdefault(kind, []).append(seed)

    def merge(self, other: Report) -> None:
        self.programs += other.programs
        self.moments += other.moments
        self.slowest = max(self.slowest, other.slowest)
        for mine, theirs in ((self.wrong, other.wrong), (self.rules, other.rules), (self.excused, other.excused)):
            mine.update(theirs)
        for kind, seeds in other.seeds.items():
            self.seeds.setdefault(kind, []).extend(seeds)

    def table(self) -> str:
        rows = [f"programs         {self.programs}", f"moments judged   {self.moments}"]
        rows += [f"slowest right    {self.slowest:.2f} s", "", f"wrong            {self.wrong.total()}"]
        rows += [f"  {count:6}  {kind}  (seeds {_some(self.seeds[kind])})" for kind, count in self.wrong.most_common()]
        rows += ["", "unknowable"] + [f"  {count:6}  {name}" for name, count in self.excused.most_common()]
        rows += ["", "rules"] + [f"  {count:6}  {name}" for name, count in self.rules.most_common()]
        return "\n".join(rows)


def _some(seeds: list[int]) -> str:
    return ", ".join(map(str, sorted(seeds)[:MOST_SEEDS])) + (", …" if len(seeds) > MOST_SEEDS else "")


def rules_of(judgement: Judgement) -> Counter[str]:
    """How often each rule decided: once for each time that it began to."""
    rules: Counter[str] = Counter()
    before: dict[tuple[str, str], str] = {}
    for _, sessions in judgement.shown:
        now = {(s.session_id, a.key): a.rule for s in sessions.values() for a in s.agents}
        rules.update(rule for key, rule in now.items() if before.get(key) != rule)
        before = now
    return rules
