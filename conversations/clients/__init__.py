"""How each client's transcripts are read: one file each, with the same names inside.

`glimpse(ends)` gives what the two ends of a transcript tell. It takes whatever the file holds, and never raises but
for what `ends` raises. `written(glimpse)` is the other way round: a small transcript that tells this, for the demo.
"""

from __future__ import annotations

import sys

from contract.clients import found_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from conversations.ends import Ends
    from conversations.glimpse import Glimpse

    class Client(Protocol):
        def glimpse(self, ends: Ends, /) -> Glimpse: ...
        def written(self, glimpse: Glimpse, /) -> bytes: ...


CLIENTS = found_in("conversations.clients", __file__)


def named(name: str) -> Client | None:
    """Imported when it is asked for; None for a client whose transcripts we cannot read."""
    module = CLIENTS.get(name)
    if module is None:
        return None
    if module not in sys.modules:
        __import__(module)
    return sys.modules[module]
