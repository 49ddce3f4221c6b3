"""What can happen in a turn, as a transcript tells it: events as values, each with its time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt opened a turn; `machine` when no person gave it (a task's end, a schedule, a teammate)."""

    at: float
    machine: bool
    goal: bool = False  # at each Stop the client asks the API whether it is met
    queued: bool = False  # until now


@dataclass(frozen=True, slots=True)
class Activity:
    """The model said or thought something."""

    at: float


@dataclass(frozen=True, slots=True)
class Call:
    """The model called a tool; whether it may run is decided after this."""

    at: float
    call_id: str
    tool: str
    target: str = ""  # what it is about, in a word, where the transcript is the only one to tell


@dataclass(frozen=True, slots=True)
class Asked:
    """A person is asked whether a call may run."""

    at: float
    ask_id: str
    call_id: str
    tool: str
    target: str


@dataclass(frozen=True, slots=True)
class Answered:
    """That request is over, whatever the answer is."""

    at: float
    ask_id: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the model is complete, for this reason (`end_turn`, `tool_use`, ...)."""

    at: float
    reason: str


Denier = Literal["user", "auto", "lost"]


@dataclass(frozen=True, slots=True)
class Result:
    """A call is over; `denied` names who refused it: the user, the client by itself, a dead process."""

    at: float
    call_id: str
    denied: Denier | None
    tool: str = ""  # of its call, where that was read as well


@dataclass(frozen=True, slots=True)
class Handed:
    """The model was given what its calls have come to, all since then: nobody is asked for one of them any more."""

    at: float
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The user stopped the turn."""

    at: float


@dataclass(frozen=True, slots=True)
class Aborted:
    """The stream of a message was cut off."""

    at: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The client closed the turn, while these went on in the background."""

    at: float
    agents: int = 0
    workflows: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """A hook of the user has refused the prompt, which leaves no line of its own."""

    at: float


@dataclass(frozen=True, slots=True)
class Local:
    """A command of the client's own, such as /compact, is over."""

    at: float


@dataclass(frozen=True, slots=True)
class Continued:
    """A Stop hook sent the model back to work after its last word; without its own words that is only likely."""

    at: float
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Hooked:
    """All Stop hooks have ended, and one of them had a say."""

    at: float


@dataclass(frozen=True, slots=True)
class Failed:
    """An API error ended the turn; `error` is its class in a few words, never the whole message."""

    at: float
    error: str


@dataclass(frozen=True, slots=True)
class Compacted:
    """The conversation was compacted, in mid-turn perhaps."""

    at: float


@dataclass(frozen=True, slots=True)
class Started:
    """A call left a task behind that goes on in the background."""

    at: float
    task_id: str
    kind: Literal["shell", "agent"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A background task reported its end."""

    at: float
    task_id: str


@dataclass(frozen=True, slots=True)
class Queued:
    """A person's prompt waits for the end of the turn, or waits no longer; or none does."""

    at: float
    waits: bool
    every: bool = False


@dataclass(frozen=True, slots=True)
class Killed:
    """The user stopped all background agents."""

    at: float


Event = (
    Prompt
    | Activity
    | Call
    | Asked
    | Answered
    | Message
    | Result
    | Handed
    | Interrupted
    | Aborted
    | Ended
    | Refused
    | Local
    | Continued
    | Hooked
    | Failed
    | Compacted
    | Started
    | Finished
    | Queued
    | Killed
)
