"""How each client's transcripts are read: one file each, with the same names inside.

`glimpse(ends)` gives what the two ends of a transcript tell. It takes whatever the file holds, and raises only what
`transcript_ends` raises. `beside(path)` is the path of another file that it reads, such as for a title; '' if there is
none. `written(glimpse)` is the other way round: a small transcript that tells this. Only the demo's client needs it.
"""

from __future__ import annotations

from contract.client_modules import found_in, module_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from conversations.glimpse import Glimpse
    from conversations.transcript_ends import Ends

    class Client(Protocol):
        def glimpse(self, ends: Ends, /) -> Glimpse: ...
        def beside(self, path: str, /) -> str: ...

    Writer = Callable[[Glimpse], bytes]


CLIENTS = found_in("conversations.clients", __file__)


def named(name: str) -> Client | None:
    """None for a client whose transcripts we cannot read."""
    found: Client | None = module_of(CLIENTS, name)
    return found


def writer(name: str) -> Writer | None:
    written: Writer | None = getattr(named(name), "written", None)
    return written
