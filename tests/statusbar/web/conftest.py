"""What the tests of the page get."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.browser import PROGRAMS, Browser
from support.needs import need
from support.page import is_live
from support.patience import until
from support.serving import Serving, serving
from support.showing import put, watcher


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A state folder with a watcher that is well."""
    put(tmp_path / "state")
    with watcher(tmp_path / "state"):
        yield tmp_path / "state"


@pytest.fixture
def web(home: Path) -> Iterator[Serving]:
    with serving(home) as made:
        yield made


@pytest.fixture(scope="session")
def _browser() -> Iterator[Browser]:
    """One for all tests of a worker: each start takes seconds of both cores."""
    need(*PROGRAMS)
    with Browser() as made:
        yield made


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """A new tab for each test, without cookies. It goes with the test: its page would look for its server for ever."""
    _browser.new_tab()
    _browser.cdp("Network.clearBrowserCookies")
    _browser.looks(1280, 800)
    yield _browser
    _browser.close_tab()


@pytest.fixture
def open_page(browser: Browser, web: Serving) -> Browser:
    browser.go(web.told["url"])
    until(lambda: is_live(browser), "the first board")
    return browser
