"""A page in a real Chromium that has lost its server: it says so, and comes back by itself."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING
from support.page import MARK, icon, is_live, shows
from support.patience import until
from support.serving import Serving, serving
from support.showing import just_now, put

if TYPE_CHECKING:
    from pathlib import Path

    from bench.browser import Browser

pytestmark = pytest.mark.series  # with `make test-clients`


def lost(browser: Browser) -> str:
    """What it says when it has lost the server."""
    words = "const one = document.getElementById('lost'); return one.hidden ? '' : one.innerText"
    return str(until(lambda: browser.js(words), "that it is lost"))


def test_a_page_that_has_lost_the_server_says_so_and_looks_so(open_page: Browser, web: Serving, home: Path) -> None:
    put(home, just_now("shop", WAITING))
    shows(open_page, "shop")
    open_page.js("document.documentElement.dataset.before = getComputedStyle(document.querySelector('main')).filter")
    web.process.kill()
    assert "nothing is known since" in lost(open_page)
    assert open_page.js("return document.getElementById('lost').getAttribute('role')") == "alert"
    assert open_page.title() == "✕ · yourturn"
    assert "#b37a00" in icon(open_page)
    assert open_page.js("return document.querySelector('h1').innerText") == "State unknown"
    assert open_page.js("return document.documentElement.dataset.before") == "none"
    assert open_page.js("return getComputedStyle(document.querySelector('main')).filter") == "grayscale(1)"


def test_it_comes_back_by_itself_with_what_is_new(browser: Browser, home: Path, tmp_path: Path) -> None:
    words = ("--token-file", str(tmp_path / "token"))
    put(home, just_now("shop", detail="before"))
    with serving(home, "--listen", "0", *words) as web:
        browser.go(web.told["url"])
        shows(browser, "before")
        browser.js(MARK)
        web.process.kill()
        web.process.wait()
        lost(browser)
    put(home, just_now("shop", NEEDS_APPROVAL, detail="after"))
    with serving(home, "--listen", web.host, *words):
        shows(browser, "after")
        assert browser.js("return document.getElementById('lost').hidden")
        assert is_live(browser)
        assert browser.title() == "▲1 · yourturn"
        assert browser.js("return window.mark") == "still the same page"


def test_after_a_restart_with_another_token_it_says_that_the_link_is_old(browser: Browser, home: Path) -> None:
    with serving(home) as web:
        browser.go(web.told["url"])
        until(lambda: is_live(browser), "the first board")
        web.process.kill()
        web.process.wait()
    with serving(home, "--listen", web.host) as again:
        until(lambda: "not valid any more" in lost(browser), "that the link is old")
        browser.js_later("fetch('/?token=' + arguments[0]).then(() => done())", again.token)
        until(lambda: is_live(browser), "the new cookie is tried")


def test_a_server_that_falls_silent_is_noticed(open_page: Browser, web: Serving) -> None:
    web.process.send_signal(signal.SIGSTOP)  # it keeps its connections, and says nothing
    try:
        assert "silent" in lost(open_page)
    finally:
        web.process.send_signal(signal.SIGCONT)
    until(lambda: is_live(open_page), "its voice again")
