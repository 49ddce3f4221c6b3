"""How many agents of an owner are in which state, on all machines: what a lamp shows. Pure."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from contract.status import STATES, VERSION

if TYPE_CHECKING:
    from collections.abc import Collection

    from fleet.broker_host import BrokerHost

# Said by the broker in the name of whoever counts, when that is gone.
UNKNOWN = json.dumps({"v": VERSION, "known": False}).encode()


def encode(hosts: Collection[BrokerHost]) -> bytes:
    """Only of machines that speak; how many do not is said as well, since calm must not be taken for granted."""
    speaking = [host for host in hosts if host.speaks]
    counts = sum((host.counts for host in speaking), Counter[str]())
    told = {"v": VERSION, "known": True, **{state: counts[state] for state in STATES}}
    return json.dumps({**told, "hosts": len(speaking), "out_of_reach": len(hosts) - len(speaking)}).encode()
