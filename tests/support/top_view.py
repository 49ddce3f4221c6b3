"""A board for `yourturn top`, and the view after keys were pressed."""

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model.board import board
from statusbar.top.state import Seen, View, press, settle
from support.showing import NOW, session, statuses

WHOLE = board(statuses(*(session(f"s{k}", NEEDS_APPROVAL if k == 3 else WAITING) for k in range(40))), NOW)
SEEN = Seen(WHOLE.rows, 40, 10)


def after(*keys: str, view: View | None = None, seen: Seen = SEEN) -> View:
    found = settle(view or View(), seen.rows)
    for key in keys:
        found = press(found, key, seen)
    return found
