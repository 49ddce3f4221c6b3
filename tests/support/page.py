"""The page of `yourturn web` in a browser: what it shows, as tests ask for it."""

import contextlib
from urllib.parse import unquote

from bench.browser import Browser, BrowserError
from support.patience import until

MARK = "window.mark = 'still the same page'"
ROWS = "return [...document.querySelectorAll('.rows > li')].map((row) => row.innerText.replace(/\\s+/g, ' '))"


def is_live(browser: Browser) -> bool:
    """Whether it shows what the server says. While a page goes and another one comes, there is none to ask."""
    with contextlib.suppress(BrowserError):
        return bool(browser.js("return document.documentElement.dataset.live") == "yes")
    return False


def has_heading(browser: Browser, *words: str) -> bool:
    with contextlib.suppress(BrowserError):
        return browser.js("return document.querySelector('h1').innerText") in words
    return False


def shows(browser: Browser, *texts: str) -> list[str]:
    """The rows, once each of these stands in one."""

    def seen() -> list[str]:
        rows: list[str] = browser.js(ROWS)
        return rows if all(any(text in row for row in rows) for text in texts) else []

    found: list[str] = until(seen, lambda: f"{texts} in {browser.js('return document.body.innerText')}")
    return found


def until_title(browser: Browser, title: str) -> None:
    until(lambda: browser.title() == title, browser.title)


def icon(browser: Browser) -> str:
    return unquote(browser.js("return document.getElementById('icon').href"))
