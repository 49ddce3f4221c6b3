"""The demo's sessions and their states at each second, in the words that the watcher uses. Pure."""

from __future__ import annotations

from typing import NamedTuple

from contract.paths import MAIN
from contract.status import NEEDS_APPROVAL, WAITING, WORKING, AgentStatus, SessionStatus, Weighed, urgency
from conversations.glimpse import Glimpse

READ = "claude"  # the client whose transcripts are written
LENGTH = 72.0  # seconds of one round
REMEMBERED = 3  # changes that `explain` shows as evidence


class Agent(NamedTuple):
    session: str
    key: str
    kind: str = "agent"
    type: str | None = None
    name: str = ""
    parent: str | None = None


class Change(NamedTuple):
    """From this second on, this rule decides the state of this agent."""

    at: float
    agent: Agent
    rule: str
    detail: str = ""


class Outcome(NamedTuple):
    """What the watcher writes for a rule."""

    status: str
    state: str
    reason: str
    source: str
    says: str


OUTCOMES = {
    "approval-asked": Outcome(NEEDS_APPROVAL, "suspended", "approval", "hook", "asks for permission"),
    "turn-open": Outcome(WORKING, "running", "", "hook", "a turn began"),
    "children-work": Outcome(WORKING, "suspended", "sub_agent_join", "hook", "agents it started go on"),
    "at-work": Outcome(WORKING, "running", "", "hook", "a call began"),
    "compacting": Outcome(WORKING, "running", "", "hook", "compacts its memory"),
    "turn-over": Outcome(WAITING, "suspended", "user", "hook", "the turn ended"),
    "turn-interrupted": Outcome(WAITING, "suspended", "user", "transcript", "interrupted by a person"),
    "turn-failed": Outcome(WAITING, "suspended", "user", "transcript", "an error ended the turn"),
    "shell-runs": Outcome(WAITING, "suspended", "wakeup", "hook", "the turn ended; a shell still runs"),
    "wakes-by-itself": Outcome(WAITING, "suspended", "wakeup", "hook", "the turn ended; a wakeup is due"),
    "idle": Outcome(WAITING, "suspended", "user", "hook", "has nothing to do"),
    "stopped": Outcome(WAITING, "joined", "", "hook", "the agent ended"),
}


CALLS = ("approval-asked", "turn-open", "at-work")  # after the tool's name comes the agent's own text


class Session(NamedTuple):
    name: str
    cwd: str
    title: str = ""
    branch: str = "main"
    tokens: int = 0  # of its context, at the beginning
    team: str | None = None
    begins: float = -1e9
    ends: float = 1e9
    client: str = READ


SESSIONS = {
    "shop": Session("shop-checkout", "/demo/shop", "Speed up the checkout", "checkout", 84_000),
    "api": Session("api-v2", "/demo/api", "Migrate to schema v2", "schema-v2", 312_000, team="migration"),
    "site": Session("site-redesign", "/demo/site", "Redesign the start page", "redesign", 46_000),
    "docs": Session("docs", "/demo/docs", tokens=21_000),
    "infra": Session("infra", "/demo/infra", "Renew the certificates", tokens=8_000),
    "hotfix": Session("shop-hotfix", "/demo/shop/.worktrees/hotfix", begins=26, ends=66, client="codex"),
    "app": Session("app", "/demo/app", client="copilot"),
}

SHOP, API, SITE = Agent("shop", MAIN), Agent("api", MAIN), Agent("site", MAIN)
DOCS, INFRA, HOTFIX, APP = Agent("docs", MAIN), Agent("infra", MAIN), Agent("hotfix", MAIN), Agent("app", MAIN)
EXPLORER = Agent("shop", "a1f0", "sub_agent", "Explore", parent=MAIN)
REVIEWER = Agent("shop", "b2e1", "sub_agent", "code-reviewer", parent=MAIN)
NESTED = Agent("shop", "c3d2", "sub_agent", "test-runner", parent="b2e1")
TESTER = Agent("api", "tester@migration", "teammate", "general-purpose", "tester", MAIN)
WRITER = Agent("api", "writer@migration", "teammate", "general-purpose", "writer", MAIN)

CHANGES = (
    Change(-3900, INFRA, "wakes-by-itself", "wakes 14:05"),
    Change(-1500, DOCS, "shell-runs", "1 shell running"),
    Change(-620, APP, "turn-over"),
    Change(-240, API, "children-work", "2 teammates"),
    Change(-230, TESTER, "at-work", "Bash: pytest -x tests/schema"),
    Change(-225, WRITER, "at-work", "Edit: schema.sql"),
    Change(-95, SITE, "turn-open", "Edit: index.css"),
    Change(-40, SHOP, "turn-open", ""),
    Change(3, SHOP, "turn-open", "2 sub-agents"),
    Change(3, EXPLORER, "at-work", "Grep: checkout"),
    Change(4, REVIEWER, "at-work", "Read: cart.ts"),
    Change(6, APP, "turn-open"),
    Change(8, TESTER, "approval-asked", "Bash: dropdb api_test"),
    Change(12, EXPLORER, "at-work", "Read: payment.ts"),
    Change(15, TESTER, "at-work", "Bash: dropdb api_test"),
    Change(17, APP, "turn-open", "Bash: npm run build"),
    Change(18, NESTED, "at-work", "Bash: npm test"),
    Change(22, NESTED, "approval-asked", "Bash: npm install"),
    Change(26, HOTFIX, "turn-open", "Read: total.ts"),
    Change(28, EXPLORER, "stopped"),
    Change(30, NESTED, "at-work", "Bash: npm install"),
    Change(31, APP, "turn-over"),
    Change(32, SITE, "turn-open", "WebFetch: fonts"),
    Change(35, SITE, "turn-interrupted", "interrupted"),
    Change(38, DOCS, "turn-open", "Write: install.md"),
    Change(40, NESTED, "stopped"),
    Change(42, REVIEWER, "stopped"),
    Change(42, SHOP, "turn-open", "Edit: cart.ts"),
    Change(44, WRITER, "idle", "idle"),
    Change(46, HOTFIX, "approval-asked", "Bash: git push"),
    Change(49, DOCS, "approval-asked", "question"),
    Change(52, SHOP, "turn-over"),
    Change(54, TESTER, "idle", "idle"),
    Change(54, API, "turn-open", ""),
    Change(56, HOTFIX, "turn-open", "Bash: git push"),
    Change(58, DOCS, "turn-open", "Edit: install.md"),
    Change(60, API, "turn-over"),
    Change(61, HOTFIX, "turn-over"),
    Change(62, INFRA, "turn-open", "Bash: terraform plan"),
    Change(64, DOCS, "turn-over"),
    Change(65, SITE, "turn-failed", "error: usage limit"),
    Change(68, SHOP, "compacting", "compacting"),
)


