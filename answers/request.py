"""A request that is open: who asks for what, and who waits for the answer."""

from __future__ import annotations

from contract import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    from _blake2 import blake2b  # without OpenSSL, which takes more memory than all the rest of a hook that waits
except ImportError:  # pragma: no cover - another interpreter
    from hashlib import blake2b

VERSION = 1
PERMISSION, QUESTION, PLAN = "permission", "question", "plan"
KINDS = (PERMISSION, QUESTION, PLAN)
KEEPER = "keeper"
LONGEST_ID = 16
TEXTS = (
    "id", "client", "kind", "session", "agent", "turn", "mode", "tool", "target", "cwd", "folder", "start",
    "client_start",
)  # fmt: skip
MORE_TEXTS = ("host",)  # a hook of an older version does not write them
NUMBERS = ("pid", "client_pid")
TIMES = ("at", "deadline")


class Request:
    """One of these, in a file, as long as somebody waits for the answer."""

    id = ""
    client = ""  # its name in `answers.clients`
    kind = PERMISSION
    session = ""
    agent = "main"  # or the sub-agent's id
    turn = ""
    mode = ""  # the permission mode
    tool = ""
    target = ""  # what it is about, short and masked: this is kept
    input: Any = None  # whole, as the client gave it
    cwd = ""
    folder = ""  # in which the client says of itself what it does
    host = ""  # KEEPER where the client shows no dialog of its own: then this is the only place to answer
    pid = 0  # of the hook or the keeper that waits
    start = ""
    client_pid = 0
    client_start = ""
    at = 0.0  # wall clock
    deadline = 0.0  # seconds since boot; a keeper waits as long as its agent

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def digest(self) -> str:
        """Of what a person has to see; '' if it cannot be told from another request."""
        plain = wire.canonical([self.session, self.agent, self.tool, self.input])
        return blake2b(plain, digest_size=16).hexdigest() if plain else ""


def encode(request: Request) -> bytes:
    names = (*TEXTS, *MORE_TEXTS, *NUMBERS, *TIMES, "input")
    return wire.encode({"v": VERSION, **{name: getattr(request, name) for name in names}})


def decode(data: bytes) -> Request | None:
    """None for anything but a request as this version writes it."""
    try:
        raw = wire.decode(data)
    except ValueError:
        return None
    if not isinstance(raw, dict) or raw.get("v") != VERSION or not is_id(raw.get("id")):
        return None
    fits = (
        all(isinstance(raw.get(name), str) for name in TEXTS)
        and all(type(raw.get(name)) is int and raw[name] > 0 for name in NUMBERS)
        and all(type(raw.get(name)) in (int, float) for name in TIMES)
        and isinstance(raw.get("input"), dict)
        and all(isinstance(raw.get(name, ""), str) for name in MORE_TEXTS)
        and raw["kind"] in KINDS
    )
    names = (*TEXTS, *(name for name in MORE_TEXTS if name in raw), *NUMBERS, *TIMES, "input")
    return Request(**{name: raw[name] for name in names}) if fits else None


def is_id(word: object) -> bool:
    return isinstance(word, str) and len(word) == LONGEST_ID and set(word) <= set("0123456789abcdef")
