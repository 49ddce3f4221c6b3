"""The words for what `yourturn wait` can wait for. Apart from `wait_progress.py`: options need them early."""

from __future__ import annotations

from contract.status import NEEDS_APPROVAL, WAITING, WORKING

YOUR_TURN, GONE, ANY_CHANGE = "your-turn", "gone", "any-change"
WANTED = (YOUR_TURN, NEEDS_APPROVAL, WORKING, WAITING, GONE, ANY_CHANGE)
