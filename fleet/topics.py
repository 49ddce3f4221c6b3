"""The topics that machines and boards meet at on a broker. Pure.

yourturn/v1/<owner>/<host>/host            the machine itself, and which sessions it has
yourturn/v1/<owner>/<host>/session/<id>    one session
yourturn/v1/<owner>/total                  how many agents of all machines of an owner are in which state
"""

from __future__ import annotations

from typing import NamedTuple

from fleet.sources import ANY, NAME

ROOT = "yourturn/v1"
HOST, SESSION, TOTAL = "host", "session", "total"


class Place(NamedTuple):
    """Where one machine writes. Nobody else may: see the access list in docs/MACHINES.md."""

    owner: str
    host: str

    @property
    def about(self) -> str:
        return f"{ROOT}/{self.owner}/{self.host}/{HOST}"

    def session(self, id_: str) -> str:
        return f"{ROOT}/{self.owner}/{self.host}/{SESSION}/{id_}"

    @property
    def sessions(self) -> str:
        """All of them, to subscribe to."""
        return self.session("+")

    @property
    def is_fit(self) -> bool:
        """A machine called like the total could write it, as an access list for all below a name has that name too."""
        return bool(NAME.fullmatch(self.owner) and NAME.fullmatch(self.host)) and self.host != TOTAL


class Topic(NamedTuple):
    place: Place
    session: str = ""  # '' for the machine itself


def hosts(owner: str) -> str:
    """All machines of an owner, or of all owners, to subscribe to."""
    return f"{ROOT}/{'+' if owner == ANY else owner}/+/{HOST}"


def total(owner: str) -> str:
    return f"{ROOT}/{owner}/{TOTAL}"


def read(topic: str) -> Topic | None:
    """None for one that is none of ours. Whether the names in it are fit is up to whoever reads it."""
    words = topic.removeprefix(f"{ROOT}/").split("/")
    if not topic.startswith(f"{ROOT}/"):
        return None
    if len(words) == 3 and words[2] == HOST:  # noqa: PLR2004 - as listed above
        return Topic(Place(words[0], words[1]))
    if len(words) == 4 and words[2] == SESSION and words[3]:  # noqa: PLR2004
        return Topic(Place(words[0], words[1]), words[3])
    return None
