"""The checks from the clients to the watcher. Pure, except for printing them."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from contract import paths, typed
from contract.clean import clean
from contract.clients.claude import EVENTS
from contract.status import ENDED, RESTING
from contract.version import VERSION
from installer.doctor import brokers, by_plugin, inotify, machines, other_clients, own_files, volume
from installer.doctor.check import COLOURS, FAIL, OK, SKIP, WARN, Check, age, to_install
from installer.hooks import answers as answering
from installer.hooks import disabled, entries

if TYPE_CHECKING:
    from installer.console import Console
    from installer.doctor.probes import Seen
    from installer.hooks.program import Program
    from installer.services.manager import Service

OLDEST_CLIENT = (2, 1, 88)
START_GRACE_S = 5.0
STALE_BEAT_S = 60.0
FINE = "That is fine if you intended it. Otherwise:"
NO_EVENT = "Fix the hooks first: without them no event arrives, and nothing starts the watcher."
NO_FOLDER = "Fix the state folder first: no event can be recorded."
NO_CLAUDE = Check("client", SKIP, "Claude Code is not here; another client has the hooks")
LONG = 80
UNREAD = "unknown: the settings cannot be read"


def diagnose(seen: Seen, program: Program, now: float) -> list[Check]:
    checks = [
        *(claude_code(seen, program) if seen.has_claude else [NO_CLAUDE]),
        *(other_clients.judge(other, program) for other in seen.others),
        last_event(seen, now),
        watcher(seen, now),
        inotify.judge(seen),
        service(seen),
        login(seen, program),
        own_files.state_folder(seen),
        volume.judge(seen.volume, seen.place.home),
        own_files.facts(seen),
        own_files.status_files(seen),
        own_files.choices(seen),
        own_files.hook_log(seen),
        own_files.crash(seen, now),
        *machines.judge(seen.machines, seen.place.home, now),
        *brokers.judge(seen.brokers, now),
        menubar(seen),
    ]
    return [check for check in checks if check]


def claude_code(seen: Seen, program: Program) -> list[Check]:
    checks = [client(seen), hooks_present(seen), switch(seen), interpreter(seen, program)]
    found = answers(seen, program)
    return [*checks, found] if found else checks


def client(seen: Seen) -> Check:
    if seen.client is None:
        remedy = "Install Claude Code, or add the folder of `claude` to PATH."
        return Check("client", FAIL, "`claude` is not on PATH", remedy)
    if seen.client_version is None:
        return Check("client", WARN, f"{seen.client} does not print its version", "Run `claude --version`.")
    words = f"Claude Code {clean(seen.client_version, 40)} ({seen.client})"
    if _numbers(seen.client_version) < OLDEST_CLIENT:
        wanted = ".".join(map(str, OLDEST_CLIENT))
        return Check("client", WARN, f"{words} does not send all events", f"Update it to {wanted} or newer.")
    return Check("client", OK, words)


def hooks_present(seen: Seen) -> Check:
    if seen.settings_trouble:
        return Check("hooks", FAIL, seen.settings_trouble, to_install(seen))
    ours = entries.found_in(seen.settings or {})
    if seen.plugin:
        return by_plugin.hooks(seen, seen.plugin)
    if not ours:
        return Check("hooks", FAIL, f"no yourturn hooks in {seen.place.settings}", to_install(seen))
    missing = [event for event in EVENTS if event not in {entry.event for entry in ours}]
    if missing:
        return Check("hooks", FAIL, f"{seen.place.settings} has none for {', '.join(missing)}", to_install(seen))
    narrowed = [entry.event for entry in ours if entry.matcher not in (None, "", "*")]
    if narrowed:
        return Check("hooks", WARN, f"a matcher limits the hooks for {', '.join(narrowed)}", "Remove the matcher.")
    if any(entry.hook != entries.entries(entries.renewed(entry.hook["command"])).get(entry.event) for entry in ours):
        return Check("hooks", WARN, "written by an older version", to_install(seen))
    return Check("hooks", OK, f"all {len(EVENTS)} events in {seen.place.settings}")


def answers(seen: Seen, program: Program) -> Check | None:
    """None if nobody has asked for them."""
    ours = answering.installed(seen.settings or {})
    if not ours:
        return None
    if ours != [answering.entry(program)]:
        return Check(
            "answers", WARN, "the hook that waits for answers is an older one, or another copy's", to_install(seen)
        )
    others = [clean(words, LONG) for words in answering.others(seen.settings or {})]
    if others:
        remedy = "That is fine if you intended it: whoever decides first is heard."
        return Check("answers", WARN, f"other hooks may answer before you: {', '.join(others)}", remedy)
    return Check("answers", OK, "what Claude Code asks for can be answered from outside")


def switch(seen: Seen) -> Check:
    reason = disabled.reason(seen.settings or {}, seen.managed or {}, seen.place.settings)
    if reason:
        return Check("switch", FAIL, reason.what, reason.remedy)
    if seen.settings is None and seen.settings_trouble:
        return Check("switch", SKIP, UNREAD)
    return Check("switch", OK, "hooks are enabled")


def interpreter(seen: Seen, program: Program) -> Check:
    if seen.settings is None and seen.settings_trouble:
        return Check("interpreter", SKIP, UNREAD)
    lines = [entry.hook["command"] for entry in entries.found_in(seen.settings or {})]
    if any(entries.program_of(line) is None for line in lines):
        return Check("interpreter", FAIL, "a yourturn hook was edited", to_install(seen))
    if seen.plugin and not lines:
        return by_plugin.interpreter(seen)
    programs = seen.programs or {}
    if not programs:
        return Check("interpreter", FAIL, "unknown: there are no yourturn hooks", to_install(seen))
    broken = [trouble for trouble in programs.values() if trouble]
    if broken:
        return Check("interpreter", FAIL, broken[0], to_install(seen))
    others = [used.script for used in programs if used.script != program.script]
    if others:
        remedy = f"{FINE} {to_install(seen)}"
        return Check("interpreter", WARN, f"the hooks run another copy of yourturn, {others[0]}", remedy)
    return Check("interpreter", OK, ", ".join(used.interpreter for used in programs))


def last_event(seen: Seen, now: float) -> Check:
    if seen.is_hidden:
        return own_files.hidden("last event")
    if seen.last_event is None:
        where = " in Claude Code" if seen.has_claude else ""
        remedy = _if_events_come(seen, f"Send a prompt{where}, then run doctor again.")
        return Check("last event", WARN, "none yet", remedy)
    return Check("last event", OK, f"{age(now - seen.last_event)} ago")


def watcher(seen: Seen, now: float) -> Check:
    """None is needed while no agent runs: it ends when idle, and the next event starts it."""
    if seen.is_hidden:
        return own_files.hidden("watcher")
    log = paths.watcher_log(seen.place.home)
    beat, event = seen.beat, seen.last_event
    stray = _stray(seen, now)
    if stray:
        words = f"process {stray} writes here too, but does not hold the watcher's lock"
        then = "the watcher with the lock keeps running" if seen.watcher_alive else "the next event starts another"
        return Check("watcher", WARN, words, f"Run `kill {stray}`; {then}.")
    if seen.watcher_alive:
        if beat and now - beat.beat > STALE_BEAT_S:
            remedy = f"Look at {log}. `kill {beat.pid}` ends it, and the next event starts another."
            return Check("watcher", WARN, f"is running, but has not responded for {age(now - beat.beat)}", remedy)
        if beat and beat.version != VERSION:
            ours = typed.command("watch --replace")
            remedy = f"Run `{ours}`, or `kill {beat.pid}`; then the next event starts the hooks' version."
            words = f"is running as version {clean(beat.version, 20)} of another copy; this is {VERSION}"
            return Check("watcher", WARN, words, remedy)
        return Check("watcher", OK, f"is running as process {beat.pid}" if beat else "is running")
    if seen.lack:
        return by_plugin.watcher(seen.lack)
    if event and event > (seen.watcher_seen or 0.0) + START_GRACE_S and now - event > START_GRACE_S:
        words = f"did not start when an event arrived {age(now - event)} ago"
        return Check("watcher", FAIL, words, f"Run `{typed.command('watch')}` to see why; its log is {log}.")
    if seen.sessions:
        was_killed = beat and beat.mode not in (RESTING, ENDED)
        words = f"{'was killed' if was_killed else 'is not running'}, so {_states(seen)} out of date"
        return Check("watcher", WARN, words, f"Run `{typed.command('up')}`.")
    return Check("watcher", WARN, "is not running", _if_events_come(seen, "Nothing to do: the next event starts it."))


def _stray(seen: Seen, now: float) -> int | None:
    """The process of a watcher that runs without the lock, as after the state folder was removed and made again."""
    beat = seen.beat
    if not beat or not seen.beat_lives or beat.mode in (RESTING, ENDED) or now - beat.beat > STALE_BEAT_S:
        return None
    is_known = seen.holder is not None or not seen.watcher_alive
    return beat.pid if is_known and seen.holder != beat.pid else None


def _states(seen: Seen) -> str:
    return f"the states of {len(seen.sessions)} sessions are" if len(seen.sessions) > 1 else "the state of a session is"


def _if_events_come(seen: Seen, remedy: str) -> str:
    """The remedy helps only if the hooks are installed and can record an event."""
    own = seen.settings or {}
    if any(other.found for other in seen.others):
        return NO_FOLDER if seen.home_trouble else remedy
    if disabled.reason(own, seen.managed or {}, seen.place.settings):
        return NO_EVENT
    if not seen.plugin and not entries.found_in(own):
        return NO_EVENT
    return NO_FOLDER if seen.home_trouble else remedy


def service(seen: Seen) -> Check:
    service = seen.service
    if service is None or service.content.data is None:
        return Check("service", OK, "none: the hooks start the watcher")
    path = service.path
    if service.job is None:
        return Check("service", WARN, f"{path} was not written by yourturn", "Move it away to use yourturn's service.")
    if service.job.home != seen.place.home:
        return Check("service", OK, f"watches {service.job.home}; for this state folder, the hooks start the watcher")
    if seen.service_trouble:
        return Check("service", FAIL, f"{path}: {seen.service_trouble}", _serve())
    if service.content.data != seen.service_wanted:
        words = f"{path} is not as this copy would write it; it starts {service.job.script}"
        return Check("service", WARN, words, f"{FINE} {_serve()}")
    if service.missing:
        remedy = "Nothing to do: until the service manager is back, the hooks start the watcher."
        return Check("service", WARN, f"{path} exists, but {service.missing}", remedy)
    return _running_service(service)


def _running_service(service: Service) -> Check:
    manager, (known, pid, trouble) = service.manager, service.standing
    if trouble:
        words = f"{manager.NAME} reports: {clean(trouble, 80)}"
        return Check("service", FAIL, words, f"See {manager.LOG}, then: {_serve()}")
    if not known:
        return Check("service", WARN, f"{manager.NAME} will not start {service.path} at login", _serve())
    if pid is None:
        return Check("service", WARN, f"{manager.NAME} has loaded it, but it is not running", _serve())
    return Check("service", OK, f"{manager.NAME} runs it as process {pid}")


def _serve() -> str:
    return f"Run `{typed.command('install --service')}`."


def _open() -> str:
    return f"Run `{typed.command('login on')}`"


def login(seen: Seen, program: Program) -> Check:
    entry = seen.login
    if entry is None or entry.content.data is None:
        return Check("login", OK, "nothing opens at login")
    if entry.job is None:
        return Check("login", WARN, f"{entry.path} was not written by yourturn", "Move it away to use this one.")
    if seen.login_trouble:
        remedy = f"{_open()}, or `{typed.command('login off')}`."
        return Check("login", FAIL, f"{entry.path}: {seen.login_trouble}", remedy)
    if os.path.dirname(entry.job.script) != os.path.dirname(program.script):
        words = f"{entry.path} opens another copy of yourturn, {entry.job.script}"
        return Check("login", WARN, words, f"{FINE} {_open()}.")
    if not entry.is_on:
        return Check("login", OK, f"{entry.path} is turned off in the desktop's settings")
    return Check("login", OK, f"the icon opens at login ({entry.path})")


def menubar(seen: Seen) -> Check | None:
    if not seen.framework:
        return None
    words = f"this Python is a framework build ({seen.framework}), and macOS 26 may not show its menu bar icon"
    return Check("menubar", WARN, words, "If no icon appears, create .venv with a Python from uv.")


def as_json(checks: list[Check]) -> str:
    listed = [check._asdict() | {"verdict": check.verdict.lower()} for check in checks]
    return json.dumps({"v": 1, "ok": is_well(checks), "checks": listed}, indent=2)


def is_well(checks: list[Check]) -> bool:
    return all(check.verdict != FAIL for check in checks)


def show(checks: list[Check], console: Console) -> None:
    for check in checks:
        verdict = console.paint(f"{check.verdict:<5}", COLOURS[check.verdict])
        console.say_hanging(f"{verdict} {check.name:<13} ", check.seen, 20)
        if check.remedy:
            console.say_hanging(f"{'':<20}-> ", check.remedy, 23)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(word[:9]) for word in re.findall(r"\d+", version)[:3])
