"""Collects everything that doctor looks at on this machine; the checks judge it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from contract import lack, pulse
from contract.clients.claude import EVENTS
from installer import login, plan, record, state, target
from installer.clients import CLIENTS
from installer.doctor import brokers, inotify, machines, state_folder, volume
from installer.doctor.brokers import Brokers
from installer.doctor.other_clients import Other
from installer.hooks import change, disabled, entries, installed_plugin, settings, settings_file
from installer.hooks.program import OLDEST_PYTHON, PROJECT, Program
from installer.refusal import Refusal
from installer.services import job, manager, watcher_process
from installer.state import Odd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.lack import Lack
    from contract.status import Heartbeat
    from installer.doctor.machines import Machines
    from installer.doctor.state_folder import Trouble
    from installer.doctor.volume import Volume
    from installer.hooks.installed_plugin import Plugin
    from installer.login import Entry
    from installer.place import Place
    from installer.services.manager import Service
    from installer.target import Target

ASK_TIMEOUT_S = 15
OLD_PYTHON = 3  # an exit code
OLDEST = (3, 11)


@dataclass(frozen=True)
class Seen:
    """One look at everything."""

    place: Place
    client: str | None = None
    client_version: str | None = None
    settings: Mapping[str, Any] | None = None
    settings_trouble: str | None = None
    """Why install would refuse them; they may still be readable."""
    settings_writable: bool = True
    managed: Mapping[str, Any] | None = None
    plugin: Plugin | None = None
    """yourturn as a plugin of the client, if it is turned on."""
    lack: Lack | None = None
    """Why the plugin's hooks cannot start a watcher."""
    programs: Mapping[Program, str | None] | None = None
    """Each program that yourturn's hooks start, and what is wrong with it."""
    last_event: float | None = None
    watcher_alive: bool = False
    holder: int | None = None
    """The process that has the watcher's lock, if the system shows it."""
    beat: Heartbeat | None = None
    beat_lives: bool = False
    """Whether the process that wrote it is running."""
    watcher_seen: float | None = None
    home_exists: bool = False
    home_trouble: Trouble | None = None
    odd: Odd = field(default_factory=Odd)
    volume: Volume | None = None
    file_events: str = ""
    """Why a new watcher would have to poll."""
    set_aside: tuple[str, ...] = ()
    crashed: float | None = None
    sessions: Mapping[str, bool] = field(default_factory=dict)
    """The status file of each, and whether it can be read."""
    choices_exist: bool = False
    choices_trouble: str | None = None
    hook_trouble: str | None = None
    framework: str | None = None
    service: Service | None = None
    service_trouble: str | None = None
    """What is wrong with the program that the service starts."""
    service_wanted: bytes | None = None
    """Its file as this copy would write it."""
    login: Entry | None = None
    login_trouble: str | None = None
    """What is wrong with the program that is opened at login."""
    others: tuple[Other, ...] = ()
    """The other clients that are on this machine."""
    machines: Machines | None = None
    """The other machines that the person wants to see; None if there are none."""
    brokers: Brokers = field(default_factory=Brokers)
    """That tell of other machines, or are told of this one."""

    @property
    def is_hidden(self) -> bool:
        """Whether the content of the state folder cannot be read."""
        return self.home_trouble is not None and self.home_trouble.is_hidden

    @property
    def has_claude(self) -> bool:
        """Whether Claude Code is here. It is looked for as long as no other client has our hooks."""
        traces = self.client or self.settings is not None or self.settings_trouble or self.plugin
        return bool(traces) or not any(other.found for other in self.others)


def look(place: Place, environ: Mapping[str, str], managed: str = disabled.MANAGED) -> Seen:
    client = shutil.which("claude", path=environ.get("PATH"))
    parsed, trouble = _settings(place.settings)
    plugin = installed_plugin.find(parsed or {}, os.path.dirname(place.settings))
    service, entry = manager.look(environ), login.look(environ)
    beat = pulse.heartbeat(place.home)
    return Seen(
        place=place,
        client=client,
        client_version=_version(client) if client else None,
        settings=parsed,
        settings_trouble=trouble,
        settings_writable=settings_file.is_writable(place.settings),
        managed=disabled.managed(managed),
        plugin=plugin,
        lack=lack.read(place.home) if plugin else None,
        programs=_programs(parsed or {}) or (_of_plugin(plugin, environ) if plugin else {}),
        last_event=state.last_event_at(place.home),
        watcher_alive=pulse.has_watcher(place.home),
        holder=watcher_process.holder(place.home),
        beat=beat,
        beat_lives=watcher_process.is_there(beat) if beat else False,
        watcher_seen=state.watcher_seen_at(place.home),
        home_exists=os.path.isdir(place.home),
        home_trouble=state_folder.trouble_with(place.home),
        odd=state.odd(place.home),
        volume=volume.look(place.home),
        file_events=inotify.trouble(place.home),
        set_aside=tuple(state.set_aside(place.home)),
        crashed=state.crashed_at(place.home),
        sessions=state.sessions(place.home),
        choices_exist=os.path.lexists(place.choices),
        choices_trouble=state.trouble_with_choices(place.choices) if place.choices else None,
        hook_trouble=state.last_trouble(place.home),
        framework=getattr(sys, "_framework", "") or None if sys.platform == "darwin" else None,
        service=service,
        service_trouble=trouble_with(Program(*service.job[:2])) if service.job else None,
        service_wanted=_wanted(service, environ) if service.job else None,
        login=entry,
        login_trouble=trouble_with(Program(*entry.job[:2])) if entry.job else None,
        others=_others(place.home, environ),
        machines=machines.look(place.home, place.hosts),
        brokers=brokers.look(place.home, place.hosts),
    )


