"""The page in a real Chromium: what a person sees, hears and can reach."""

from __future__ import annotations

import contextlib
import http.server
import re
import signal
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from bench.browser import PROGRAMS, Browser, BrowserError
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from support.needs import need
from support.patience import until
from support.serving import Serving, serving
from support.showing import HOSTILE, agent, hostile, just_now, put, session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.series  # with `make test-clients`

EVIL = {
    **HOSTILE,
    "a script": "<script>window.stolen = 1; alert(1)</script>",
    "an image": "<img src=x onerror='window.stolen = 1; alert(1)'>",
    "the end of an attribute": "\"'><svg onload=alert(1)>",
    "an address": "javascript:alert(1)",
}
ROWS = "return [...document.querySelectorAll('.rows > li')].map((row) => row.innerText.replace(/\\s+/g, ' '))"
MARK = "window.mark = 'still the same page'"
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((one) => one.value)))
  .observe({ type: "layout-shift", buffered: false });
"""
CONTRAST = """
const luminance = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((value) => value / (colour.startsWith("color(") ? 1 : 255))
    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const background = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (!/, 0\\)$|^transparent$/.test(colour)) return colour;
  }
};
const words = "h1, h2 span, .project, .name, .detail, .word, .age, .counts span, .below li, footer span";
return [...document.querySelectorAll(words)]
  .filter((one) => one.innerText && one.checkVisibility())
  .map((one) => {
    const [light, dark] = [getComputedStyle(one).color, background(one)].map(luminance).sort((a, b) => b - a);
    return [one.className || one.tagName, (light + 0.05) / (dark + 0.05)];
  });
