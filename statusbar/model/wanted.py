"""What one can wait for. Apart from `awaited.py`, because the options of every command are declared before one runs."""

from __future__ import annotations

from contract.status import NEEDS_APPROVAL, WAITING, WORKING

YOUR_TURN, GONE, ANY_CHANGE = "your-turn", "gone", "any-change"
WANTED = (YOUR_TURN, NEEDS_APPROVAL, WORKING, WAITING, GONE, ANY_CHANGE)
