"""What real clients wrote into a home: a prompt, a sub-agent, and a question that is still open (Gemini CLI: none).

Recorded on loopback with the versions in `tools/agents`; long texts are cut.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from support.project import TESTS

if TYPE_CHECKING:
    from pathlib import Path

HOMES = TESTS / "replay" / "homes"
# The transcript of the main agent, below the home.
MAIN = {
    "codex": ".codex/sessions/2026/11/18/rollout-2026-11-18T00-35-27-01a1ec14-7aa7-7690-9bf8-fb7443d715f2.jsonl",
    "copilot": ".copilot/session-state/c362f7cc-ae17-4ebf-b70b-2e9a4fa09621/events.jsonl",
    "gemini": ".gemini/tmp/proj/chats/session-2026-11-18T00-34-cfb55108.jsonl",
    "qwen": ".qwen/projects/-home-dev-proj/chats/06145230-6fd4-4402-8ed3-855ca3f6f03c.jsonl",
}
SESSIONS = {
    "codex": "01a1ec14-7aa7-7690-9bf8-fb7443d715f2",
    "copilot": "c362f7cc-ae17-4ebf-b70b-2e9a4fa09621",
    "gemini": "cfb55108-dca1-45f3-abd4-9e7879709496",
    "qwen": "06145230-6fd4-4402-8ed3-855ca3f6f03c",
}


def lay_down(client: str, home: Path) -> Path:
    """A copy of it in a home of the test's; where the main agent's transcript is."""
    shutil.copytree(HOMES / client, home, dirs_exist_ok=True)
    return home / MAIN[client]
