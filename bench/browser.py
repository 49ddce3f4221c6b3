"""A real Chromium without a screen, driven over WebDriver (https://www.w3.org/TR/webdriver2).

Plain HTTP to Debian's chromedriver: the dozen commands that we need take less than selenium's twenty packages.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

PROGRAMS = ("chromium", "chromedriver")
PATIENCE_S = 60.0
START_S = 3600.0  # it reads 400 MB: by itself the driver gives up after 60 s, however slow the disk is
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip
STARTED = re.compile(r"started successfully on port (\d+)")
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Shift": "\ue008"}


class BrowserError(AssertionError):
    """What the browser says it could not do."""


class Browser:
    """One window, with a profile that is new and goes with it."""

    def __init__(self, width: int = 1280, height: int = 800) -> None:
        self._size = f"--window-size={width},{height}"
        self._folder = tempfile.mkdtemp(prefix="yourturn-browser-")
        self._driver: subprocess.Popen[str] | None = None
        self._port = 0
        self._session = ""

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def go(self, url: str) -> None:
        self._do("POST", "/url", url=url)

    def js(self, code: str, *args: Any) -> Any:
        """What the body of a function returns, in the page."""
        return self._do("POST", "/execute/sync", script=code, args=list(args))

    def js_later(self, code: str, *args: Any) -> Any:
        """The same for what comes later: the body calls `done` with it."""
        script = f"const done = arguments[arguments.length - 1]; {code}"
        return self._do("POST", "/execute/async", script=script, args=list(args))

    def press(self, *names: str) -> None:
        """Keys, one after the other."""
        acts = [{"type": kind, "value": KEYS.get(name, name)} for name in names for kind in ("keyDown", "keyUp")]
        self._do("POST", "/actions", actions=[{"type": "key", "id": "keys", "actions": acts}])

    def title(self) -> str:
        return str(self._do("GET", "/title"))

    def url(self) -> str:
        return str(self._do("GET", "/url"))

    def cookies(self) -> list[dict[str, Any]]:
        return list(self._do("GET", "/cookie"))

    def new_tab(self) -> None:
        made = self._do("POST", "/window/new", type="tab")
        self._do("POST", "/window", handle=made["handle"])

    def close_tab(self) -> None:
        """And go back to the first one."""
        left = self._do("DELETE", "/window")
        self._do("POST", "/window", handle=left[0])

    def looks(self, width: int, height: int, scheme: str = "light", scale: float = 1.0) -> None:
        """As on a screen of this size, for somebody who likes it light or dark."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: str, *, beyond: bool = True) -> None:
        """`beyond`: of the whole page, also what is below the window."""
        found = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=beyond)
        with open(path, "wb") as file:
            file.write(base64.b64decode(found["data"]))

    def cdp(self, command: str, **params: Any) -> Any:
        """Chromium's own protocol (https://chromedevtools.github.io/devtools-protocol)."""
        return self._do("POST", "/goog/cdp/execute", cmd=command, params=params)

    def _start(self) -> None:
        log = ["--log-level=WARNING", f"--log-path={self._folder}/driver.log"]
        env = {**os.environ, "HOME": self._folder, "TMPDIR": self._folder}
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0", *log],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            process_group=0,  # which Chromium stays in
        )
        assert self._driver.stdout
        said = next((found for line in self._driver.stdout if (found := STARTED.search(line))), None)
        if said is None:
            raise BrowserError("chromedriver did not start")
        self._port = int(said[1])
        options = {
            "binary": shutil.which("chromium"),
            "args": [*FLAGS, self._size, f"--user-data-dir={self._folder}/p"],
            "browserStartupTimeout": int(START_S * 1000),
        }
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "timeouts": {"script": int(PATIENCE_S * 1000)}}}
        self._session = self._ask("POST", "/session", {"capabilities": wanted}, patience=None)["sessionId"]

    def _end(self) -> None:
        if self._session:
            with contextlib.suppress(OSError, BrowserError, http.client.HTTPException):
                self._do("DELETE", "")
        if self._driver:
            # Chromium too: the driver leaves one behind that is not up yet, and we would wait for its end.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._driver.pid, signal.SIGKILL)
            self._driver.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _do(self, method: str, path: str, **body: Any) -> Any:
        return self._ask(method, f"/session/{self._session}{path}", body if method == "POST" else None)

    def _ask(self, method: str, path: str, body: dict[str, Any] | None, patience: float | None = PATIENCE_S) -> Any:
        asked = http.client.HTTPConnection("127.0.0.1", self._port, timeout=patience)
        try:
            asked.request(method, path, json.dumps(body) if body is not None else None)
            value = json.loads(asked.getresponse().read())["value"]
        finally:
            asked.close()
        if isinstance(value, dict) and "error" in value and "message" in value:
            raise BrowserError(f"{value['error']}: {value['message']}")
        return value


def missing() -> list[str]:
    return [program for program in PROGRAMS if not shutil.which(program)]
