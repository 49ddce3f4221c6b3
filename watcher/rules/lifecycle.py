"""The life of agents: which state of `contract.life` each rule stands for."""

from __future__ import annotations

from contract.life import FAILED, JOINED, RUNNING, SUSPENDED
from contract.observation import Life

APPROVAL, JOIN, USER, WAKEUP = "approval", "sub_agent_join", "user", "wakeup"


BY_RULE = {
    "approval-asked": Life(SUSPENDED, APPROVAL),
    "question-of-a-server": Life(SUSPENDED, APPROVAL),
    "registry-waits": Life(SUSPENDED, APPROVAL),
    "dialog-notified": Life(SUSPENDED, APPROVAL),
    "client-stopped": Life(SUSPENDED, USER),
    "compacting": Life(RUNNING),
    "turn-open": Life(RUNNING),
    "queued-prompt-begins": Life(RUNNING),
    "task-is-on-its-way": Life(RUNNING),
    "at-work": Life(RUNNING),
    "children-work": Life(SUSPENDED, JOIN),
    "outlived": Life(SUSPENDED, JOIN),
    "agents-left": Life(SUSPENDED, JOIN),
    "workflow-runs": Life(SUSPENDED, JOIN),
    "news-is-due": Life(SUSPENDED, JOIN),
    "shell-runs": Life(SUSPENDED, WAKEUP),
    "wakes-by-itself": Life(SUSPENDED, WAKEUP),
    "turn-failed": Life(SUSPENDED, USER),
    "turn-interrupted": Life(SUSPENDED, USER),
    "silent": Life(SUSPENDED, USER),
    "turn-over": Life(SUSPENDED, USER),
    "nothing-asked": Life(SUSPENDED, USER),
    "idle": Life(SUSPENDED, USER),
    "stopped": Life(JOINED, how="completed"),
    "written-off": Life(JOINED, how="completed"),
    "recorded-end": Life(JOINED, how="completed"),
    "broke-down": Life(FAILED, how="error"),
    "cut-off": Life(FAILED, how="user_abort"),
    "quiet": Life(FAILED, how="timeout"),
}
