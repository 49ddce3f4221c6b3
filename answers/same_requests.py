"""Which open requests are the same, byte for byte: only those can be allowed together. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers.request import PERMISSION
from contract import wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from answers.request import Request


def equal_to(request: Request, requests: Iterable[Request]) -> list[Request]:
    """This one first, then the others of the same session; a plan has to be decided for itself.

    Sub-agents of one session may ask for the same. Two terminals that have one session open are two sessions here.
    """
    wanted = _bytes(request) if request.kind == PERMISSION else b""
    same = (one for one in requests if one.id != request.id and _bytes(one) == wanted)
    return [request, *(same if wanted else ())]


def are_equal(requests: list[Request]) -> bool:
    """One alone is."""
    return len(requests) == 1 or len(equal_to(requests[0], requests)) == len(requests)


def _bytes(request: Request) -> bytes:
    """All that a person is shown of it, but for who asks; b"" if it cannot be told from another one."""
    whose = [request.client, request.session, request.client_pid, request.client_start]
    return wire.canonical([*whose, request.kind, request.tool, request.cwd, request.input])
