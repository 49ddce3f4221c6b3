"""An entry of the registry as a client wrote it."""

from __future__ import annotations

SESSION = "d4f10125-b74f-4a25-b97b-96cbb6a86b7e"
CAPTURED = {
    "pid": 8929, "sessionId": SESSION, "cwd": "/home/me/proj", "startedAt": 1794796315517, "procStart": "86529",
    "version": "2.1.325", "peerFeatures": ["notify_idle"], "kind": "interactive", "entrypoint": "cli",
    "pidDomain": "linux:3d12:pid:[4026531836]", "asksForConvertedSkills": None, "tmux": "m:@0.%0", "name": "proj-5a",
    "nameSource": "derived", "status": "waiting", "statusUpdatedAt": 1794796320194, "waitingFor": "permission prompt",
}  # fmt: skip
