"""The watcher as a service of launchd or systemd: finding, starting and removing it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from contract import paths, store
from contract.clean import clean
from installer.hooks import settings_file
from installer.hooks.change import Change
from installer.hooks.settings_file import Content
from installer.refusal import Refusal
from installer.services import launchd, systemd
from installer.services.job import Job, Said, Standing, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

ASK_TIMEOUT_S = 30
STEP_S = 0.2
ENDING_S = 25.0  # longer than launchd waits before it kills
NOT_THERE, TOO_LATE = 127, 124

Ask = Callable[[tuple[str, ...]], Said]


class Manager(Protocol):
    """One file for each platform, the same names inside."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module
    @property
    def TEMPLATE(self) -> str: ...  # noqa: N802
    @property
    def LOG(self) -> str: ...  # noqa: N802
    def path(self, environ: Mapping[str, str], /) -> str: ...
    def write(self, template: bytes, wanted: Job, /) -> bytes: ...
    def read(self, data: bytes, user_home: str, /) -> Job | None: ...
    def missing(self, ask: Ask, environ: Mapping[str, str], /) -> str | None: ...
    def question(self) -> tuple[str, ...]: ...
    def standing(self, said: Said, /) -> Standing: ...
    def loading(self, path: str, /) -> tuple[Step, ...]: ...
    def unloading(self) -> tuple[Step, ...]: ...
    def forgetting(self) -> tuple[Step, ...]: ...
    def leftovers(self, path: str, /) -> tuple[list[str], list[str]]: ...


MANAGERS: Mapping[str, Manager] = {"darwin": launchd, "linux": systemd}


class Service(NamedTuple):
    """The service as it is on this machine."""

    manager: Manager
    ask: Ask
    path: str
    content: Content = Content(None)
    job: Job | None = None
    """What the file starts; None if there is no file, or it was not written by yourturn."""
    missing: str | None = None
    """Why no service manager can be used."""
    standing: Standing = Standing()

    @property
    def is_foreign(self) -> bool:
        """The file was not written by yourturn."""
        return self.job is None and self.content.data is not None

    def is_as(self, wanted: bytes) -> bool:
        """Whether there is nothing left to do."""
        return self.content.data == wanted and self.standing.known and self.standing.pid is not None


def look(environ: Mapping[str, str], platform: str = sys.platform) -> Service:
    manager = MANAGERS.get(platform, systemd)
    path = manager.path(environ)
    content = settings_file.read_unlinked(path)
    starts = manager.read(content.data, paths.user_home(environ)) if content.data else None
    run = partial(ask, environ)
    missing = manager.missing(run, environ)
    standing = Standing() if missing else manager.standing(run(manager.question()))
    return Service(manager, run, path, content, starts, missing, standing)


def wanted(service: Service, ours: Job) -> bytes:
    """The file as it should be."""
    with settings_file.refusing("This copy of yourturn is incomplete"), open(service.manager.TEMPLATE, "rb") as file:
        template = file.read()
    return service.manager.write(template, ours)


def change(service: Service, data: bytes | None) -> Change:
    return Change(service.path, service.content, data)


def start(service: Service, data: bytes, home: str) -> None:
    """Write the file and make the manager run it, as if for the first time."""
    with settings_file.refusing("Could not write the service"):
        store.private_folder(home)
        # Created here, because launchd would make it readable for everybody.
        os.close(
            os.open(
                paths.watcher_errors(home),
                os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW,
                settings_file.PRIVATE,
            )
        )
        if service.content.data != data:
            settings_file.replace(service.path, data, service.content)
    for step in service.manager.loading(service.path):
        _take(step, service)


def remove(service: Service) -> None:
    """Stop it and remove its file; without a manager, uninstall ends the process later."""
    if not service.missing:
        for step in service.manager.unloading():
            _take(step, service)
        _until_ended(service)
    with settings_file.refusing("Could not remove the service"):
        settings_file.remove(service.path, service.content)
    _tidy(*service.manager.leftovers(service.path))
    if not service.missing:
        for step in service.manager.forgetting():
            _take(step, service)


def ask(environ: Mapping[str, str], argv: tuple[str, ...]) -> Said:
    """The output contains the person's whole environment: it is parsed, and never shown or stored."""
    nobody = subprocess.DEVNULL
    try:
        done = subprocess.run(argv, env=environ, stdin=nobody, capture_output=True, timeout=ASK_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return Said(TOO_LATE, err=f"no answer for {ASK_TIMEOUT_S} s")
    except OSError as error:
        return Said(NOT_THERE, err=f"{argv[0]}: {error.strerror}")
    return Said(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def _take(step: Step, service: Service) -> None:
    deadline = time.monotonic() + step.patience_s
    said = service.ask(step.argv)
    while said.code and time.monotonic() < deadline:
        time.sleep(STEP_S)
        said = service.ask(step.argv)
    if said.code and step.needed:
        error = clean(said.err or said.out, 300).removesuffix(".") or f"exit code {said.code}"
        remedy = f"{service.manager.LOG} may say more. Fix the cause, then run this again."
        raise Refusal(f"`{shlex.join(step.argv)}` failed: {error}.", remedy)


def _until_ended(service: Service) -> None:
    manager = service.manager
    deadline = time.monotonic() + ENDING_S
    while pid := manager.standing(service.ask(manager.question())).pid:
        if time.monotonic() > deadline:
            raise Refusal(f"{manager.NAME} still runs the watcher as process {pid}.", "End it, then run this again.")
        time.sleep(STEP_S)


def _tidy(links: list[str], folders: list[str]) -> None:
    for link in links:
        if os.path.islink(link):
            store.remove(link)
    for folder in folders:
        with suppress(OSError):
            os.rmdir(folder)
