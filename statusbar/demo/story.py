"""The demo's story: who is on stage at which second, in the words the watcher would use. Pure."""

from __future__ import annotations

from typing import NamedTuple

from contract.paths import MAIN
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, AgentStatus, SessionStatus, Weighed, urgency

LENGTH = 72.0  # seconds of one round
REMEMBERED = 3  # changes that `explain` shows as evidence


class Role(NamedTuple):
    session: str
    key: str
    kind: str = "agent"
    type: str | None = None
    name: str = ""
    parent: str | None = None


class Beat(NamedTuple):
    """From this second on, the rule says this of that role."""

    at: float
    role: Role
    rule: str
    detail: str = ""


class Meaning(NamedTuple):
    status: str
    state: str
    reason: str
    source: str
    says: str


MEANINGS = {
    "approval-asked": Meaning(NEEDS_APPROVAL, "suspended", "approval", "hook", "asks for permission"),
    "turn-open": Meaning(WORKING, "running", "", "hook", "a turn began"),
    "children-work": Meaning(WORKING, "suspended", "sub_agent_join", "hook", "agents it started go on"),
    "at-work": Meaning(WORKING, "running", "", "hook", "a call began"),
    "compacting": Meaning(WORKING, "running", "", "hook", "compacts its memory"),
    "turn-over": Meaning(WAITING, "suspended", "user", "hook", "the turn ended"),
    "turn-interrupted": Meaning(WAITING, "suspended", "user", "transcript", "interrupted by a person"),
    "turn-failed": Meaning(WAITING, "suspended", "user", "transcript", "an error ended the turn"),
    "shell-runs": Meaning(WAITING, "suspended", "user", "hook", "the turn ended; a shell still runs"),
    "wakes-by-itself": Meaning(WAITING, "suspended", "wakeup", "hook", "the turn ended; a wakeup is due"),
    "idle": Meaning(WAITING, "suspended", "user", "hook", "has nothing to do"),
    "stopped": Meaning(WAITING, "joined", "", "hook", "the agent ended"),
}


CALLS = ("approval-asked", "turn-open", "at-work")  # what comes after the name of a tool is the agent's own text


class Cast(NamedTuple):
    name: str
    cwd: str
    team: str | None = None
    enters: float = -1e9
    leaves: float = 1e9


CAST = {
    "shop": Cast("shop-checkout", "/demo/shop"),
    "api": Cast("api-v2", "/demo/api", team="migration"),
    "site": Cast("site-redesign", "/demo/site"),
    "docs": Cast("docs", "/demo/docs"),
    "infra": Cast("infra", "/demo/infra"),
    "hotfix": Cast("shop-hotfix", "/demo/shop/.worktrees/hotfix", enters=26, leaves=66),
}

SHOP, API, SITE = Role("shop", MAIN), Role("api", MAIN), Role("site", MAIN)
DOCS, INFRA, HOTFIX = Role("docs", MAIN), Role("infra", MAIN), Role("hotfix", MAIN)
EXPLORER = Role("shop", "a1f0", "sub_agent", "Explore", parent=MAIN)
REVIEWER = Role("shop", "b2e1", "sub_agent", "code-reviewer", parent=MAIN)
NESTED = Role("shop", "c3d2", "sub_agent", "test-runner", parent="b2e1")
TESTER = Role("api", "tester@migration", "teammate", "general-purpose", "tester", MAIN)
WRITER = Role("api", "writer@migration", "teammate", "general-purpose", "writer", MAIN)

