"""The page in a real Chromium: until its first paint, and from a status file replaced to pixels, beside a bare page."""

from __future__ import annotations

import contextlib
import http.server
import importlib.util
import json
import queue
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from bench import browser, cpu, figure, place, race
from bench.budget import Budget
from bench.figure import Figure, Missing
from bench.place import OURS, PROJECT, Place
from bench.screen import BEAT_S, LATELY_S, QUIET, Watched, left_alone, session
from contract.status import NEEDS_APPROVAL, WORKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.browser import Browser
    from bench.dose import Dose

ROUNDS = 30
STARTS = 10
SECONDS = 30.0
PAINT_MS, PIXEL_MS = 200.0, 300.0
# Never the same beat as the server's.
PAUSES_S = (0.11, 0.23, 0.31, 0.07)
BARE = """<!doctype html><meta charset=utf-8><title>bare</title><main><ul class=rows><li>A bare page</li></ul></main>
<script>
new EventSource("/events").onmessage = (event) => { document.querySelector("li").textContent = event.data };
</script>"""
# When the first row is on the screen: after the frame that has it.
FIRST_ROW = """
window.drawn = new Promise((resolve) => new MutationObserver((_, observer) => {
  if (!document.querySelector(".rows li")) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
}).observe(document, { childList: true, subtree: true }));
"""
FIRST_PAINT = """
const painted = () => performance.getEntriesByName("first-contentful-paint")[0];
const wait = () => painted() ? window.drawn.then((at) => done([painted().startTime, at])) : setTimeout(wait, 5);
wait();
"""
WATCH = """
window.seen = {};
window.waits = {};
new MutationObserver(() => {
  const text = document.querySelector("main").textContent;
  for (const word of Object.keys(window.waits)) if (text.includes(word)) {
    const tell = window.waits[word];
    delete window.waits[word];
    requestAnimationFrame(() => setTimeout(() => tell(performance.timeOrigin + performance.now())));
  }
}).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
"""
EXPECT = "window.seen[arguments[0]] = new Promise((tell) => { window.waits[arguments[0]] = tell })"
SEEN = "window.seen[arguments[0]].then(done)"


class Painted(NamedTuple):
    """Milliseconds after the page was asked for."""

    first: float
    row: float


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    lacking = browser.missing() or [name for name in ("uvicorn",) if not importlib.util.find_spec(name)]
    if lacking:
        yield Missing("the page", f"there is no {' and no '.join(lacking)}")
        return
    with place.folder() as path, Watched(Place(path), QUIET) as where, bare() as other:
        yield from _start(where, dose.rounds(STARTS))
        with served(where.environment()) as web, browser.Browser() as chromium:
            yield from _paint(chromium, web, other, dose.rounds(ROUNDS))
            yield from _pixel(chromium, web, other, where, dose.rounds(ROUNDS))
    with place.folder() as path, Watched(Place(path), QUIET, LATELY_S) as where, served(where.environment()) as web:
        yield from _rest(where, web, dose.seconds(SECONDS))


def _start(where: Place, rounds: int) -> Iterator[Figure]:
    starts, prints = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        with served(where.environment()):
            starts.append((time.perf_counter() - began) * race.MS)
        began = time.perf_counter()
        subprocess.run([*OURS, "status"], env=where.environment(), stdout=subprocess.DEVNULL, check=True)
        prints.append((time.perf_counter() - began) * race.MS)
    yield figure.beside("web.start", "`yourturn web` until its link", starts, "`yourturn status`", prints)


def _paint(chromium: Browser, web: Web, other: Bare, rounds: int) -> Iterator[Figure]:
    """In turns, each a load of its own; nothing of them is cached."""
    chromium.cdp("Page.addScriptToEvaluateOnNewDocument", source=FIRST_ROW)
    chromium.go(web.link)
    pairs = [(painted(chromium, web.origin), painted(chromium, other.origin)) for _ in range(rounds + 1)][1:]
    ours, bares = [one for one, _ in pairs], [two for _, two in pairs]
    first, row = [one.first for one in ours], [one.row for one in ours]
    what, against = f"the page, {QUIET} sessions", "a bare page"
    within = budgets(first, PAINT_MS)
    yield figure.beside(
        "web.paint", f"{what}: first paint", first, against, [one.first for one in bares], budgets=within
    )
    yield figure.beside("web.row", f"{what}: all rows painted", row, against, [one.row for one in bares])


