"""Whether a client's pid means anything here: a home may be shared with a container, or have survived a reboot."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contract.facts import Client

SLACK_S = 60.0  # how far the wall clock may be off when the time of the boot is worked out


class Place(Enum):
    HERE = "here"
    ELSEWHERE = "elsewhere"  # in another pid namespace or on another host: whether it lives cannot be seen
    BEFORE = "before"  # on this host, before it was booted: it is gone


def place_of(client: Client, here: tuple[str, str, str], spoke_at: float, booted_at: float) -> Place:
    """`spoke_at`: its last sign, `booted_at`: when this machine began, both on the wall clock.

    A boot has an id of its own, so two processes that name the same one run on the same kernel. What is not known
    does not tell places apart.
    """
    host, boot, pids = here
    if not client.host:
        return Place.HERE  # noted before places were
    if client.boot == boot:
        return Place.HERE if not client.pids or client.pids == pids else Place.ELSEWHERE
    is_past = bool(client.boot and boot) and client.host == host and spoke_at < booted_at - SLACK_S
    return Place.BEFORE if is_past else Place.ELSEWHERE
