"""Whether an event comes from an agent that we started: its client may name another session id, or another process."""

from __future__ import annotations

from contract import facts, paths, store
from recorder import changes, surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contract.facts import Client, Fact
    from recorder.change import Change


def registered_as(home: str, name: str, change: Change) -> str:
    """The id that this client was registered under; '' if it was started by somebody else.

    `name` is inherited by all that the agent starts, other agents of its client too. So the process decides.
    """
    fact = facts.decode(store.read(paths.fact(home, name, paths.MAIN)) or b"")
    if fact is None or fact.registered is None or fact.client is None or fact.client_name != change.client:
        return ""
    spoke = surroundings.client(*change.process)
    is_it = spoke is not None and (fact.client.is_process(spoke) or _begins_its_task(fact, spoke))
    return fact.session if is_it else ""


def _begins_its_task(fact: Fact, spoke: Client) -> bool:
    """Without a task it is a person's, and may leave all to a process that has other sessions too."""
    return changes.was_given_its_task(fact) and is_launched_by(fact, spoke)


def is_launched_by(fact: Fact, spoke: Client) -> bool:
    """Whether the registered process is only the script that has started this one, and nobody has spoken before."""
    known = fact.client
    return bool(fact.registered and known and not fact.seq and surroundings.parent(spoke.pid) == known.pid)
