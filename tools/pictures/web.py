"""The page in a real Chromium: on a wide screen, light; and on a phone, dark."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bench.browser import Browser
from bench.watching import wait
from bench.web import served
from tools.pictures import story

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDE, NARROW = (1280, 800), (360, 760)
SHARP = 1.5  # pixels of the picture for each of the phone
OPEN_FIRST = """
document.querySelector("details").open = true;
requestAnimationFrame(() => setTimeout(done, 100));
"""
IS_DRAWN = "return document.querySelectorAll('.rows > li').length > 5 && document.getAnimations().length === 0"


def wide(folder: str, path: str) -> None:
    for page in _opened(folder):
        page.looks(*WIDE)
        page.js_later(OPEN_FIRST)
        page.picture(path)


def narrow(folder: str, path: str) -> None:
    for page in _opened(folder):
        page.looks(*NARROW, "dark", SHARP)
        page.picture(path, beyond=False)


def _opened(folder: str) -> Iterator[Browser]:
    with story.told() as home:
        env = {"PATH": os.environ["PATH"], "HOME": folder, "YOURTURN_HOME": home, "YOURTURN_NO_WATCHER": "1"}
        with served(env) as web, Browser() as page:
            page.go(web.link)
            wait(lambda: page.js(IS_DRAWN), "nothing was drawn")
            yield page
