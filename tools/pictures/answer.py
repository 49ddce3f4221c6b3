"""The menu of a session that asks, in a real panel of Xfce: the whole of what is asked, Allow and Deny."""

from __future__ import annotations

import os
import time

from answers import open_requests as requests
from answers.request import Request
from tools.pictures import story, tray

ASKED = {"command": "npm install --save-exact stripe@17.3.1", "description": "Add the payment library"}


def draw(folder: str, path: str) -> None:
    with story.told() as home, requests.Held(home, _request()):
        tray.open_menu(folder, home, path)


def _request() -> Request:
    """Of the sub-agent that asks in the story. We are the one who waits for the answer."""
    about = {"session": "shop", "agent": "c3d2", "tool": "Bash", "input": ASKED, "cwd": "/home/me/shop"}
    waits = {"pid": os.getpid(), "client_pid": os.getpid(), "at": time.time(), "deadline": 0.0}
    return Request(id=requests.new_id(), client="claude", **about, **waits)
