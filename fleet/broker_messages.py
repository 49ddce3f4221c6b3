"""What a broker says of a machine, and of a session, made fit to be kept here. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths, status
from contract.clean import clean
from fleet import incoming

if TYPE_CHECKING:
    from contract.status import SessionStatus

LARGEST = 64 << 10  # bytes of a message
WORDS = 80
ID = 128


class About(NamedTuple):
    """What a machine says of itself, or the broker in its name."""

    is_online: bool
    is_known: bool = False  # whether its states are up to date there
    version: str = ""
    why: str = ""
    number: int = 0  # how much it had said of its sessions by then
    sessions: frozenset[str] = frozenset()  # all that there are; what else the broker keeps is old
    left_out: int = 0  # sessions, because they are too many
    run: str = ""  # another one each time that it begins anew


class Told(NamedTuple):
    """One session."""

    session: SessionStatus
    ahead_s: float  # by how much the clock of its machine is ahead of ours
    number: int = 0


def ahead(raw: dict[str, Any], age_s: float, now: float, before: float) -> float:
    """A message that the broker has kept for a while was written then, and not now."""
    said = raw.get("now")
    return incoming.ahead(said + age_s, now, before) if isinstance(said, float) else before


def about(raw: dict[str, Any]) -> About | None:
    """None for garbage."""
    if not isinstance(raw.get("online"), bool):
        return None
    listed = raw.get("sessions")
    ids = [id_ for id_ in listed if isinstance(id_, str) and 0 < len(id_) <= ID] if isinstance(listed, list) else []
    return About(
        raw["online"],
        raw.get("known") is True,
        clean(raw.get("version"), WORDS),
        clean(raw.get("why"), 2 * WORDS),
        _number(raw),
        frozenset(ids[: incoming.SESSIONS]),
        max(len(ids) - incoming.SESSIONS, 0),
        clean(raw.get("run"), WORDS),
    )


def session(raw: dict[str, Any], id_: str, ahead_s: float, now: float) -> Told | None:
    """None for what is none, or is called another name than the topic that it came by."""
    found = incoming.session(raw, ahead_s, now)
    if found is None or paths.file_name(found.session_id) != id_:
        return None
    return Told(found, ahead_s, _number(raw))


def fields(payload: bytes) -> dict[str, Any]:
    """None of garbage, or of what is too long."""
    return status.fields_of(payload) if len(payload) <= LARGEST else {}


def _number(raw: dict[str, Any]) -> int:
    number = raw.get("n")
    return number if type(number) is int and 0 <= number < 1 << 62 else 0