"""


@pytest.fixture(scope="module")
def _browser() -> Iterator[Browser]:
    need(*PROGRAMS)
    with Browser() as made:
        yield made


@pytest.fixture
def browser(_browser: Browser) -> Browser:
    """A new tab for each test, without cookies."""
    _browser.new_tab()
    _browser.cdp("Network.clearBrowserCookies")
    _browser.looks(1280, 800)
    return _browser


@pytest.fixture
def open_page(browser: Browser, web: Serving) -> Browser:
    browser.go(web.told["url"])
    until(lambda: is_live(browser), "the first board")
    return browser


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


def alert_free(browser: Browser) -> bool:
    """An open alert makes every command fail."""
    return browser.js("return window.stolen === undefined") is True


def test_the_link_opens_it_and_the_token_is_nowhere_to_be_seen(browser: Browser, web: Serving, home: Path) -> None:
    put(home, just_now("shop", NEEDS_APPROVAL, detail="Bash: npm install"))
    browser.go(web.told["url"])
    assert shows(browser, "shop")[0].startswith("shop shop-name Bash: npm install ")
    assert browser.url() == f"{web.origin}/"
    assert browser.js("return document.cookie") == "", "no script can read it"
    (cookie,) = browser.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
    assert "expiry" not in cookie
    assert web.token not in browser.js("return document.documentElement.outerHTML + JSON.stringify(history.state)")


def test_without_the_link_it_says_what_to_do(browser: Browser, web: Serving, home: Path) -> None:
    put(home, just_now("shop"))
    browser.go(web.origin)
    assert "Open the link that was printed" in browser.js("return document.body.innerText")
    assert "shop" not in browser.js("return document.documentElement.outerHTML")
    assert browser.js("return getComputedStyle(document.querySelector('h1')).fontWeight") != "700", "with its style"


def test_it_changes_without_being_loaded_again(open_page: Browser, home: Path) -> None:
    open_page.js(MARK)
    put(home, just_now("shop", detail="Edit: a.py"))
    shows(open_page, "Edit: a.py")
    put(home, just_now("shop", NEEDS_APPROVAL, detail="Bash: rm"), just_now("api", WAITING))
    rows = shows(open_page, "Bash: rm", "api")
    assert [row.partition(" ")[0] for row in rows] == ["shop", "api"]
    headings = "return [...document.querySelectorAll('h2')].map((one) => one.textContent)"
    assert open_page.js(headings) == ["Needs you 1", "Waiting 1"]
    (home / "status" / "shop.json").unlink()
    until(lambda: len(open_page.js(ROWS)) == 1, "one row less")
    assert open_page.js("return window.mark") == "still the same page"


def test_the_tab_says_it_by_shape_colour_and_number(open_page: Browser, home: Path) -> None:
    until_title(open_page, "· · yourturn")
    assert "<text" not in icon(open_page)
    shapes = {}
    for state, sign, colour in ((WAITING, "○", "#3e8ed0"), (WORKING, "●", "#2b9a66"), (NEEDS_APPROVAL, "▲", "#e5484d")):
        put(home, just_now("a", state), just_now("b", state))
        until_title(open_page, f"{sign}2 · yourturn")
        assert colour in icon(open_page)
        assert ">2</text>" in icon(open_page)
        shapes[state] = re.sub(r"#\w+", "", icon(open_page))
    assert len(set(shapes.values())) == 3, "they differ without colours too"


def test_names_are_text_and_never_elements(open_page: Browser, home: Path) -> None:
    """The same elements as for a harmless name, and none of them does anything."""
    put(home, hostile("harmless"))
    shows(open_page, "harmless")
    tags = "return [...new Set([...document.querySelectorAll('main *')].map((one) => one.tagName))].sort()"
    harmless = open_page.js(tags)
    (home / "status" / "harmless.json").unlink()
    put(home, *(hostile(text) for text in EVIL.values()))
    until(lambda: len(open_page.js(ROWS)) == len(EVIL), lambda: str(open_page.js(ROWS)))
    assert open_page.js(tags) == harmless
    assert alert_free(open_page)
    shown = open_page.js(
        "return [...document.querySelectorAll('main section')].map((one) => one.textContent).join(' ')"
    )
    assert "<script>window.stolen = 1; alert(1)</script>" in shown
    assert "<img src=x onerror=" in shown
    assert all(char not in shown for char in "\x1b\u202e\u200b\n")
    assert open_page.js("return document.querySelectorAll('main a, main img, main script').length") == 0


def test_no_name_makes_the_page_wider_than_a_phone(open_page: Browser, home: Path) -> None:
    open_page.looks(360, 740)
    put(home, *(hostile(text) for text in EVIL.values()))
    until(lambda: len(open_page.js(ROWS)) == len(EVIL), "all of them")
    open_page.js("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert open_page.js("return document.documentElement.scrollWidth") == 360
    cut = (
        "return [...document.querySelectorAll('.who, .what')].filter((one) => one.scrollWidth > one.clientWidth).length"
    )
    assert open_page.js(cut) == 0, "nothing is cut off at the edge"


def test_ages_grow_by_themselves_and_move_nothing(open_page: Browser, home: Path) -> None:
    now = time.time()
    put(home, session("a", since=now - 58), session("b", since=now - 7), session("c", since=now - 3 * 3600))
    shows(open_page, "a-name", "b-name", "c-name")
    assert any(row.endswith(" 3 h") for row in open_page.js(ROWS))
    moments = open_page.js(
        "return [...document.querySelectorAll('time')].map((one) => Date.parse(one.dateTime) / 1000)"
    )
    assert [round(now - at) for at in moments] == [3 * 3600, 58, 7]
    open_page.js(WATCH_SHIFTS + "window.asked = performance.getEntriesByType('resource').length")
    shows(open_page, "1 min")
    until(lambda: any(re.search(r" 1\d s$", row) for row in open_page.js(ROWS)), "ten seconds")
    assert open_page.js("return window.shifts") == []
    assert open_page.js("return performance.getEntriesByType('resource').length - window.asked") == 0


def test_ages_are_right_where_the_clock_is_wrong(browser: Browser, web: Serving, home: Path) -> None:
    put(home, just_now("a", since=time.time() - 300))
    browser.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        source="const real = Date.now; Date.now = () => real() - 600000;",
    )
    browser.go(web.told["url"])
    assert shows(browser, "a-name")[0].endswith(" 5 min")


def test_agents_open_by_keyboard_and_stay_open_while_things_change(open_page: Browser, home: Path) -> None:
    def family(detail: str, state: str = WORKING) -> None:
        sub = agent("sub", state, type="Explore", parent="main", detail=detail, since=time.time())
        put(
            home,
            just_now("shop", state, agents=(agent(), sub)),
            just_now("api", state, agents=(agent(), agent("x", parent="main"))),
        )

    family("first")
    shows(open_page, "shop", "api")
    agents = "return document.querySelector('[data-state] details[open] .agents')?.innerText || ''"
    assert open_page.js(agents) == ""
    open_page.js("document.body.focus()")
    seen = []
    for _ in range(2):
        open_page.press("Tab")
        seen.append(open_page.js("return document.activeElement.innerText.split(/\\s/)[0]"))
        assert open_page.js("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
        open_page.press("Enter")
    assert sorted(seen) == ["api", "shop"], "each row that opens is reached"
    assert "Explore" in open_page.js("return document.querySelector('main').innerText")
    focused = "return document.activeElement.closest('li').innerText.split(/\\s/)[0]"
    before = open_page.js(focused)
    family("second", NEEDS_APPROVAL)
    until(lambda: "second" in open_page.js("return document.querySelector('main').innerText"), "the change")
    assert open_page.js("return document.querySelectorAll('details[open]').length") == 2
    assert open_page.js(focused) == before, "who was there with the keyboard still is"


def test_a_new_request_is_read_out_and_nothing_else(open_page: Browser, home: Path) -> None:
    said = "return document.getElementById('news').textContent"
    put(home, just_now("shop"))
    shows(open_page, "shop")
    assert open_page.js(said) == ""
    put(home, just_now("shop", NEEDS_APPROVAL, detail="Bash: npm install"))
    assert until(lambda: open_page.js(said)) == "shop needs approval: Bash: npm install"
    assert open_page.js("return document.getElementById('news').getAttribute('aria-live')") == "assertive"


def test_a_screen_reader_finds_headings_lists_and_words_for_each_sign(open_page: Browser, home: Path) -> None:
    put(home, just_now("shop", NEEDS_APPROVAL, agents=(agent(), agent("sub", NEEDS_APPROVAL, parent="main"))))
    shows(open_page, "shop")
    tree = open_page.cdp("Accessibility.getFullAXTree")["nodes"]
    found = {(one["role"]["value"], one.get("name", {}).get("value", "")) for one in tree if not one["ignored"]}
    roles = {role for role, _ in found}
    assert {"heading", "list", "listitem", "main", "banner", "time", "status"} <= roles
    assert ("heading", "1 agent needs you") in found
    assert any(role == "heading" and name.lower() == "needs you 1" for role, name in found)
    assert any("2 agents: 1 needs you, 1 working" in name for _, name in found), "what the small signs say"
    assert open_page.js("return [...document.querySelectorAll('.sign')].every((one) => one.ariaHidden === 'true')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(scheme: str, open_page: Browser, home: Path) -> None:
    put(home, *(just_now(f"{state}-project", state, detail="Bash: ls") for state in (NEEDS_APPROVAL, WORKING, WAITING)))
    shows(open_page, "working-project")
    open_page.looks(1280, 800, scheme)
    until(lambda: open_page.js("return document.getAnimations().length") == 0, "the end of the light on the new one")
    found = open_page.js(CONTRAST)
    assert len(found) > 15
    assert [one for one in found if one[1] < 4.5] == []


def test_who_wants_no_motion_gets_none(open_page: Browser, home: Path) -> None:
    moves = "return getComputedStyle(document.querySelector('.rows li')).animationName"
    for wanted, name in (("no-preference", "arrive"), ("reduce", "none")):
        open_page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": wanted}])
        put(home, just_now("a", NEEDS_APPROVAL, detail=wanted))
        shows(open_page, wanted)
        assert open_page.js(moves) == name


# When the server is not there


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


# Other pages


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of somebody else."""

    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def elsewhere(page: str) -> Iterator[str]:
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Page", (Elsewhere,), {"page": page.encode()}))
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/"
    finally:
        made.shutdown()
        thread.join()
        made.server_close()


