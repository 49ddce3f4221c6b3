"""What people, agents and faults do, and when: plain values that can be printed, pasted and made smaller."""

from __future__ import annotations

from dataclasses import dataclass

YES, NO, FEEDBACK = "yes", "no", "feedback"
ESCAPE = "escape"  # no answer of a program: what a person gives who interrupts at a dialog


@dataclass(frozen=True)
class Say:
    """The model writes for so long."""

    takes: float


@dataclass(frozen=True)
class Wait:
    """The model is silent for so long: it thinks."""

    takes: float


@dataclass(frozen=True)
class Retry:
    """The API is overloaded, and the client tries again until it is answered."""

    takes: float
    told: int = 0  # lines about it: an old client writes one for each try, a new one none


@dataclass(frozen=True)
class Fail:
    """The API refuses for good."""

    takes: float
    error: str = "rate_limit"


@dataclass(frozen=True)
class Compact:
    """The client compacts by itself, in mid-turn."""

    takes: float


@dataclass(frozen=True)
class Ask:
    """A dialog; nobody answers it if `answer` is empty."""

    answer: str = YES
    after: float = 2.0


@dataclass(frozen=True)
class Call:
    tool: str
    target: str
    takes: float
    ask: Ask | None = None
    fails: bool = False
    background: bool = False  # a shell that outlives the call
    denied: bool = False  # by auto mode, which asks nobody
    elicits: Ask | None = None  # the server asks something while its tool runs


@dataclass(frozen=True)
class Together:
    """Calls of one message."""

    calls: tuple[Call | Spawn, ...]


@dataclass(frozen=True)
class Spawn:
    """A sub-agent; in the background its parent goes on at once."""

    name: str
    script: tuple[Move, ...]
    background: bool = True
    is_mate: bool = False  # a teammate in the same process
    in_pane: bool = False  # or in one of its own


Move = Say | Wait | Retry | Fail | Compact | Call | Together | Spawn


@dataclass(frozen=True)
class Deed:
    """What a person does in a session at this second."""

    at: float
    session: str
    do: str  # as `simulator.people` knows it
    script: tuple[Move, ...] = ()
    word: str = ""  # how it goes, or which session is meant
    takes: float = 0.0


@dataclass(frozen=True)
class Own:
    """Hooks of the user's own, beside ours."""

    permission: str = ""  # yes or no: it answers requests
    after: float = 0.0  # how long they think
    prompt_blocks: bool = False  # every second prompt is refused
    stop_blocks: int = 0  # how often a Stop hook sends the model back to work
    sent_back_to: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Fault:
    """`lost`, `late` or `twice`: the hook of this number; `restart`, `jump`: at this second; `lag`: of all lines."""

    kind: str
    number: int = 0
    at: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Program:
    seed: int
    deeds: tuple[Deed, ...]
    own: Own = Own()
    hooks: bool = True  # switched on, ours and the user's own
    registry: bool = True
    processes: bool = True
    notes: bool = True  # the client's notes on sub-agents tell of their end, which those of old clients do not
    faults: tuple[Fault, ...] = ()
    even: bool = False  # every delay has its typical value
    client: str = "claude"  # or one of `simulator.clients`

    @property
    def has_mates(self) -> bool:
        moves = [move for deed in self.deeds for move in deed.script]
        called = [call for move in moves for call in (move.calls if isinstance(move, Together) else (move,))]
        return any(isinstance(call, Spawn) and call.is_mate for call in called)

    @property
    def has_panes(self) -> bool:
        moves = [move for deed in self.deeds for move in deed.script]
        return any(isinstance(move, Spawn) and move.in_pane for move in moves)
