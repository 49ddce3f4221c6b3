"""`yourturn take-back`: the broker shall keep nothing of this machine. `uninstall` and `share off` ask for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fleet import share_settings
from fleet.broker_extra import lacking
from fleet.sources import Wrong

if TYPE_CHECKING:
    import argparse

    from fleet.share_settings import Sharing

COULD_NOT = 1
KEPT = "{}: {}. It keeps what it was told of this machine for up to a week."


def run(args: argparse.Namespace) -> int:
    try:
        sharing = share_settings.load(args.share_file)
    except Wrong as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return COULD_NOT
    return 0 if sharing is None or take_back(sharing) else COULD_NOT


def take_back(sharing: Sharing) -> bool:
    """Whether the broker keeps nothing of this machine any more; if it does, that is said, and why."""
    why = lacking() or _refusal(sharing)
    if why:
        print(f"yourturn: {KEPT.format(sharing.broker, why)}", file=sys.stderr)
    return not why


def _refusal(sharing: Sharing) -> str:
    from fleet import broker_call  # noqa: PLC0415 - needs a package that not everybody has

    answer = broker_call.take_back(sharing)
    return "" if answer.is_there else answer.why
