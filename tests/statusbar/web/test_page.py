"""The page in a real Chromium: what a person sees, hears and can reach."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from support.page import MARK, ROWS, icon, shows, until_title
from support.patience import until
from support.showing import HOSTILE, agent, hostile, just_now, put, session

if TYPE_CHECKING:
    from pathlib import Path

    from bench.browser import Browser
    from support.serving import Serving

pytestmark = pytest.mark.series  # with `make test-clients`

EVIL = {
    **HOSTILE,
    "a script": "<script>window.stolen = 1; alert(1)</script>",
    "an image": "<img src=x onerror='window.stolen = 1; alert(1)'>",
    "the end of an attribute": "\"'><svg onload=alert(1)>",
    "an address": "javascript:alert(1)",
}
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