STEAL = """
const tried = [];
const source = new EventSource(arguments[0] + "/events", { withCredentials: true });
source.onmessage = source.onopen = () => tried.push("events");
const frame = document.createElement("iframe");
frame.src = arguments[0] + "/";
document.body.append(frame);
const script = document.createElement("script");
script.src = arguments[0] + "/page.js";
script.onload = () => tried.push("script");
document.body.append(script);
const ways = ["same-origin", "include"].flatMap((credentials) => ["cors", "no-cors"].map((mode) =>
  fetch(arguments[0] + "/", { credentials, mode })
    .then((answer) => answer.type === "opaque" || tried.push("fetch"), () => 0)));
Promise.all(ways).then(() => setTimeout(() => {
  let seen = "";
  try { seen = frame.contentDocument ? frame.contentDocument.body.innerText : ""; } catch { seen = ""; }
  if (seen.includes("shop")) tried.push("frame");
  done([tried, source.readyState]);
}, 500));
"""


# With the cookie, and without it: from another host, the browser does not send it.
REFUSED = ("Refused", "The link is needed")


def test_another_page_gets_nothing_out_of_it(open_page: Browser, web: Serving, home: Path) -> None:
    """On another port of the same host the browser sends the cookie along, and still."""
    put(home, just_now("shop", NEEDS_APPROVAL))
    shows(open_page, "shop")
    with elsewhere("<!doctype html><body>somebody else") as url:
        for origin in (url, url.replace("127.0.0.1", "localhost")):
            open_page.go(origin)
            tried, state = open_page.js_later(STEAL, web.origin)
            assert tried == []
            assert state == 2, "the stream is closed"
            open_page.js("location.href = arguments[0]", f"{web.origin}/")
            until(lambda: open_page.url() == f"{web.origin}/", open_page.url)
            until(lambda: has_heading(open_page, *REFUSED), open_page.title)


def test_a_link_on_another_page_opens_it_if_the_token_is_in_it(browser: Browser, web: Serving) -> None:
    with elsewhere(f"<!doctype html><a href='{web.told['url']}'>a message</a>") as url:
        browser.go(url.replace("127.0.0.1", "localhost"))
        browser.js("document.querySelector('a').click()")
        until(lambda: browser.url() == f"{web.origin}/", browser.url)
        until(lambda: is_live(browser), "the first board")
