"""The life of an agent: one table of the states it can be in and of the steps between them.

`ps`, `wait`, `tree`, `log`, the watcher and the room that starts and ends agents all go by it.
"""

from __future__ import annotations

CREATED = "created"  # registered, but its program does not run yet
RUNNING = "running"
SUSPENDED = "suspended"  # it waits: for approval, for other agents, for a person, until it wakes
JOINED = "joined"  # it ended as it should
FAILED = "failed"  # it ended with an error, or was interrupted
KILLED = "killed"  # somebody ended it through yourturn
LOST = "lost"  # its process is gone, and nobody knows how it ended

UNSEEN = ""  # before its first state
STATES = (CREATED, RUNNING, SUSPENDED, JOINED, FAILED, KILLED, LOST)
ENDED = (JOINED, FAILED, KILLED, LOST)

# From each state, those that can be seen next. Some steps skip a state: between two looks an agent may have done more
# than one. A sub-agent that has ended goes on when it is sent a message; a process that has ended never does.
STEPS = {
    UNSEEN: STATES,
    CREATED: (RUNNING, SUSPENDED, *ENDED),
    RUNNING: (SUSPENDED, *ENDED),
    SUSPENDED: (RUNNING, *ENDED),
    JOINED: (RUNNING, SUSPENDED, FAILED),
    FAILED: (RUNNING, SUSPENDED, JOINED),
    KILLED: (),
    LOST: (),
}


def is_step(before: str, after: str) -> bool:
    """Whether an agent in the one state can be in the other one at the next look."""
    return before == after or after in STEPS[before]
