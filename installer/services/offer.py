"""Asks the person who installs whether they want the service, and removes it again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from installer.hooks import change
from installer.refusal import Refusal
from installer.services import manager

if TYPE_CHECKING:
    from installer.console import Console
    from installer.place import Wish
    from installer.services.job import Job, Step
    from installer.services.manager import Service

HOOKS_DO = "the hooks start the watcher"
UNTOUCHED = "  The hooks are installed anyway: they start the watcher when it is needed."


def make(service: Service, job: Job, console: Console, wish: Wish) -> int:
    """Install or remove the service, as the person wants."""
    try:
        if wish.service is False:
            return _without(service, job, console, wish)
        return _with(service, job, console, wish)
    except Refusal as refusal:
        console.complain(f"yourturn: {refusal}\n{UNTOUCHED}")
        return 1


def serves(service: Service, home: str) -> bool:
    """Whether yourturn's service watches this state folder."""
    return service.job is not None and service.job.home == home


def take_away(service: Service, console: Console) -> None:
    manager.remove(service)
    console.say(f"Service removed ({service.path}).")


def _with(service: Service, job: Job, console: Console, wish: Wish) -> int:
    obstacle = _obstacle(service, job, wish)
    if obstacle and wish.service:
        raise obstacle
    if obstacle:
        console.say(f"No service: {obstacle.trouble.removesuffix('.')}; {HOOKS_DO}.")
        return 0
    data = manager.wanted(service, job)
    if service.is_as(data):
        console.say(f"The watcher already runs as a {service.manager.NAME} service; nothing was changed.")
    elif wish.dry_run:
        _preview(service, data, console, wish)
    elif not _is_wanted(service, console, wish):
        console.say(f"No service; {HOOKS_DO}.")
    else:
        manager.start(service, data, job.home)
        console.say(f"The watcher now runs as a {service.manager.NAME} service ({service.path}).")
    return 0


def _obstacle(service: Service, job: Job, wish: Wish) -> Refusal | None:
    if service.missing:
        return Refusal(f"{service.missing}.", "Run this again where one is running, or with --no-service.")
    if service.is_foreign:
        trouble = f"{service.path} was not written by yourturn."
        return Refusal(trouble, "Move it away and run this again, or with --no-service.")
    if service.job and not serves(service, job.home) and not wish.service:
        remedy = "Add --service to make it watch this state folder."
        return Refusal(f"the installed service watches {service.job.home}.", remedy)
    return None


def _preview(service: Service, data: bytes, console: Console, wish: Wish) -> None:
    if wish.diff:
        console.show_diff(change.diff(manager.change(service, data)))
    console.say(f"Would write: {service.path}")
    _preview_steps(service.manager.loading(service.path), console)


def _preview_steps(steps: tuple[Step, ...], console: Console) -> None:
    for step in steps:
        console.say(f"Would run: {shlex.join(step.argv)}")


def _is_wanted(service: Service, console: Console, wish: Wish) -> bool:
    if wish.service or wish.yes:
        return True
    try:
        console.check_can_ask()
    except Refusal:
        return False
    does = f"{service.manager.NAME} starts it when you log in; otherwise a hook starts it when a session begins"
    return console.agrees(f"Run the watcher as a service? ({does})")


def _without(service: Service, job: Job, console: Console, wish: Wish) -> int:
    if not serves(service, job.home):
        console.say(f"No service; {HOOKS_DO}.")
    elif wish.dry_run:
        console.say(f"The service would be removed ({service.path}).")
        _preview_steps(service.manager.unloading(), console)
    else:
        take_away(service, console)
    return 0