BEATS = (
    Beat(-3900, INFRA, "wakes-by-itself", "wakes 14:05"),
    Beat(-1500, DOCS, "shell-runs", "1 shell running"),
    Beat(-240, API, "children-work", "2 teammates"),
    Beat(-230, TESTER, "at-work", "Bash: pytest -x tests/schema"),
    Beat(-225, WRITER, "at-work", "Edit: schema.sql"),
    Beat(-95, SITE, "turn-open", "Edit: index.css"),
    Beat(-40, SHOP, "turn-open", ""),
    Beat(3, SHOP, "turn-open", "2 sub-agents"),
    Beat(3, EXPLORER, "at-work", "Grep: checkout"),
    Beat(4, REVIEWER, "at-work", "Read: cart.ts"),
    Beat(8, TESTER, "approval-asked", "Bash: dropdb api_test"),
    Beat(12, EXPLORER, "at-work", "Read: payment.ts"),
    Beat(15, TESTER, "at-work", "Bash: dropdb api_test"),
    Beat(18, NESTED, "at-work", "Bash: npm test"),
    Beat(22, NESTED, "approval-asked", "Bash: npm install"),
    Beat(26, HOTFIX, "turn-open", "Read: total.ts"),
    Beat(28, EXPLORER, "stopped"),
    Beat(30, NESTED, "at-work", "Bash: npm install"),
    Beat(32, SITE, "turn-open", "WebFetch: fonts"),
    Beat(35, SITE, "turn-interrupted", "interrupted"),
    Beat(38, DOCS, "turn-open", "Write: install.md"),
    Beat(40, NESTED, "stopped"),
    Beat(42, REVIEWER, "stopped"),
    Beat(42, SHOP, "turn-open", "Edit: cart.ts"),
    Beat(44, WRITER, "idle", "idle"),
    Beat(46, HOTFIX, "approval-asked", "Bash: git push"),
    Beat(49, DOCS, "approval-asked", "question"),
    Beat(52, SHOP, "turn-over"),
    Beat(54, TESTER, "idle", "idle"),
    Beat(54, API, "turn-open", ""),
    Beat(56, HOTFIX, "turn-open", "Bash: git push"),
    Beat(58, DOCS, "turn-open", "Edit: install.md"),
    Beat(60, API, "turn-over"),
    Beat(61, HOTFIX, "turn-over"),
    Beat(62, INFRA, "turn-open", "Bash: terraform plan"),
    Beat(64, DOCS, "turn-over"),
    Beat(65, SITE, "turn-failed", "error: usage limit"),
    Beat(68, SHOP, "compacting", "compacting"),
)


def scene(t: float, began: float = 0.0, speed: float = 1.0) -> tuple[SessionStatus, ...]:
    """All sessions at this second of the story, which goes round; `began` and `speed` say when that was."""
    begun = began + (t - t % LENGTH) / speed
    past = [one._replace(at=begun + _passed(one.at, speed)) for one in BEATS if one.at <= t % LENGTH]
    there = [id_ for id_, cast in CAST.items() if cast.enters <= t % LENGTH < cast.leaves]
    return tuple(_session(id_, [one for one in past if one.role.session == id_]) for id_ in there)


def next_change(t: float) -> float:
    """When, after this second, something happens."""
    round_, here = t - t % LENGTH, t % LENGTH
    times = {one.at for one in BEATS} | {cast.leaves for cast in CAST.values()}
    return round_ + min((at for at in times if here < at < LENGTH), default=LENGTH)


def _passed(at: float, speed: float) -> float:
    """What happened before the story began is as long ago at any speed."""
    return at / speed if at > 0 else at


def _session(id_: str, past: list[Beat]) -> SessionStatus:
    cast = CAST[id_]
    agents = tuple(_agent([one for one in past if one.role == role]) for role in dict.fromkeys(b.role for b in past))
    top = min(agents, key=lambda one: (urgency(one.status), one.kind != "agent", one.since))
    return SessionStatus(
        session_id=id_, name=cast.name, cwd=cast.cwd, pid=None, status=top.status,
        detail=f"{top.name}: {top.detail}" if top.name and top.detail else top.detail,
        since=top.since, rule=top.rule, evidence=top.evidence, team=cast.team, human=past[0].at, quote=top.quote,
        agents=agents,
    )  # fmt: skip


def _agent(past: list[Beat]) -> AgentStatus:
    now = past[-1]
    meaning, role = MEANINGS[now.rule], now.role
    return AgentStatus(
        role.key, role.kind, role.type, role.parent, meaning.status, now.detail, round(now.at, 3), now.rule,
        meaning.source, meaning.state, name=role.name, reason=meaning.reason,
        how="completed" if meaning.state == "joined" else "",
        quote=now.detail.partition(": ")[2] if now.rule in CALLS else "",
        weighed=tuple(_weighed(one, now) for one in past[: -REMEMBERED - 1 : -1]),
    )  # fmt: skip


def _weighed(one: Beat, now: Beat) -> Weighed:
    meaning = MEANINGS[one.rule]
    overruled = "" if meaning.status == MEANINGS[now.rule].status else now.rule
    return Weighed(meaning.source, meaning.says, round(one.at, 3), overruled)