def budgets(taken: list[float], most: float) -> tuple[Budget, ...]:
    """The late ones are a goal: on a busy machine, even a bare page is late now and then."""
    return Budget(race.median(taken), most, "ms"), Budget(race.p95(taken), most, "ms at p95", hard=False)


def painted(chromium: Browser, origin: str) -> Painted:
    chromium.go(f"{origin}/")
    return Painted(*chromium.js_later(FIRST_PAINT))


def _pixel(chromium: Browser, web: Web, other: Bare, where: Watched, rounds: int) -> Iterator[Figure]:
    """One page after the other: of two in one window, one would be hidden, and a hidden page is not painted."""
    other.tell("before")
    chromium.go(f"{other.origin}/")
    chromium.js(WATCH)
    bares = [_bare_delay(chromium, other, k) for k in range(rounds)]
    chromium.go(f"{web.origin}/")
    chromium.js_later("window.drawn.then(done)")
    chromium.js(WATCH)
    ours = [_delay(chromium, where, k) for k in range(rounds)]
    what, against = f"status file to the page, {QUIET} sessions", "an event to a bare page"
    within = budgets(ours, PIXEL_MS)
    yield figure.beside("web.pixel", what, ours, against, bares, budgets=within)


def _delay(chromium: Browser, where: Watched, number: int) -> float:
    """Milliseconds until the change is painted: a session becomes blocked, which moves it to the top, or goes on."""
    word = f"step {number}."
    changed = session(0, WORKING if number % 2 else NEEDS_APPROVAL, word)
    chromium.js(EXPECT, word)
    time.sleep(PAUSES_S[number % len(PAUSES_S)])
    where.beat()
    began = time.time()
    where.put(changed)
    return float(chromium.js_later(SEEN, word)) - began * race.MS


def _bare_delay(chromium: Browser, other: Bare, number: int) -> float:
    word = f"bare {number}."
    chromium.js(EXPECT, word)
    time.sleep(PAUSES_S[number % len(PAUSES_S)])
    began = time.time()
    other.tell(word)
    return float(chromium.js_later(SEEN, word)) - began * race.MS


def _rest(where: Watched, web: Web, seconds: float) -> Iterator[Figure]:
    """With one page open, and nothing but a heartbeat happening."""
    with browser.Browser() as chromium:
        chromium.go(web.link)
        began, before = time.monotonic(), cpu.spent(web.process.pid)
        end = began + seconds
        while (left := end - time.monotonic()) > 0:
            where.beat()
            time.sleep(min(left, BEAT_S))
        spent, took = cpu.spent(web.process.pid) - before, time.monotonic() - began
        assert web.process.poll() is None, "it did not live that long"
        yield from left_alone(
            "web", "`yourturn web`", spent / took * 100, psutil.Process(web.process.pid).memory_info().rss
        )


class Web(NamedTuple):
    process: subprocess.Popen[str]
    link: str

    @property
    def origin(self) -> str:
        return self.link.partition("/?")[0]


@contextlib.contextmanager
def served(env: dict[str, str]) -> Iterator[Web]:
    """`yourturn web` in this environment."""
    argv = [*OURS, "web", "--json", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(argv, env=env, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            assert line, "it did not start"
            yield Web(process, json.loads(line)["url"])
        finally:
            process.terminate()


class Bare(http.server.ThreadingHTTPServer):
    """A page without style that shows the last word it was told."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _BareHandler)
        self._open: list[queue.SimpleQueue[str]] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def tell(self, word: str) -> None:
        for one in self._open:
            one.put(word)

    def words(self) -> Iterator[str]:
        mine: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._open.append(mine)
        while True:
            yield mine.get()


class _BareHandler(http.server.BaseHTTPRequestHandler):
    server: Bare
    wbufsize = 0

    def do_GET(self) -> None:
        is_stream = self.path == "/events"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if is_stream else "text/html")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if not is_stream:
            self.wfile.write(BARE.encode())
            return
        with contextlib.suppress(OSError):
            for word in self.server.words():
                self.wfile.write(f"data: {word}\n\n".encode())

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def bare() -> Iterator[Bare]:
    made = Bare()
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