MODEL = "claude-opus-5-5"
TOKENS_A_SECOND = 400
# From this second on, this is what the main agent said last.
WORDS = (
    (-3900, "infra", "The certificates are valid for 60 more days. I will look again at 14:05."),
    (-1500, "docs", "The preview builds in the background. Have a look at port 8000."),
    (-240, "api", "The tester and the writer are on it."),
    (-95, "site", "I will start with the colours."),
    (-40, "shop", "Let me see where the time goes."),
    (35, "site", "I was about to fetch the fonts."),
    (49, "docs", "I need to know one thing before I go on."),
    (52, "shop", "The checkout takes 0.8 s instead of 2.1 s. Shall I open a pull request?"),
    (60, "api", "All 214 tests pass on schema v2."),
    (64, "docs", "The guide now begins with Docker."),
    (65, "site", "The start page has its new colours; the fonts are missing."),
)
QUESTION = (49, 58, "docs", "Should the guide begin with pip or with Docker?")


def told(t: float) -> dict[str, Glimpse]:
    """What the transcripts tell at this second, by session. Only one client's are written."""
    return {id_: _glimpse(id_, session, t % LENGTH) for id_, session in SESSIONS.items() if _is_read(session, t)}


def _is_read(session: Session, t: float) -> bool:
    return session.client == READ and session.begins <= t % LENGTH < session.ends


def _glimpse(id_: str, session: Session, second: float) -> Glimpse:
    said = [words for at, whose, words in WORDS if whose == id_ and at <= second]
    begins, ends, whose, question = QUESTION
    tokens = session.tokens + int(second) * TOKENS_A_SECOND
    worktree = session.branch if "/.worktrees/" in session.cwd else ""
    asked = question if whose == id_ and begins <= second < ends else ""
    return Glimpse(session.title, said[-1], asked, MODEL, tokens, None, session.branch, worktree)


def sessions(t: float, began: float = 0.0, speed: float = 1.0) -> tuple[SessionStatus, ...]:
    """All sessions at this second. The scenario repeats; it began at `began` and runs `speed` times as fast."""
    second = t % LENGTH
    round_began = began + (t - second) / speed
    past = [change._replace(at=round_began + _scaled(change.at, speed)) for change in CHANGES if change.at <= second]
    running = [id_ for id_, session in SESSIONS.items() if session.begins <= second < session.ends]
    return tuple(_session(id_, [change for change in past if change.agent.session == id_]) for id_ in running)


def next_change(t: float) -> float:
    """The second of the next change after this one."""
    second = t % LENGTH
    times = {change.at for change in CHANGES} | {session.ends for session in SESSIONS.values()}
    return t - second + min((at for at in times if second < at < LENGTH), default=LENGTH)


def _scaled(at: float, speed: float) -> float:
    """What happened before the demo began is as long ago at any speed."""
    return at / speed if at > 0 else at


def _session(id_: str, past: list[Change]) -> SessionStatus:
    session = SESSIONS[id_]
    names = dict.fromkeys(change.agent for change in past)
    agents = tuple(_agent([change for change in past if change.agent == agent]) for agent in names)
    top = min(agents, key=lambda agent: (urgency(agent.status), agent.kind != "agent", agent.since))
    return SessionStatus(
        session_id=id_, name=session.name, cwd=session.cwd, pid=None, status=top.status,
        detail=f"{top.name}: {top.detail}" if top.name and top.detail else top.detail,
        since=top.since, rule=top.rule, evidence=top.evidence, team=session.team, human=past[0].at, quote=top.quote,
        client=session.client, agents=agents,
    )  # fmt: skip


def _agent(past: list[Change]) -> AgentStatus:
    last = past[-1]
    outcome, agent = OUTCOMES[last.rule], last.agent
    return AgentStatus(
        agent.key, agent.kind, agent.type, agent.parent, outcome.status, last.detail, round(last.at, 3), last.rule,
        outcome.source, outcome.state, name=agent.name, reason=outcome.reason,
        how="completed" if outcome.state == "joined" else "",
        quote=last.detail.partition(": ")[2] if last.rule in CALLS else "",
        weighed=tuple(_weighed(change, last) for change in past[: -REMEMBERED - 1 : -1]),
    )  # fmt: skip


def _weighed(change: Change, last: Change) -> Weighed:
    outcome = OUTCOMES[change.rule]
    overruled = "" if outcome.status == OUTCOMES[last.rule].status else last.rule
    return Weighed(outcome.source, outcome.says, round(change.at, 3), overruled)