def trouble_with(program: Program, oldest: tuple[int, int] = OLDEST) -> str | None:
    """Start the interpreter as the hook would, without the hook."""
    if not os.path.isfile(program.script):
        return f"{program.script} does not exist"
    code = f"import sys; sys.exit({OLD_PYTHON} if sys.version_info < {oldest} else 0)"
    try:
        argv = [program.interpreter, "-S", "-E", "-c", code]
        ended = subprocess.run(argv, capture_output=True, timeout=ASK_TIMEOUT_S, check=False).returncode
    except FileNotFoundError:
        return f"{program.interpreter} does not exist"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program.interpreter} does not start ({type(error).__name__})"
    if ended == OLD_PYTHON:
        return f"{program.interpreter} is older than Python {'.'.join(map(str, oldest))}"
    return f"{program.interpreter} fails (exit code {ended})" if ended else None


def _others(home: str, environ: Mapping[str, str]) -> tuple[Other, ...]:
    known, found = record.load(home).files, target.found(environ)
    return tuple(
        other_client(one, is_remembered=one.path in known)
        for one in target.targets(CLIENTS, environ)
        if not one.is_default and (one in found or one.path in known)
    )


def other_client(target: Target, *, is_remembered: bool) -> Other:
    editor = target.client.editor(plan.NOBODY)
    seen = Other(target, editor.noun, tuple(editor.names), is_remembered=is_remembered)
    try:
        with settings_file.refusing("Could not read the settings"), change.editing(target.path):
            text = settings_file.read(target.path).text
            editor.put(text)  # would install refuse it?
            found, programs = editor.parts(text), editor.programs(text)
    except Refusal as refusal:
        return replace(seen, trouble=refusal.trouble)
    used = [program for program in programs if program]
    return replace(
        seen,
        found=frozenset(found),
        is_writable=settings_file.is_writable(target.path),
        is_edited=None in programs,
        is_current=all(target.client.editor(program).put(text) == text for program in used),
        narrowed=tuple(editor.narrowed(text)),
        programs={program: trouble_with(program) for program in used},
        caveats=tuple(target.client.caveats(target.path, text)) if found else (),
        note=target.client.note(target.path),
    )


def _settings(path: str) -> tuple[Mapping[str, Any] | None, str | None]:
    parsed = None
    try:
        with settings_file.refusing("Could not read the settings"), change.editing(path):
            content = settings_file.read(path)
            parsed = None if content.data is None else settings.parse(content.text)
            settings.check(content.text, EVENTS)
    except Refusal as refusal:
        return parsed, refusal.trouble
    return parsed, None


def _programs(parsed: Mapping[str, Any]) -> dict[Program, str | None]:
    """Those that the hooks in the settings start, and what is wrong with each."""
    lines = [hook["command"] for _, _, hook in entries.found_in(parsed)]
    return {program: trouble_with(program) for line in lines if (program := entries.program_of(line))}


def _of_plugin(plugin: Plugin, environ: Mapping[str, str]) -> dict[Program, str | None]:
    python = shutil.which("python3", path=environ.get("PATH")) or "python3"
    program = Program(python, os.path.join(plugin.folder or PROJECT, "hook.py"))
    return {program: trouble_with(program, OLDEST_PYTHON)}


def _wanted(service: Service, environ: Mapping[str, str]) -> bytes | None:
    ours = Program(sys.executable, os.path.join(PROJECT, "hook.py"))
    try:
        return manager.wanted(service, job.of(ours, environ))
    except Refusal:
        return None


def _version(client: str) -> str | None:
    try:
        argv = [client, "--version"]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.decode("utf-8", "replace").split()
    return words[0] if words and done.returncode == 0 else None
